import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, messageOf, UserError } from "../errors.js";
import type { ConfigWarning } from "./read-config-file.js";
import type { Folders } from "./state-folders.js";

export const PROJECT_FILE_NAME = ".mini-cc.json";

/** Names that people expect to be read. */
const NEAR_PROJECT_FILE = [
  "mini-cc.json",
  ".mini-cc.jsonc",
  "mini-cc.config.json",
  join(".mini-cc", "config.json"),
];
const NEAR_USER_FILE = ["config.jsonc", PROJECT_FILE_NAME, "mini-cc.json", "mini-cc.config.json"];

interface FoundFiles {
  userFile: string | undefined;
  /** In a folder whose links were followed; the nearest one. */
  projectFile: string | undefined;
  /** One for each file beside a place where we look whose name is almost right. */
  warnings: ConfigWarning[];
}

/**
 * The user's file, and the project's in the workspace or, inside a repository, in a folder above it up to the
 * repository's root. Throws a UserError if the workspace is not a folder.
 */
export async function findConfigFiles(
  workspace: string,
  folders: Folders,
  homeDir: string | undefined,
): Promise<FoundFiles> {
  const searched = await foldersUpToRepository(workspace);
  const userFile = (await exists(folders.userFile)) ? folders.userFile : undefined;
  const candidates = searched.map((folder) => join(folder, PROJECT_FILE_NAME));
  const projectFile = (await existing(candidates)).at(0);

  const near = [
    ...searched.flatMap((folder) => NEAR_PROJECT_FILE.map((name) => join(folder, name))),
    ...NEAR_USER_FILE.map((name) => join(folders.config, name)),
    ...(homeDir && !userFile ? [join(homeDir, PROJECT_FILE_NAME)] : []),
  ];
  const read = await Promise.all([userFile, projectFile].map(linkTarget));
  const warnings: ConfigWarning[] = [];
  for (const path of await existing([...new Set(near)])) {
    const target = await linkTarget(path);
    if (read.includes(target) || candidates.includes(path)) continue;
    warnings.push({
      code: "config-not-read",
      text: `${path} is not read; the names are ${PROJECT_FILE_NAME} in the project and ${folders.userFile} for the user.`,
    });
  }
  // A link from the project to the user's file would give it the project's precedence.
  const isUserFile = projectFile !== undefined && read[0] === read[1];
  return { userFile, projectFile: isUserFile ? undefined : projectFile, warnings };
}

/**
 * The workspace and the folders above it up to the one with `.git`; without a repository the workspace alone. Real
 * paths. Throws a UserError if the workspace is not a folder.
 */
export async function foldersUpToRepository(workspace: string): Promise<string[]> {
  const start = await realFolder(workspace);
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await exists(join(folder, ".git"))) return folders;
    if (folder === dirname(folder)) return [start];
  }
}

async function realFolder(workspace: string): Promise<string> {
  try {
    const real = await realpath(workspace);
    if (!(await lstat(real)).isDirectory()) throw new Error("it is not a folder");
    return real;
  } catch (cause) {
    throw new UserError(`The folder ${workspace} cannot be used: ${messageOf(cause)}`, {
      code: "workspace-invalid",
      hint: "Name an existing folder with --cwd.",
      exitCode: EXIT.usage,
      cause,
    });
  }
}

async function existing(paths: string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(exists));
  return paths.filter((_, index) => found[index]);
}

/** Only certain absence counts as absent: a file that cannot be looked at is then read, and the failure is told. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

async function linkTarget(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await realpath(path);
  } catch {
    // A link to nowhere; reading it reports that.
    return path;
  }
}
