/** Commands that run unasked while no configuration names `allowedCommands`; all of them only read. */
export const READ_ONLY_COMMANDS: readonly string[] = [
  "ls",
  "cat",
  "pwd",
  "head",
  "tail",
  "wc",
  "echo",
  "grep",
  "git status",
  "git diff",
  "git log",
  "git show",
];

/** Variables that may be set in front of a command: they change language, time zone and colour only. */
export const NEUTRAL_VARIABLES: readonly string[] = [
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "NO_COLOR",
  "FORCE_COLOR",
  "CLICOLOR",
  "CI",
  "COLUMNS",
  "LINES",
];

/** Names that run other code, or do whatever they are told: a bare entry for one lets nearly anything run. */
export const INTERPRETERS_AND_WRAPPERS: ReadonlySet<string> = new Set(
  (
    "sh bash dash zsh ksh fish node deno bun python python3 perl ruby php lua awk gawk sed env xargs find fd " +
    "sudo doas su ssh nohup nice timeout time setsid stdbuf exec eval source . command builtin npx npm pnpm " +
    "yarn make docker podman git tee dd rm mv cp curl wget nc socat"
  ).split(" "),
);

/** Keys of a repository's configuration that make git run a program or talk to another address; `*` is any text. */
export const GIT_KEYS_THAT_RUN_PROGRAMS: readonly string[] = [
  "core.fsmonitor",
  "core.pager",
  "core.hooksPath",
  "core.sshCommand",
  "core.editor",
  "core.askPass",
  "core.gitProxy",
  "diff.external",
  "diff.*.command",
  "diff.*.textconv",
  "filter.*.clean",
  "filter.*.smudge",
  "filter.*.process",
  "gpg.program",
  "gpg.*.program",
  "pager.*",
  "interactive.diffFilter",
  "alias.*",
  "credential.helper",
  "credential.*.helper",
  "include.path",
  "includeIf.*",
  "uploadpack.packObjectsHook",
  "merge.*.driver",
  "difftool.*.cmd",
  "mergetool.*.cmd",
  "sequence.editor",
  "trailer.*.command",
  "remote.*.uploadpack",
  "remote.*.receivepack",
  "submodule.*.update",
  "url.*.insteadOf",
  "protocol.ext.allow",
  "extensions.worktreeConfig",
];

/** Variables that a command inherits; everything else stays behind: tokens, loader, shell and git variables. */
export const INHERITED_VARIABLES: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "COLORTERM",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TMPDIR",
  "XDG_RUNTIME_DIR",
  "NO_COLOR",
  "FORCE_COLOR",
  "CI",
  "COLUMNS",
  "LINES",
  "NVM_DIR",
  "VOLTA_HOME",
  "FNM_DIR",
  "PNPM_HOME",
  "GOPATH",
  "GOROOT",
  "CARGO_HOME",
  "RUSTUP_HOME",
  "JAVA_HOME",
  "ANDROID_HOME",
  "PYENV_ROOT",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
];

/** Files with keys and passwords, tested on a path with "/" between names; templates such as `.env.example` are free. */
export const SECRET_PATH =
  /(^|\/)(\.env(\.(?!example$|sample$|template$)[^/]*)?|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(pem|p12|pfx|keystore))$|(^|\/)(\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.azure)(\/|$)|(^|\/)\.config\/(gcloud|gh|op)(\/|$)|^\/proc\/[^/]+\/(environ|mem|maps|root|cwd|fd)(\/|$)|^\/etc\/(shadow|gshadow|sudoers)/i;

/** A name of a list in which `*` stands for any text; upper and lower case are the same. */
export function matchesName(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => {
    const escaped = pattern.split("*").map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${escaped.join(".*")}$`, "is").test(name);
  });
}
