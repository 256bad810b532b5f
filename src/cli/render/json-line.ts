/** JSON leaves these characters as they are, but a terminal that shows the line may act on them. */
const UNSAFE_IN_TERMINALS = /[\x7f-\x9f\u2028\u2029]|\p{Default_Ignorable_Code_Point}/gu;

/** One line of JSON that parses to the value as it is and holds no control character. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value).replace(UNSAFE_IN_TERMINALS, (found) =>
    found
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
  return `${json}\n`;
}
