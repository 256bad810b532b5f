import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CliPlace } from "../helpers/run-cli.js";
import { CLI_ENTRY } from "../helpers/run-cli.js";

export interface DescribedCommand {
  /** Behind `mini-cc`; none for mini-cc itself. */
  words: readonly string[];
  help: string;
  examples: readonly string[];
  /** It has commands of its own, one of which may be meant without being named. */
  isGroup: boolean;
}

/** The names in the list of commands that a help text holds. */
export function commandsIn(help: string): string[] {
  return section(help, "Commands").flatMap((line) => /^ {2}([a-z]+)/.exec(line)?.[1] ?? []);
}

/** Every command that the built program shows in its help, from that help. */
export function allCommands(): DescribedCommand[] {
  function describe(words: readonly string[]): DescribedCommand[] {
    const help = execFileSync(process.execPath, [CLI_ENTRY, ...words, "--help", "--lang", "en"], {
      encoding: "utf8",
    });
    const names = commandsIn(help);
    const examples = section(help, "Examples").map((line) => line.trim());
    const described = { words, help, examples, isGroup: names.length > 0 };
    return [described, ...names.flatMap((name) => describe([...words, name]))];
  }
  return describe([]);
}

/** The lines below a heading, up to an empty line. */
function section(help: string, heading: string): string[] {
  const lines = help.split("\n");
  const begin = lines.indexOf(`${heading}:`);
  if (begin === -1) return [];
  const end = lines.indexOf("", begin);
  return lines.slice(begin + 1, end === -1 ? undefined : end);
}

/** A PATH on which a shell finds `mini-cc`. */
export function pathWithCommand(place: CliPlace): string {
  const bin = join(place.home, "bin");
  mkdirSync(bin, { recursive: true });
  const path = join(bin, "mini-cc");
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${CLI_ENTRY}" "$@"\n`);
  chmodSync(path, 0o755);
  return `${bin}:${place.env["PATH"] ?? ""}`;
}
