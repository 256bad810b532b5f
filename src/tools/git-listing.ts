import { runHelper } from "../processes/run-helper.js";
import { errorCode } from "./tool-failure.js";

export interface GitAccess {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

export interface GitEntries {
  /** Paths below the folder that are on the disk: tracked, or new and not ignored. Links among them. */
  files: string[];
  /** Repositories within the repository, of which git lists nothing. */
  repositories: string[];
  /** Ignored entries; folders end in "/". */
  ignored: string[];
  /** Folders that may not be read. */
  unreadable: string[];
}

const GIT_TIMEOUT_MS = 20_000;

/** What git knows below a folder; undefined if the folder is in no repository, or git fails or is missing. */
export async function gitEntries(
  folder: string,
  exclude: readonly string[],
  access: GitAccess,
): Promise<GitEntries | undefined> {
  const rules = ["--exclude-standard", ...exclude.map((name) => `--exclude=${name}`)];
  const [entries, ignored] = await Promise.all([
    runGit(folder, ["ls-files", "-z", "-t", "-s", "--cached", "--others", "--deleted", ...rules], access),
    runGit(folder, ["ls-files", "-z", "--others", "--ignored", "--directory", ...rules], access),
  ]);
  if (entries === undefined || ignored === undefined) return undefined;
  const present = new Set<string>();
  const absent = new Set<string>();
  const repositories = new Set<string>();
  for (const entry of entries.listed) {
    const { tag = "", mode, path = "" } = ENTRY.exec(entry)?.groups ?? {};
    // R: deleted from the disk. S: left out by a sparse checkout.
    if (tag === "R" || tag === "S") absent.add(path);
    else if (mode === SUBMODULE) repositories.add(path);
    else if (path.endsWith("/")) repositories.add(path.slice(0, -1));
    else present.add(path);
  }
  return {
    files: [...present].filter((path) => !absent.has(path)),
    repositories: [...repositories].filter((path) => !absent.has(path)),
    ignored: ignored.listed,
    unreadable: Array.from(entries.warnings.matchAll(UNREADABLE), ([, path = ""]) => path),
  };
}

const UNREADABLE = /^warning: could not open directory '(.*?)\/?':/gm;

/** A tag; of what is tracked also mode, object and stage; the path. */
const ENTRY = /^(?<tag>.) (?:(?<mode>\d{6}) [0-9a-f]+ \d\t)?(?<path>[^]*)$/;
const SUBMODULE = "160000";

/** Where in its repository a folder is, "" for the root; undefined outside of any. */
export async function placeInRepository(folder: string, access: GitAccess): Promise<string | undefined> {
  const prefix = await runGit(folder, ["rev-parse", "--show-prefix"], access);
  return prefix?.listed.join("").trim();
}

export async function isIgnoredByGit(folder: string, name: string, access: GitAccess): Promise<boolean> {
  const found = await runGit(folder, ["check-ignore", "--", `./${name}`], access);
  return found !== undefined && found.listed.length > 0;
}

/** Whether the repository keeps some state of the file. */
export async function isTracked(folder: string, name: string, access: GitAccess): Promise<boolean> {
  const found = await runGit(folder, ["ls-files", "-z", "--cached", "--", `:(literal)${name}`], access);
  return found !== undefined && found.listed.length > 0;
}

/** Files that the repository holds although its rules ignore them. */
export async function trackedThoughIgnored(folder: string, access: GitAccess): Promise<string[]> {
  const found = await runGit(
    folder,
    ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
    access,
  );
  return found?.listed ?? [];
}

/**
 * A repository comes from anywhere, and looking at it must run nothing that it names: no monitor program, no bare
 * repository planted in a folder, and (in the environment below) no transport that fetches missing objects.
 */
const GIT_SETTINGS = ["core.fsmonitor=false", "core.untrackedCache=false", "safe.bareRepository=explicit"];

/** The NUL-separated output of a read-only git command; undefined if git fails or is missing. */
async function runGit(
  cwd: string,
  args: readonly string[],
  { env, signal }: GitAccess,
): Promise<{ listed: string[]; warnings: string } | undefined> {
  const chunks: Buffer[] = [];
  try {
    const { code, stderr } = await runHelper({
      argv: ["git", ...GIT_SETTINGS.flatMap((setting) => ["-c", setting]), ...args],
      cwd,
      env: gitEnvironment(env),
      signal,
      timeoutMs: GIT_TIMEOUT_MS,
      onStdout: (chunk) => {
        chunks.push(chunk);
        return true;
      },
    });
    // check-ignore ends with 1 if nothing is ignored.
    if (code !== 0 && code !== 1) return undefined;
    const entries = Buffer.concat(chunks).toString("utf8").split("\0");
    return { listed: entries.filter((entry) => entry !== ""), warnings: stderr };
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "EACCES") return undefined;
    throw error;
  }
}

/** Without variables that point git at another repository or make it run something. */
function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}
