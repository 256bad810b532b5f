import path from "node:path";
import { EXIT, UserError } from "../errors.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface FolderInput {
  env: Environment;
  /** From os.homedir(); undefined or empty if there is none. */
  homeDir: string | undefined;
  platform: NodeJS.Platform;
}

export interface Folders {
  config: string;
  state: string;
  /** The user's configuration file; it need not exist. */
  userFile: string;
}

const NAME = "mini-cc";

/**
 * Where configuration and state live: MINI_CC_HOME for both; else XDG_CONFIG_HOME and XDG_STATE_HOME; else the
 * platform's places. Throws a UserError if there is neither such a variable nor a home folder.
 */
export function resolveFolders({ env, homeDir, platform }: FolderInput): Folders {
  const paths = platform === "win32" ? path.win32 : path.posix;
  const inHome = (...names: string[]): string => {
    if (!homeDir || !paths.isAbsolute(homeDir)) throw missingHome();
    return paths.join(homeDir, ...names);
  };
  // The XDG specification says to ignore a relative path.
  const folder = (variables: string[], ...fallback: string[]): string => {
    const base = variables.map((name) => env[name]).find((value) => value && paths.isAbsolute(value));
    return paths.join(base ?? inHome(...fallback), NAME);
  };
  const folders = (config: string, state: string): Folders => ({
    config,
    state,
    userFile: paths.join(config, "config.json"),
  });

  const own = env["MINI_CC_HOME"];
  if (own) {
    if (!paths.isAbsolute(own)) throw relativeHome(own);
    return folders(own, own);
  }
  if (platform === "win32") {
    return folders(
      folder(["XDG_CONFIG_HOME", "APPDATA"], "AppData", "Roaming"),
      folder(["XDG_STATE_HOME", "LOCALAPPDATA"], "AppData", "Local"),
    );
  }
  if (platform === "darwin") {
    const support = ["Library", "Application Support"];
    return folders(folder(["XDG_CONFIG_HOME"], ...support), folder(["XDG_STATE_HOME"], ...support));
  }
  return folders(folder(["XDG_CONFIG_HOME"], ".config"), folder(["XDG_STATE_HOME"], ".local", "state"));
}

function missingHome(): UserError {
  return new UserError("There is no home folder to keep configuration and sessions in.", {
    code: "home-missing",
    hint: "Set MINI_CC_HOME to a folder that you can write to.",
    exitCode: EXIT.usage,
  });
}

function relativeHome(value: string): UserError {
  return new UserError(`MINI_CC_HOME must be an absolute path, not "${value}".`, {
    code: "home-invalid",
    hint: 'For example MINI_CC_HOME="$PWD/state".',
    exitCode: EXIT.usage,
  });
}
