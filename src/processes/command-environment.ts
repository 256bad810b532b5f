/**
 * The environment of commands: nothing waits for a person. Pagers print, editors and password prompts fail, and
 * programs that ask questions take their defaults. `base` is the user's environment or what a sandbox lets through.
 */
export function commandEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...base,
    // Either would make a shell run a file before the command.
    BASH_ENV: undefined,
    ENV: undefined,
    CI: "1",
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    SYSTEMD_PAGER: "cat",
    // "false" rather than "true": an editor that succeeds would let a rebase run unseen.
    EDITOR: "false",
    VISUAL: "false",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    SUDO_ASKPASS: "false",
    DEBIAN_FRONTEND: "noninteractive",
    npm_config_yes: "true",
    PIP_NO_INPUT: "1",
    PYTHONUNBUFFERED: "1",
  };
}
