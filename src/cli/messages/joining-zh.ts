import type { joining as english } from "./joining-en.js";

export const joining: typeof english = {
  named: (name, value) => `${name}：${value}`,
  labelled: (label, value) => `${label}${value}`,
  heading: (title) => `${title}：`,
  bracketed: (text) => `（${text}）`,
  list: (items) => items.join("、"),
  clauses: (items) => items.join("；"),
};
