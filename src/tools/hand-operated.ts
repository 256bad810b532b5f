import { parseCommandLine } from "../permissions/shell-grammar.js";
import { literalOf } from "../permissions/shell-words.js";
import { baseName } from "../permissions/wrappers.js";

/** Editors that fill a screen. Without a terminal some of them wait for ever. */
const EDITORS: ReadonlySet<string> = new Set(
  "vi vim nvim vimdiff view gvim nano pico emacs emacsclient joe ne micro hx helix kak mcedit".split(" "),
);

/** Options with which an editor works through a script, or only tells something. */
const BATCH_OPTION =
  /^(-es|-Es|-e|-E|-s|-c|-S|-l|--?batch|--?script|--headless|--cmd|--eval|--?version|--?help|-h|\+.*)$/;

/** Why a command line is not worth running: it starts an editor that only a person can operate. */
export function handOperated(command: string): string | undefined {
  for (const { words } of parseCommandLine(command).commands) {
    const [name, ...rest] = words;
    const program = baseName(name);
    const isBatch = rest.some((word) => BATCH_OPTION.test(literalOf(word) ?? ""));
    if (EDITORS.has(program) && !isBatch) {
      return `${program} is operated by hand, and there is no terminal here. Use edit_file or write_file.`;
    }
  }
  return undefined;
}
