import { visible } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import type { Colours } from "./terminal.js";

/** Foreign text for a question: with all that a reader could not see shown, and set off from what is really there. */
export function clearText({ glyphs }: Messages, colours: Colours): (text: string) => string {
  const { lineEnd, blank, times } = glyphs;
  const mark = (notation: string) =>
    colours.inverse(notation.replace("⏎", lineEnd).replace("␠", blank).replace("×", times));
  return (text) => visible(text, mark);
}
