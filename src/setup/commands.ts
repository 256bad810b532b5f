import { environmentForCommands, READING_GIT_ENVIRONMENT } from "../permissions/command-environment.js";
import type { ProcessRegistry } from "../processes/process-registry.js";
import type { Shell } from "../processes/shell.js";
import { shellLine } from "../processes/shell.js";
import type { Sandbox, SandboxOptions, SandboxState } from "../sandbox/sandbox.js";
import { createSandbox } from "../sandbox/sandbox.js";
import type { CommandSettings } from "../tools/run-command.js";

export interface CommandSetup {
  settings: CommandSettings;
  /** The environment of commands, and of the programs that tools use. */
  env: Record<string, string>;
  /** How commands are confined; tried once, and only when something is to run. */
  sandbox(): Promise<SandboxState>;
  /** How a command that the user approves would be confined, in one line for the question. */
  confinement(): Promise<string>;
}

export interface CommandSetupOptions extends Omit<SandboxOptions, "env"> {
  shell: Shell;
  processes: ProcessRegistry;
  env: Readonly<Record<string, string | undefined>>;
}

/** Seconds of a command that names no time, and the longest that one may name. */
const COMMAND_TIMEOUT = { timeoutSeconds: 120, maxTimeoutSeconds: 3600 };

/** Throws UserError if a sandbox is required and cannot be had. */
export async function setUpCommands(options: CommandSetupOptions): Promise<CommandSetup> {
  const { shell, processes, workspaceRoot } = options;
  const env = environmentForCommands(options.env);
  let probed: Promise<Sandbox> | undefined;
  const sandbox = () => (probed ??= createSandbox({ ...options, env }));
  if (options.setting === "required") await sandbox();
  return {
    env,
    settings: {
      ...COMMAND_TIMEOUT,
      processes,
      async shell(command, { readsOnly, network }) {
        const { wrap, state } = await sandbox();
        const line = shellLine(shell, command, { ownsProcesses: state.code === "bubblewrap" });
        return {
          argv: wrap(line.argv, { cwd: workspaceRoot, network }),
          env: { ...env, ...(readsOnly && READING_GIT_ENVIRONMENT), ...line.env },
          takesReport: line.takesReport,
          ...(state.active && !network && { hint: "It ran in a sandbox without network." }),
        };
      },
    },
    sandbox: async () => (await sandbox()).state,
    async confinement() {
      const { state } = await sandbox();
      return state.active
        ? `sandbox: ${state.code}; it writes only in the workspace, and gets the network`
        : state.text;
    },
  };
}
