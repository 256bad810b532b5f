import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "../../tools/tool-failure.js";

/**
 * The branch that is checked out in the repository of a folder, or the beginning of the commit; undefined outside of
 * one, and where it cannot be read. Starts no process.
 */
export async function gitBranch(folder: string): Promise<string | undefined> {
  const gitFolder = await findGitFolder(folder);
  const head = gitFolder && (await readText(join(gitFolder, "HEAD")));
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head ?? "")?.[1];
  // A repository with another store of references has a stand-in here.
  if (branch !== undefined) return branch === ".invalid" ? undefined : branch;
  return /^[0-9a-f]{7}/.exec(head ?? "")?.[0];
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, ".git");
    const found = await stat(git).catch(notThere);
    if (found?.isDirectory()) return git;
    // A worktree and a submodule have a file that names the folder.
    const named = found && /^gitdir: (.+)$/m.exec((await readText(git)) ?? "")?.[1];
    if (named !== undefined) return resolve(at, named);
    if (dirname(at) === at) return undefined;
  }
}

function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(notThere);
}

/** What cannot be read is as good as not there. */
function notThere(error: unknown): undefined {
  if (errorCode(error) === undefined) throw error;
}
