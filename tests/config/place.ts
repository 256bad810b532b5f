import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { UserError } from "../../src/errors.js";
import { loadConfig } from "../../src/config/load-config.js";
import type { LoadConfigInput, LoadedConfig } from "../../src/config/load-config.js";

const READ_ONLY = ["ls", "cat", "git status"];

/** A home folder and a repository in a temporary folder that is removed after the test. */
export async function makePlace() {
  const root = await makeFolder();
  const home = join(root, "home");
  const repository = join(root, "repository");
  await mkdir(join(repository, ".git"), { recursive: true });
  await mkdir(home);

  const write = async (path: string, content: string | Uint8Array): Promise<string> => {
    const absolute = join(root, path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, content);
    return absolute;
  };
  const writeJson = (path: string, value: unknown): Promise<string> => write(path, JSON.stringify(value));
  return {
    root,
    home,
    repository,
    stateFolder: join(home, ".local", "state", "mini-cc"),
    write,
    user: (value: unknown) => writeJson("home/.config/mini-cc/config.json", value),
    project: (value: unknown) => writeJson("repository/.mini-cc.json", value),
    load: (input: Partial<LoadConfigInput> = {}): Promise<LoadedConfig> =>
      loadConfig({
        flags: {},
        env: {},
        workspace: repository,
        homeDir: home,
        platform: "linux",
        isReadOnlyDefault: (entry) => READ_ONLY.includes(entry),
        ...input,
      }),
  };
}

export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mini-cc-config-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<UserError> {
  try {
    await promise;
  } catch (error) {
    return error as UserError;
  }
  throw new Error("nothing was thrown");
}
