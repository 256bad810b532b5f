import type { ConfigWarning } from "./read-config-file.js";
import type { Config, ConfigFile } from "./schema.js";

/** Something in a project file that lets more happen than without it. */
export interface Widening {
  key: "allowedCommands" | "permissionMode" | "sandbox" | "undo";
  value: string;
}

interface JudgedProjectFile {
  /** What counts once the file is trusted. */
  trusted: ConfigFile;
  /** What counts at once. */
  untrusted: ConfigFile;
  /** The difference, to be shown before the file is trusted. */
  widens: Widening[];
  /** About what is never taken from a project file. */
  warnings: ConfigWarning[];
}

// From tight to loose.
const MODES: readonly string[] = [
  "plan",
  "default",
  "accept-edits",
  "bypass",
] satisfies Config["permissionMode"][];
const SANDBOXES: readonly string[] = ["required", "auto", "off"] satisfies Config["sandbox"][];

/**
 * Splits a project file by what it may do. It may have come with the repository, so that it can tighten at once but
 * widen only when trusted, and can never send the conversation to another server, end the confinement of commands or
 * let sessions be removed.
 *
 * @param without mode, sandbox and undo that hold without the project file
 * @param isReadOnlyDefault whether an entry lies inside the built-in read-only list
 */
export function judgeProjectFile(
  path: string,
  file: ConfigFile,
  without: Pick<Config, "permissionMode" | "sandbox" | "undo">,
  isReadOnlyDefault: (entry: string) => boolean,
): JudgedProjectFile {
  const warnings: ConfigWarning[] = [];
  const widens: Widening[] = [];
  const trusted: ConfigFile = { ...file };

  if (file.ollama?.host !== undefined) {
    const { host, ...rest } = file.ollama;
    trusted.ollama = rest;
    warnings.push(neverTaken(path, "ollama.host", host));
  }
  for (const [name, value] of Object.entries(file.sessions ?? {})) {
    delete trusted.sessions;
    warnings.push(neverTaken(path, `sessions.${name}`, String(value)));
  }
  if (file.sandbox === "off") {
    delete trusted.sandbox;
    warnings.push(neverTaken(path, "sandbox", file.sandbox));
  }

  const untrusted: ConfigFile = { ...trusted };
  if (trusted.allowedCommands) {
    untrusted.allowedCommands = trusted.allowedCommands.filter(isReadOnlyDefault);
    for (const entry of trusted.allowedCommands) {
      if (!isReadOnlyDefault(entry)) widens.push({ key: "allowedCommands", value: entry });
    }
  }
  const mode = trusted.permissionMode;
  if (mode && MODES.indexOf(mode) > MODES.indexOf(without.permissionMode)) {
    delete untrusted.permissionMode;
    widens.push({ key: "permissionMode", value: mode });
  }
  const sandbox = trusted.sandbox;
  if (sandbox && SANDBOXES.indexOf(sandbox) > SANDBOXES.indexOf(without.sandbox)) {
    delete untrusted.sandbox;
    widens.push({ key: "sandbox", value: sandbox });
  }
  if (trusted.undo === false && without.undo) {
    delete untrusted.undo;
    widens.push({ key: "undo", value: "false" });
  }
  return { trusted, untrusted, widens, warnings };
}

function neverTaken(path: string, key: string, value: string): ConfigWarning {
  return {
    code: "config-project-key-ignored",
    text: `${path}: ${key} "${value}" is never taken from a project file; set it in the user file, the environment or a flag.`,
  };
}
