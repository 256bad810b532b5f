import type { Help } from "commander";
import type { Messages } from "./messages/catalogue.js";
import { widthOf } from "./render/terminal.js";

/** What a line of Chinese may be broken between: a character, or a word of Latin letters, with the signs that stay with it. */
const PIECE = /\s*[（“]*(?:\p{Script=Han}|[^\s\p{Script=Han}（“，。；：、！？）”]+)[，。；：、！？）”]*/gu;

/** Commander's help in another language than English: its own words, and lines that are measured in cells. */
export function helpLayout({ translate, help }: Messages): Partial<Help> {
  const placeholders = (usage: string) =>
    usage.replace("[options]", `[${help.options}]`).replace("[command]", `[${help.command}]`);
  return {
    styleTitle: (title) => translate.text(title),
    styleUsage: placeholders,
    styleSubcommandTerm: placeholders,
    styleOptionDescription: (description) =>
      description.replace(/ \(default: (.*)\)$/, (_, value: string) => help.defaultValue(value)),
    displayWidth: widthOf,
    boxWrap: (text, width) =>
      text
        .split("\n")
        .map((line) => wrapLine(line, width))
        .join("\n"),
  };
}

function wrapLine(line: string, width: number): string {
  const pieces = line.match(PIECE) ?? [];
  // What is made otherwise is not touched.
  if (pieces.join("") !== line) return line;
  const lines: string[] = [];
  let open = "";
  for (const piece of pieces) {
    if (open !== "" && widthOf(open + piece) > width) {
      lines.push(open);
      open = piece.trimStart();
    } else {
      open += piece;
    }
  }
  return [...lines, open].join("\n");
}
