import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import {
  READING_GIT_ENVIRONMENT,
  environmentForCommands,
} from "../../src/permissions/command-environment.js";

it("a command inherits the usual variables and no token, loader, shell, git or node variable", () => {
  const given = environmentForCommands({
    PATH: "/usr/bin",
    HOME: "/home/u",
    LC_CTYPE: "C.UTF-8",
    NVM_DIR: "/nvm",
    UNSET: undefined,
    OLLAMA_API_KEY: "secret",
    GITHUB_TOKEN: "secret",
    SSH_AUTH_SOCK: "/s",
    LD_PRELOAD: "/x.so",
    DYLD_INSERT_LIBRARIES: "/x",
    BASH_ENV: "/x",
    "BASH_FUNC_ls%%": "() { id; }",
    NODE_OPTIONS: "--require /x",
    GIT_EXTERNAL_DIFF: "/x",
    GIT_PAGER: "/x",
    EDITOR: "/x",
    RIPGREP_CONFIG_PATH: "/x",
    LESSOPEN: "/x",
    CDPATH: "/",
  });
  const inherited = ["PATH", "HOME", "LC_CTYPE", "NVM_DIR"];
  expect(given).toMatchObject({
    PATH: "/usr/bin",
    HOME: "/home/u",
    LC_CTYPE: "C.UTF-8",
    NVM_DIR: "/nvm",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    EDITOR: "false",
    VISUAL: "false",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    TERM: "dumb",
    CI: "true",
  });
  // The rest is ours and the same everywhere.
  const settings = Object.keys(environmentForCommands({}));
  expect(Object.keys(given).sort()).toEqual([...inherited, ...settings].sort());
});

it("the settings for lines that only read switch hooks and the file monitor off in git itself", () => {
  const env = environmentForCommands({ PATH: process.env["PATH"] }, READING_GIT_ENVIRONMENT);
  const read = (key: string): string =>
    execFileSync("git", ["config", key], { env, encoding: "utf8" }).trim();
  expect(read("core.fsmonitor")).toBe("false");
  expect(read("core.hooksPath")).toBe("/dev/null");
  expect(read("safe.bareRepository")).toBe("explicit");
});
