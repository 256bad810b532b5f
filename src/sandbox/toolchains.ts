import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isWithin } from "./private-folders.js";

/** Below the home folder: compilers, runtimes, caches of libraries, the user's git settings. Never a place of keys. */
const IN_HOME: readonly string[] = [
  ".gitconfig",
  ".config/git/config",
  ".config/git/ignore",
  ".config/git/attributes",
  ".local/bin",
  ".local/lib",
  ".local/pipx",
  ".local/share/fnm",
  ".local/share/mise",
  ".local/share/pipx",
  ".local/share/pnpm",
  ".local/share/uv",
  ".local/share/virtualenvs",
  ".cache/pypoetry/virtualenvs",
  ".cache/node/corepack",
  ".asdf",
  ".bun/bin",
  ".bun/install",
  ".cargo/bin",
  ".cargo/config.toml",
  ".cargo/env",
  ".cargo/git",
  ".cargo/registry",
  ".deno",
  ".dotnet",
  ".fnm",
  ".gem/ruby",
  ".ghcup",
  ".juliaup",
  ".linuxbrew",
  ".m2/repository",
  ".nodenv",
  ".npm-global",
  ".nuget/packages",
  ".nvm",
  ".opam",
  ".pyenv",
  ".rbenv",
  ".rustup",
  ".rvm",
  ".sdkman",
  ".virtualenvs",
  ".volta",
  "anaconda3",
  "go",
  "miniconda3",
  "miniforge3",
];

/** Variables that name such a folder elsewhere. `CARGO_HOME` also holds a token and is shown in parts. */
const BY_VARIABLE: Readonly<Record<string, readonly string[]>> = {
  ANDROID_HOME: ["."],
  CARGO_HOME: ["bin", "config.toml", "env", "git", "registry"],
  CONDA_PREFIX: ["."],
  FNM_DIR: ["."],
  GOPATH: ["."],
  GOROOT: ["."],
  JAVA_HOME: ["."],
  NVM_DIR: ["."],
  PNPM_HOME: ["."],
  PYENV_ROOT: ["."],
  RUSTUP_HOME: ["."],
  VIRTUAL_ENV: ["."],
  VOLTA_HOME: ["."],
};

export interface ToolchainPlace {
  homeDir: string;
  workspaceRoot: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Hidden from commands. */
  hidden: readonly string[];
}

/**
 * What has to be shown again below the hidden folders so that programs run: known toolchains, what variables and PATH
 * name, the resolver's configuration. They may be links, which the user made. Nothing that holds a hidden folder,
 * nothing inside the workspace. To be called before any command has run.
 */
export function shownPaths({ homeDir, workspaceRoot, env, hidden }: ToolchainPlace): string[] {
  const isHidden = (path: string): boolean => hidden.some((folder) => isWithin(path, folder));
  const mayBeShown = (path: string): boolean =>
    isHidden(path) && !isWithin(path, workspaceRoot) && !hidden.some((folder) => isWithin(folder, path));

  // HOME may be a link to the real home; below that, commands find the same path.
  const home = env["HOME"];
  const absoluteEntries = (list = ""): string[] =>
    list
      .split(delimiter)
      .filter((entry) => isAbsolute(entry))
      .map((entry) => resolve(entry))
      .map((entry) => (home && isWithin(entry, home) ? join(homeDir, relative(home, entry)) : entry));

  const shown: string[] = [];
  const isCovered = (path: string): boolean => shown.some((other) => isWithin(path, other));
  const show = (path: string): void => {
    if (!isCovered(path) && mayBeShown(path) && existsSync(path)) shown.push(path);
  };
  for (const path of IN_HOME) show(join(homeDir, path));
  for (const [name, parts] of Object.entries(BY_VARIABLE)) {
    for (const folder of absoluteEntries(env[name])) for (const part of parts) show(join(folder, part));
  }
  for (const folder of absoluteEntries(env["PATH"])) {
    // Beside `bin` there often is the `lib` that its programs load.
    const prefix = dirname(folder);
    const whole =
      basename(folder) === "bin" && [folder, join(prefix, "lib")].every(existsSync) && mayBeShown(prefix);
    show(whole && !isCovered(folder) ? prefix : folder);
  }
  const resolver = "/etc/resolv.conf";
  if (existsSync(resolver)) show(realpathSync(resolver));
  return shown;
}
