import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";

/** Foreign text on one line of the terminal. */
export function oneLine(text: string, { glyphs }: Pick<Messages, "glyphs">): string {
  return printable(text)
    .trim()
    .replace(/\s*\n\s*/g, ` ${glyphs.lineEnd} `)
    .replaceAll("\t", " ");
}
