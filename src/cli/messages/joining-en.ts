// How texts are put together, in English.
export const joining = {
  /** `mode: plan` */
  named: (name: string, value: string) => `${name}: ${value}`,
  /** Of a heading that is written with its colon, such as `mode:`. */
  labelled: (label: string, value: string) => `${label} ${value}`,
  heading: (title: string) => `${title}:`,
  bracketed: (text: string) => `(${text})`,
  list: (items: readonly string[]) => items.join(", "),
  clauses: (items: readonly string[]) => items.join("; "),
};
