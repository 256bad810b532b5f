import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, readdir, realpath, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { messageOf } from "../errors.js";
import { GIT_KEYS_THAT_RUN_PROGRAMS, matchesName } from "./defaults.js";
import { isSecretPath, writeProtection } from "./protected-paths.js";
import { WILDCARD } from "./shell-words.js";
import { isInside, resolvePath } from "./workspace-paths.js";

/** One file that a word of a command can mean. */
export interface FileFact {
  /** Relative to the workspace, or absolute outside of it. */
  display: string;
  inside: boolean;
  secret: boolean;
  protection: "deny" | "ask" | undefined;
  /** Why it cannot be followed; the other facts then mean nothing. */
  refused?: string;
}

/** Where a bare name leads on PATH. */
type ProgramFact =
  | { kind: "missing" }
  | { kind: "found"; file: string; insideWorkspace: boolean }
  /** PATH has an entry that depends on the current folder, before or where the program was found. */
  | { kind: "relative" };

/** Keys of the repository's configuration that run programs; a text if they could not be read. */
type GitFact = { keys: readonly string[] } | { unknown: string };

/** What the disk says about a command line; the policy decides over this and never looks itself. */
export interface CommandFacts {
  files: ReadonlyMap<string, readonly FileFact[]>;
  programs: ReadonlyMap<string, ProgramFact>;
  git: GitFact;
}

export interface FactQuestions {
  /** Spellings of words as paths, with WILDCARD for what matches file names. */
  paths: ReadonlySet<string>;
  programs: ReadonlySet<string>;
  /** Folders (as written) to which the line changes. */
  folders: readonly string[];
  usesGit: boolean;
}

export interface FactPlace {
  workspaceRoot: string;
  homeDir: string;
  pathVariable: string;
}

/** More matches of a pattern than this are not looked at; the pattern then counts as unsafe. */
const MOST_MATCHES = 5000;
/** Milliseconds; reading a configuration takes a few. */
const GIT_TIMEOUT = 3000;

export async function gatherFacts(questions: FactQuestions, place: FactPlace): Promise<CommandFacts> {
  const root = place.workspaceRoot;
  const visited = await Promise.all(questions.folders.map((folder) => physicalPath(root, folder)));
  const folders = [root, ...visited.filter((folder) => folder !== undefined)];

  const files = new Map<string, readonly FileFact[]>();
  for (const path of questions.paths) {
    const facts = await Promise.all(folders.map((folder) => fileFacts(root, folder, path)));
    files.set(path, facts.flat());
  }
  const programs = new Map<string, ProgramFact>();
  for (const name of questions.programs) programs.set(name, await findProgram(name, place));

  const git = questions.usesGit ? await gitFacts(folders, place) : { keys: [] };
  return { files, programs, git };
}

async function fileFacts(root: string, folder: string, spelling: string): Promise<FileFact[]> {
  const at = spelling.split("/").findIndex((name) => name.includes(WILDCARD));
  if (at !== -1) {
    const matches = await expandPattern(root, folder, spelling.split("/"), at);
    if (matches === undefined) {
      return [
        unsafe(
          spelling.replaceAll(WILDCARD, "*"),
          `"${spelling.replaceAll(WILDCARD, "*")}" matches too many files, or files outside`,
        ),
      ];
    }
    return (await Promise.all(matches.map((match) => fileFacts(root, folder, match)))).flat();
  }
  // The kernel follows a link before "..", many programs take ".." from the text: both readings count.
  const readings = new Set([resolve(folder, spelling)]);
  if (/(^|\/)\.\.(\/|$)/.test(spelling)) {
    const physical = await physicalPath(folder, spelling);
    if (physical !== undefined) readings.add(physical);
  }
  const facts: FileFact[] = [];
  for (const reading of readings) {
    const path = await resolvePath(root, reading);
    if ("refused" in path) {
      if (path.kind === "unsafe") facts.push(unsafe(spelling, path.refused));
      continue;
    }
    const names = [path.display, path.real, reading];
    const inner = isInside(root, reading) ? reading.slice(root.length) : "";
    const levels = [path.inside ? path.display : "", inner].map(writeProtection);
    facts.push({
      display: path.display,
      inside: path.inside,
      secret: names.some(isSecretPath),
      protection: levels.find((level) => level === "deny") ?? levels.find((level) => level === "ask"),
    });
  }
  return facts;
}

function unsafe(display: string, refused: string): FileFact {
  return { display, inside: false, secret: false, protection: undefined, refused };
}

/** What the kernel makes of a path: links are followed before ".." is. Undefined if it leads nowhere. */
async function physicalPath(folder: string, path: string): Promise<string | undefined> {
  let current = isAbsolute(path) ? "/" : folder;
  for (const name of path.split("/")) {
    if (name === "..") {
      const real = await realpath(current).catch(() => undefined);
      if (real === undefined) return undefined;
      current = dirname(real);
    } else {
      current = join(current, name);
    }
  }
  return current;
}

/** The paths that a pattern can match. Rather more than bash would find: brackets count as any text. */
async function expandPattern(
  root: string,
  folder: string,
  names: readonly string[],
  at: number,
): Promise<string[] | undefined> {
  const before = names.slice(0, at).join("/");
  const start = names[0] === "" && before === "" ? "/" : before || ".";
  const resolved = await resolvePath(root, (await physicalPath(folder, start)) ?? resolve(folder, start));
  if ("refused" in resolved) return resolved.kind === "impossible" ? [] : undefined;
  if (!resolved.inside) return undefined;
  if (resolved.kind !== "directory") return [];

  const pattern = names[at] ?? "";
  const matcher = new RegExp(`^${pattern.split(WILDCARD).map(escapeRegExp).join(".*")}$`, "s");
  const entries = [".", "..", ...(await readdir(resolved.real))].filter(
    (entry) => matcher.test(entry) && (pattern.startsWith(".") || !entry.startsWith(".")),
  );
  const rest = names.slice(at + 1);
  const next = rest.findIndex((name) => name.includes(WILDCARD));
  const found: string[] = [];
  for (const entry of entries) {
    const path = [...names.slice(0, at), entry, ...rest];
    const deeper = next === -1 ? [path.join("/")] : await expandPattern(root, folder, path, at + 1 + next);
    if (deeper === undefined) return undefined;
    found.push(...deeper);
    if (found.length > MOST_MATCHES) return undefined;
  }
  return found;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

async function findProgram(name: string, place: FactPlace): Promise<ProgramFact> {
  for (const folder of place.pathVariable.split(delimiter)) {
    if (!isAbsolute(folder)) return { kind: "relative" };
    const file = join(folder, name);
    const isProgram = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (!isProgram) continue;
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isExecutable) continue;
    const real = await realpath(file);
    const insideWorkspace = [file, real].some((path) => isInside(place.workspaceRoot, path));
    return { kind: "found", file, insideWorkspace };
  }
  return { kind: "missing" };
}

async function gitFacts(folders: readonly string[], place: FactPlace): Promise<GitFact> {
  const git = await findProgram("git", place);
  // Then the line asks anyway, or git cannot run.
  if (git.kind !== "found" || git.insideWorkspace) return { keys: [] };
  const listings = await Promise.all(
    folders.flatMap((folder) =>
      ["--local", "--worktree"].map((scope) => listGitKeys(git.file, folder, scope, place)),
    ),
  );
  const keys = new Set<string>();
  for (const listed of listings) {
    if ("unknown" in listed) return listed;
    for (const key of listed.keys) if (matchesName(GIT_KEYS_THAT_RUN_PROGRAMS, key)) keys.add(key);
  }
  return { keys: [...keys] };
}

/** `git config --list` itself runs nothing that a repository configures. */
function listGitKeys(git: string, folder: string, scope: string, place: FactPlace): Promise<GitFact> {
  const args = ["-C", folder, "config", "--list", "--includes", "--name-only", "-z", scope];
  const env = { PATH: place.pathVariable, HOME: place.homeDir, LC_ALL: "C" };
  return new Promise((settle) => {
    execFile(git, args, { env, timeout: GIT_TIMEOUT, encoding: "utf8" }, (error, stdout, stderr) => {
      if (error === null) settle({ keys: stdout.split("\0").filter((key) => key !== "") });
      // No repository, so no configuration of one.
      else if (/only be used inside a git repository|not a git repository/.test(stderr)) settle({ keys: [] });
      // Without the extension there is no file of the worktree; it is the local one, which was read.
      else if (/cannot be used with multiple working trees/.test(stderr)) settle({ keys: [] });
      else settle({ unknown: stderr.trim() || messageOf(error) });
    });
  });
}
