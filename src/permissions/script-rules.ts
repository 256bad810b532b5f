/** Commands of sed that only choose and print lines. */
const SED_PLAIN = /^[pdqQ=nNgGhHxDPl]/;

/**
 * Whether a sed script only selects, prints and substitutes. A short list of known shapes: sed can write files (`w`,
 * `s///w`) and run programs (`e`, `s///e`), so whatever is not recognised is not harmless.
 */
export function isHarmlessSed(script: string): boolean {
  let rest = script;
  for (;;) {
    rest = rest.replace(/^[\s;]+/, "");
    if (rest === "") return true;
    const command = sedCommand(rest.replace(SED_ADDRESS, ""));
    if (command === undefined) return false;
    rest = command;
  }
}

const SED_POINT = /(?:\d+(?:~\d+)?|\$|[+~]\d+|\/(?:[^/\\\n[]|\\.|\[\^?[^\]/\n^][^\]/\n]*\])+\/I?)/.source;
const SED_ADDRESS = new RegExp(`^${SED_POINT}(?:\\s*,\\s*${SED_POINT})?\\s*!?\\s*`);

/** What follows one command; undefined if the command is not known. */
function sedCommand(text: string): string | undefined {
  if (SED_PLAIN.test(text)) return afterCommand(text.slice(1));
  const [, kind, delimiter = ""] = /^([sy])([/|#,:@!%])/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  const pattern = readDelimited(text, 2, delimiter);
  const replacement = pattern === undefined ? undefined : readDelimited(text, pattern.next, delimiter);
  if (pattern === undefined || replacement === undefined) return undefined;
  // Programs differ about a delimiter, or a "]" at the start, inside brackets.
  if (/\[[^\]]*$|\[\^?\]/.test(pattern.value)) return undefined;
  const flags = kind === "s" ? /^[gpiI\d]*/.exec(text.slice(replacement.next))?.[0] : "";
  return afterCommand(text.slice(replacement.next + (flags?.length ?? 0)));
}

function readDelimited(
  text: string,
  start: number,
  delimiter: string,
): { value: string; next: number } | undefined {
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "\n") return undefined;
    else if (text[at] === delimiter) return { value: text.slice(start, at), next: at + 1 };
  }
  return undefined;
}

function afterCommand(rest: string): string | undefined {
  const after = rest.replace(/^[ \t]+/, "");
  return after === "" || /^[;\n]/.test(after) ? after : undefined;
}

/**
 * Whether an awk program only computes and prints. Its ways out are few: redirects, pipes, `getline`, `system`,
 * gawk's `@` directives, and changing the list of files.
 */
export function isHarmlessAwk(program: string): boolean {
  const withoutOr = program.replaceAll("||", "");
  return (
    !/[|>@]/.test(withoutOr) &&
    !/\b(getline|system|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC)\b/.test(withoutOr)
  );
}
