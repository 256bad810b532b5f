import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { LoadedConfig } from "../config/load-config.js";
import { loadConfig } from "../config/load-config.js";
import { EXIT, UserError } from "../errors.js";
import { isReadOnlyDefault } from "../permissions/command-rules.js";
import type { Messages } from "./messages/catalogue.js";
import type { CommandContext, CommonOptions } from "./program.js";

/** What every command begins with. */
export interface Start {
  loaded: LoadedConfig;
  /** Real path of the workspace. */
  workspaceRoot: string;
  /** In the language that flag, environment, configuration and locale agree on. */
  messages: Messages;
}

/** Finds the workspace and reads the configuration; throws UserError (exit 2) for a mistake in either. */
export async function start({ options, messagesFor }: CommandContext): Promise<Start> {
  const workspaceRoot = await workspace(options);
  const loaded = await loadConfig({
    flags: options,
    workspace: workspaceRoot,
    isReadOnlyDefault,
    env: process.env,
    homeDir: homeFolder(),
    platform: process.platform,
  });
  return { loaded, workspaceRoot, messages: await messagesFor(loaded.config.language) };
}

/** Undefined where the system knows none. */
export function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Real path of `--cwd` or the current folder. Throws UserError. */
export async function workspace({ cwd }: CommonOptions): Promise<string> {
  const folder = resolve(currentFolder(), cwd ?? ".");
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return realpath(folder);
  throw new UserError(found ? `${folder} is not a folder` : `there is no folder ${folder}`, {
    code: "no-workspace",
    hint: "Give an existing folder with --cwd",
    exitCode: EXIT.usage,
  });
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new UserError("the current folder does not exist any more", {
      code: "no-workspace",
      hint: "Change to another folder and start again",
      exitCode: EXIT.usage,
      cause,
    });
  }
}
