import type { Help } from "commander";
import type { Messages } from "./messages/catalogue.js";
import { widthOf, wrap } from "./render/terminal.js";

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
        .flatMap((line) => wrap(line, width))
        .map((row) => row.trimEnd())
        .join("\n"),
  };
}
