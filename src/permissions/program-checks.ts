import type { Arguments, Refusal } from "./program-options.js";
import { literalOf } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";

/** As the place of a refusal: no rule has so many words that it could cover it. */
export const ALWAYS = Infinity;

/** Scripts that are given as words: after one of the options, else the first operand. */
export function checkScripts(
  program: string,
  { options, operands }: Arguments,
  scriptOptions: readonly string[],
  isHarmless: (script: string) => boolean,
): Refusal[] {
  const given = options.filter(({ name }) => scriptOptions.some((known) => known.startsWith(name)));
  const [first] = operands;
  const scripts =
    given.length > 0
      ? given.map(({ value, index }) => ({ text: value, index }))
      : first
        ? [{ text: literalOf(first.word), index: first.index }]
        : [];
  return scripts
    .filter(({ text }) => text === undefined || !isHarmless(text))
    .map(({ index }) => ({ because: `this ${program} script may write files or run programs`, index }));
}

/** Expressions of find that run, delete or write. */
export function checkFind(_: Arguments, words: readonly ShellWord[]): Refusal[] {
  return words.flatMap((word, index) => {
    const text = literalOf(word) ?? "";
    if (/^-(exec|ok)/.test(text)) return [{ because: `"${text}" of find runs a program`, index }];
    if (text === "-delete") return [{ because: '"-delete" of find deletes files', index }];
    if (/^-f(print|ls)/.test(text)) return [{ because: `"${text}" of find writes a file`, index }];
    return text.startsWith("-files0-from")
      ? [{ because: `"${text}" of find reads files that a file names`, index }]
      : [];
  });
}

/** Listing an archive is free; everything else that tar does writes, runs or goes to another machine. */
export function checkTar(_: Arguments, words: readonly ShellWord[]): Refusal[] {
  const refusals = words.slice(1).flatMap((word, at) => {
    const text = literalOf(word) ?? "";
    const isFree =
      at === 0
        ? /^-?[tvzjJ]*t[tvzjJ]*f?$/.test(text) || text === "--list"
        : !text.startsWith("-") || /^(-[vzjJ]*f?|--verbose|--file)$/.test(text);
    const because = text.includes(":") ? "reaches another machine" : "does more than list an archive";
    return isFree && !text.includes(":")
      ? []
      : [{ because: `"${word.text}" of tar ${because}`, index: at + 1 }];
  });
  return words.length > 1 ? refusals : [{ because: "tar has nothing to list", index: ALWAYS }];
}
