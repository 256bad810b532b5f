import { INHERITED_VARIABLES, matchesName } from "./defaults.js";

/**
 * Nobody sits in front of a command: no pager, no editor, no question. An editor is a program that fails, so that what
 * would have opened it fails too.
 */
const NON_INTERACTIVE: Readonly<Record<string, string>> = {
  TERM: "dumb",
  CI: "true",
  // Pagers.
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GH_PAGER: "cat",
  AWS_PAGER: "cat",
  // Editors.
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  // Passwords.
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  SSH_ASKPASS_REQUIRE: "never",
  SUDO_ASKPASS: "/bin/false",
  GCM_INTERACTIVE: "never",
  // Questions of installers and the like.
  DEBIAN_FRONTEND: "noninteractive",
  npm_config_yes: "true",
  PIP_NO_INPUT: "1",
  COMPOSER_NO_INTERACTION: "1",
  GH_PROMPT_DISABLED: "1",
  // With CI set, yarn would refuse to change its lock file.
  YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  // What a program has printed is out when it is ended at a time limit.
  PYTHONUNBUFFERED: "1",
};

/**
 * Added for a line that only reads, so that no setting of a repository makes git run a program. Not for other lines that
 * a person allowed or approved: there, commit hooks are wanted.
 * `diff.external` is not among them, since git 2.39 dies on an empty value.
 */
export const READING_GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_COUNT: "3",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
  GIT_CONFIG_KEY_2: "safe.bareRepository",
  GIT_CONFIG_VALUE_2: "explicit",
};

/**
 * The whole environment of a command: the variables of `env` on the pass-through list, the non-interactive settings,
 * then `extra`. Tokens, `LD_*`, `BASH_*`, `GIT_*` and `NODE_OPTIONS` of `env` never get through.
 */
export function environmentForCommands(
  env: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && matchesName(INHERITED_VARIABLES, name)) inherited[name] = value;
  }
  return { ...inherited, ...NON_INTERACTIVE, ...extra };
}
