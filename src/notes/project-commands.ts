import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { readPlainText } from "./read-plain-text.js";

/** A kind of file that tells how a project is built and tested. */
interface CommandSource {
  /** By precedence; the first that is there counts. */
  files: readonly string[];
  /** `has`: whether a file of that name lies beside it. */
  commands: (text: string, has: (name: string) => boolean) => string[];
}

/** The names that newcomers look for come first. */
const USUAL = ["build", "test", "lint", "check", "typecheck", "types", "format", "fmt", "dev", "start"];
/** Of one source: notes are read in every session, so they stay short. */
const MOST = 10;
/** A name that needs no quotes in a shell. */
const PLAIN = /^[\w][\w.:@/-]*$/;
/** npm runs these by itself. */
const LIFECYCLE = /^(pre|post)(?!view)|^prepare$|^prepublishOnly$/;

const SOURCES: readonly CommandSource[] = [
  { files: ["package.json"], commands: packageCommands },
  {
    files: ["deno.json", "deno.jsonc"],
    commands: (text) => usualFirst(keysOf(parse(text), "tasks")).map((name) => `deno task ${name}`),
  },
  { files: ["pyproject.toml"], commands: pythonCommands },
  { files: ["tox.ini"], commands: () => ["tox"] },
  { files: ["noxfile.py"], commands: () => ["nox"] },
  {
    files: ["Cargo.toml"],
    commands: () => ["cargo build", "cargo test", "cargo clippy", "cargo fmt --check"],
  },
  { files: ["go.mod"], commands: () => ["go build ./...", "go test ./...", "go vet ./..."] },
  { files: ["pom.xml"], commands: (_, has) => [`${has("mvnw") ? "./mvnw" : "mvn"} test`] },
  {
    files: ["build.gradle", "build.gradle.kts"],
    commands: (_, has) =>
      ["build", "test"].map((task) => `${has("gradlew") ? "./gradlew" : "gradle"} ${task}`),
  },
  {
    files: ["CMakeLists.txt"],
    commands: () => ["cmake -B build", "cmake --build build", "ctest --test-dir build"],
  },
  {
    files: ["composer.json"],
    commands: (text) => [
      "composer install",
      ...usualFirst(keysOf(parse(text), "scripts")).map((name) => `composer run ${name}`),
    ],
  },
  { files: ["Gemfile"], commands: (_, has) => ["bundle install", ...(has("Rakefile") ? ["rake -T"] : [])] },
  { files: ["mix.exs"], commands: () => ["mix deps.get", "mix test"] },
  { files: ["Package.swift"], commands: () => ["swift build", "swift test"] },
  {
    files: ["GNUmakefile", "makefile", "Makefile"],
    commands: (text) => usualFirst(makeTargets(text)).map((name) => `make ${name}`),
  },
  {
    files: ["justfile", "Justfile"],
    commands: (text) => usualFirst(recipes(text)).map((name) => `just ${name}`),
  },
  {
    files: ["Taskfile.yml", "Taskfile.yaml"],
    commands: (text) => usualFirst(tasks(text)).map((name) => `task ${name}`),
  },
];

/** Bytes of a file that commands are looked for in. */
const MAX_BYTES = 256 * 1024;

/** The commands by which a project is built, tested and run, as the files of its folder tell them; nothing is run. */
export async function projectCommands(folder: string): Promise<string[]> {
  const names = new Set(await readdir(folder));
  const commands: string[] = [];
  for (const source of SOURCES) {
    const file = source.files.find((name) => names.has(name));
    const text = file === undefined ? undefined : await textOf(folder, file);
    if (text === undefined) continue;
    commands.push(...source.commands(text, (name) => names.has(name)).slice(0, MOST));
  }
  return [...new Set(commands)];
}

/** Undefined if it cannot be read. */
async function textOf(folder: string, name: string): Promise<string | undefined> {
  const found = await readPlainText(join(folder, name), { within: folder, maxBytes: MAX_BYTES });
  return found.kind === "text" ? found.text : undefined;
}

function packageCommands(text: string, has: (name: string) => boolean): string[] {
  const content: unknown = parse(text);
  const stated = valueOf(content, "packageManager");
  const named = typeof stated === "string" ? /^(npm|pnpm|yarn|bun)\b/.exec(stated)?.[1] : undefined;
  const locked = has("pnpm-lock.yaml")
    ? "pnpm"
    : has("yarn.lock")
      ? "yarn"
      : has("bun.lock") || has("bun.lockb")
        ? "bun"
        : "npm";
  const manager = named ?? locked;
  const scripts = keysOf(content, "scripts").filter((name) => !LIFECYCLE.test(name));
  return [
    `${manager} install`,
    ...usualFirst(scripts).map((name) =>
      name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${name}`,
    ),
  ];
}

function pythonCommands(text: string, has: (name: string) => boolean): string[] {
  const content = text.replace(/^\s*#.*$/gm, "");
  const [install, prefix] = has("uv.lock")
    ? ["uv sync", "uv run "]
    : has("poetry.lock") || content.includes("[tool.poetry")
      ? ["poetry install", "poetry run "]
      : has("pdm.lock")
        ? ["pdm install", "pdm run "]
        : ["pip install -e .", ""];
  const programs = { pytest: "pytest", ruff: "ruff check .", mypy: "mypy .", black: "black --check ." };
  const used = Object.entries(programs).filter(([name]) => new RegExp(`\\b${name}\\b`).test(content));
  return [install, ...used.map(([, command]) => prefix + command)];
}

/** Those that are declared phony, if any are; else all that are no files by their look. */
function makeTargets(text: string): string[] {
  const lines = text.replace(/\\\r?\n/g, " ").split(/\r?\n/);
  const phony = lines.flatMap((line) => /^\.PHONY\s*:(.*)/.exec(line)?.[1]?.trim().split(/\s+/) ?? []);
  if (phony.length > 0) return phony;
  return lines.flatMap((line) => /^([a-zA-Z][\w-]*)\s*:(?!=)/.exec(line)?.[1] ?? []);
}

function recipes(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => /^@?([a-zA-Z][\w-]*)(?:\s[^:]*)?:(?!=)/.exec(line)?.[1] ?? []);
}

function tasks(text: string): string[] {
  const [, list = ""] = /^tasks:[^\n]*\n((?:[ \t#].*(?:\n|$)|\r?\n)*)/m.exec(text) ?? [];
  const indent = /^( +)\S/m.exec(list)?.[1] ?? "  ";
  return list.split("\n").flatMap((line) => {
    const name = /^([\w][\w.:-]*):(\s|$)/.exec(line.slice(indent.length))?.[1];
    return name !== undefined && line.startsWith(indent) ? [name] : [];
  });
}

function usualFirst(names: readonly string[]): string[] {
  const rank = (name: string) => (USUAL.includes(name) ? USUAL.indexOf(name) : USUAL.length);
  return [...new Set(names)].filter((name) => PLAIN.test(name)).sort((a, b) => rank(a) - rank(b));
}

function keysOf(content: unknown, key: string): string[] {
  const value = valueOf(content, key);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function valueOf(content: unknown, key: string): unknown {
  return typeof content === "object" && content !== null
    ? (content as Record<string, unknown>)[key]
    : undefined;
}
