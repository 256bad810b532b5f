import { posix } from "node:path";
import { parseCommandLine } from "./shell-grammar.js";
import type { CommandLine, ShellRedirect, SimpleCommand } from "./shell-grammar.js";
import { WILDCARD, literalOf, spellingsOf } from "./shell-words.js";
import type { KnownValues, ShellWord } from "./shell-words.js";
import { baseName, hiddenScripts, hidesTooWell, possibleCommands, readsScriptFromInput } from "./wrappers.js";

/** What no answer, rule or mode makes run; the user can still do it in a shell of their own. */
interface Harm {
  when: (words: readonly ShellWord[], place: Place) => boolean;
  because: string;
}

interface Place {
  known: KnownValues;
  /** Absolute folders in which the command may run: the workspace, and wherever a `cd` of the line leads. */
  folders: readonly string[];
}

const SYSTEM_FOLDERS = new Set(
  (
    "bin boot dev etc home lib lib32 lib64 opt proc root run sbin srv sys usr var " +
    "Applications Library System Users Volumes private"
  )
    .split(" ")
    .map((name) => `/${name}`),
);
const RAW_DISK = /^\/dev\/(sd[a-z]|hd[a-z]|vd[a-z]|xvd|nvme\d|mmcblk\d|r?disk\d|md\d|dm-\d|loop\d|mapper\/)/;
const MOST_NESTING = 8;
const MOST_FOLDERS = 32;

const HARMS: readonly Harm[] = [
  {
    when: hidesTooWell,
    because: "it hides another command among too many words",
  },
  {
    when: (words, place) =>
      ["rm", "chmod", "chown", "chgrp"].includes(baseName(words[0])) &&
      words.some(isRecursive) &&
      words.slice(1).some((word) => namesVitalFolder(word, place)),
    because: "it changes or deletes a system folder or the home folder with everything in it",
  },
  {
    when: (words, place) =>
      baseName(words[0]) === "find" &&
      words.some((word) => /^-(delete|exec|execdir|ok|okdir)$/.test(literalOf(word) ?? "")) &&
      words.some((word) => ["-delete", "rm", "shred"].includes(literalOf(word) ?? "")) &&
      words.slice(1).some((word) => namesVitalFolder(word, place)),
    because: "it deletes what is in a system folder or the home folder",
  },
  {
    when: (words, place) =>
      /^(mkfs(\..*)?|mke2fs|mkswap|wipefs|shred|blkdiscard|sgdisk|sfdisk|fdisk|parted)$/.test(
        baseName(words[0]),
      ) && words.slice(1).some((word) => namesRawDisk(word, place)),
    because: "it formats or wipes a disk",
  },
  {
    when: (words, place) =>
      ["dd", "tee", "cp", "mv", "install", "truncate"].includes(baseName(words[0])) &&
      words.slice(1).some((word) => writesRawDisk(baseName(words[0]), word, words, place)),
    because: "it overwrites a disk",
  },
];

/** Why a line must never run, as clauses, with the position of the command that gives each; hidden scripts count too. */
export function findHarm(
  line: CommandLine,
  outer: Place,
  nesting = 0,
): { because: string; command?: number }[] {
  const found: { because: string; command?: number }[] = [];
  const place = { ...outer, folders: [...outer.folders, ...visitedFolders(line, outer)] };
  if (line.forkBomb) found.push({ because: "it starts copies of itself without end" });
  if (line.redirects.some((redirect) => overwritesDisk(redirect, place))) {
    found.push({ because: "it overwrites a disk" });
  }
  line.commands.forEach((command, index) => {
    const readings = possibleCommands(command.words);
    for (const harm of HARMS) {
      if (readings.some((words) => harm.when(words, place))) {
        found.push({ because: harm.because, command: index });
      }
    }
    if (command.redirects.some((redirect) => overwritesDisk(redirect, place))) {
      found.push({ because: "it overwrites a disk", command: index });
    }
    if (nesting >= MOST_NESTING) return;
    for (const script of scriptsOf(command)) {
      const inner = findHarm(parseCommandLine(script), place, nesting + 1);
      found.push(...inner.map(({ because }) => ({ because, command: index })));
    }
  });
  return found;
}

/** Texts that a command hands to a shell: by an option, by `eval`, or as its input. */
export function scriptsOf({ words, redirects }: SimpleCommand): string[] {
  const fed = readsScriptFromInput(words) ? redirects.flatMap(inputText) : [];
  return [...new Set([...possibleCommands(words).flatMap(hiddenScripts), ...fed])];
}

/** Where the `cd` commands of a line lead, one after another. */
function visitedFolders(line: CommandLine, { known, folders }: Place): string[] {
  const visited: string[] = [];
  for (const { words } of line.commands) {
    if (baseName(words[0]) !== "cd") continue;
    const targets =
      words.length === 1 ? [known.homeDir] : words.slice(1).flatMap((word) => spellingsOf(word, known) ?? []);
    const from = [...folders, ...visited].slice(0, MOST_FOLDERS);
    visited.push(...targets.flatMap((target) => from.map((folder) => posix.resolve(folder, target))));
  }
  return [...new Set(visited)].slice(0, MOST_FOLDERS);
}

function isRecursive(word: ShellWord): boolean {
  return /^(-[a-zA-Z]*[rR][a-zA-Z]*|--rec\w*)$/.test(literalOf(word) ?? "");
}

function namesVitalFolder(word: ShellWord, { known, folders }: Place): boolean {
  return (spellingsOf(word, known) ?? []).some((spelling) =>
    folders.some((folder) => {
      // "/etc/*" and "/etc/." are all of /etc; "/*" is every system folder.
      const path = posix.resolve(folder, spelling.replace(new RegExp(`/${WILDCARD}+$`), "/"));
      const everything = new RegExp(`^${WILDCARD}+$`).test(spelling) ? folder : path;
      return everything === "/" || everything === known.homeDir || SYSTEM_FOLDERS.has(everything);
    }),
  );
}

function namesRawDisk(word: ShellWord, { known }: Place, prefix = ""): boolean {
  return (spellingsOf(word, known) ?? []).some(
    (spelling) =>
      spelling.startsWith(prefix) && RAW_DISK.test(posix.normalize(spelling.slice(prefix.length))),
  );
}

function writesRawDisk(program: string, word: ShellWord, words: readonly ShellWord[], place: Place): boolean {
  if (program === "dd") return namesRawDisk(word, place, "of=");
  // Copying from a disk reads it; only the last operand is written.
  return namesRawDisk(word, place) && (program === "tee" || program === "truncate" || word === words.at(-1));
}

function overwritesDisk({ operator, target }: ShellRedirect, place: Place): boolean {
  return operator.includes(">") && target !== undefined && namesRawDisk(target, place);
}

function inputText({ body, target, operator }: ShellRedirect): string[] {
  const text = body ?? (operator === "<<<" ? literalOf(target) : undefined);
  return text === undefined ? [] : [text];
}
