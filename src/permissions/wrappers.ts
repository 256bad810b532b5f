import { NEUTRAL_VARIABLES, matchesName } from "./defaults.js";
import { literalOf } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";

interface Wrapper {
  /** Options without a value. */
  flags?: RegExp;
  /** Options whose value is the next word. */
  valued?: RegExp;
  /** Words between the options and the command, such as a duration. */
  skip?: number;
  /** `NAME=value` words before the command. */
  assignments?: true;
  /** The command gets further operands from standard input. */
  addsOperands?: true;
}

/** Programs that run the rest of their words as a command, with the options that are known to change nothing else. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { assignments: true },
  nice: { flags: /^(-\d+|--adjustment=-?\d+|-n-?\d+)$/, valued: /^(-n|--adjustment)$/ },
  nohup: {},
  setsid: { flags: /^(-w|--wait)$/ },
  stdbuf: { flags: /^-[ioe][0LKMG\d]+$/, valued: /^-[ioe]$/ },
  time: { flags: /^-p$/ },
  timeout: {
    flags: /^(--preserve-status|--foreground|-v|--verbose|--(kill-after|signal)=\w+|-[ks]\w+)$/,
    valued: /^(-k|-s|--kill-after|--signal)$/,
    skip: 1,
  },
  command: {},
  builtin: {},
  sudo: {},
  doas: {},
  xargs: {
    flags: /^(-0|-r|-t|-x|--null|--no-run-if-empty|--verbose|-[nPL]\d+|--max-(args|procs|lines)=\d+)$/,
    valued: /^(-n|-P|-L|--max-args|--max-procs|--max-lines)$/,
    addsOperands: true,
  },
};

/** Wrappers that are never understood well enough to run unasked; their words are still searched for harm. */
const OPAQUE_WRAPPERS: ReadonlySet<string> = new Set(
  "su ionice chrt taskset flock chroot unshare nsenter watch strace ltrace gdb parallel script exec busybox setpriv runuser systemd-run pkexec".split(
    " ",
  ),
);

/** Shells whose `-c` text bash's grammar describes. */
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ksh", "zsh", "ash"]);

export type Wrapped =
  | { kind: "none" }
  /** `words[at]` and what follows is the command. */
  | { kind: "command"; at: number; addsOperands: boolean }
  /** `bash -c TEXT` and nothing else. */
  | { kind: "script"; text: string }
  | { kind: "opaque"; because: string };

/** Whether a command runs another one that its words hold, and which. */
export function unwrap(words: readonly ShellWord[]): Wrapped {
  const name = literalOf(words[0]) ?? "";
  if (SHELLS.has(name)) return unwrapShell(name, words);
  if (OPAQUE_WRAPPERS.has(name))
    return { kind: "opaque", because: `${name} runs other commands in its own way` };
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return { kind: "none" };
  // `command -v name` only looks a name up.
  if (name === "command" && /^-[vV]$/.test(literalOf(words[1]) ?? "")) return { kind: "none" };

  let at = 1;
  for (; at < words.length; at++) {
    const text = literalOf(words[at]);
    if (text === undefined) return { kind: "opaque", because: `a word of ${name} is computed` };
    if (wrapper.assignments && /^\w+=/.test(text)) {
      const variable = text.slice(0, text.indexOf("="));
      if (matchesName(NEUTRAL_VARIABLES, variable)) continue;
      return { kind: "opaque", because: `${name} sets the variable "${variable}"` };
    }
    if (!text.startsWith("-")) break;
    if (wrapper.valued?.test(text)) at++;
    else if (!wrapper.flags?.test(text)) {
      return { kind: "opaque", because: `the option "${text}" of ${name} is not known to be harmless` };
    }
  }
  at += wrapper.skip ?? 0;
  if (at >= words.length) return { kind: "opaque", because: `${name} names no command` };
  return { kind: "command", at, addsOperands: wrapper.addsOperands === true };
}

function unwrapShell(name: string, words: readonly ShellWord[]): Wrapped {
  const [option, text, ...more] = words.slice(1).map(literalOf);
  if (option === "-c" && text !== undefined && more.length === 0) {
    return name === "zsh"
      ? { kind: "opaque", because: "zsh has a grammar of its own" }
      : { kind: "script", text };
  }
  if (option === undefined || option.startsWith("-")) {
    return { kind: "opaque", because: `${name} takes its commands from a place that cannot be checked` };
  }
  return { kind: "none" };
}

/** A wrapper with more words is not searched; see `hidesTooWell`. */
const MOST_PLACES = 500;

/** Every reading of the words as a command that would run, for those who look for harm; the first is the line itself. */
export function possibleCommands(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  if (!hidesCommand(words) || words.length > MOST_PLACES) return [words];
  return [words, ...words.slice(1).map((_, at) => words.slice(at + 1))];
}

/** Whether a wrapper has more words than are searched. */
export function hidesTooWell(words: readonly ShellWord[]): boolean {
  return words.length > MOST_PLACES && hidesCommand(words);
}

function hidesCommand(words: readonly ShellWord[]): boolean {
  const name = baseName(words[0]);
  return Object.hasOwn(WRAPPERS, name) || OPAQUE_WRAPPERS.has(name) || name === "find" || name === "fd";
}

/** Texts among the words that a shell would run: `-c TEXT`, `eval`, `trap`. */
export function hiddenScripts(words: readonly ShellWord[]): string[] {
  const name = baseName(words[0]);
  const texts = words.slice(1).map(literalOf);
  if (name === "eval") return [texts.map((text) => text ?? '""').join(" ")];
  if (name === "trap") return texts.slice(0, 1).filter((text) => text !== undefined);
  if (!SHELLS.has(name) && !["su", "script", "watch", "runuser", "flock"].includes(name)) return [];
  if (name === "watch") return [texts.map((text) => text ?? '""').join(" ")];
  const at = texts.findIndex((text) => text !== undefined && /^-[a-z]*c$|^--command$/i.test(text));
  return at === -1 ? [] : texts.slice(at + 1).filter((text) => text !== undefined);
}

/** Whether a shell reads its commands from a here-document or here-string. */
export function readsScriptFromInput(words: readonly ShellWord[]): boolean {
  return possibleCommands(words).some((command) => SHELLS.has(baseName(command[0])));
}

/** The name without folders and in lower case: harm is looked for whatever the spelling. */
export function baseName(word: ShellWord | undefined): string {
  return (literalOf(word) ?? "").replace(/^.*\//s, "").toLowerCase();
}
