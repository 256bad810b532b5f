import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { printable } from "../../printable.js";

export const REFERENCE = /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z][A-Za-z0-9]{1,31}));/y;
const REFERENCES = new RegExp(REFERENCE.source, "g");

/** Characters for their references, e.g. "<" for "&lt;"; what a terminal would act on is left out. */
export function decoded(text: string): string {
  const characters = text.replace(
    REFERENCES,
    (whole: string, hexadecimal?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return decodeNamedCharacterReference(name) || whole;
      const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
      return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    },
  );
  return printable(characters).replace(/[\n\t ]+/g, " ");
}

/** Without the backslashes before punctuation. */
export function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}
