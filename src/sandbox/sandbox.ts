import { EXIT, UserError } from "../errors.js";
import { startBubblewrap } from "./bubblewrap.js";
import { isWithin, privateFolders } from "./private-folders.js";
import { startSeatbelt } from "./seatbelt.js";

/** One program line and whether it may reach the network. */
export interface SandboxRequest {
  /** Absolute; the workspace or a folder in it. */
  cwd: string;
  /** True only if the question that was answered said so. */
  network: boolean;
}

/** How commands are confined. `text` is one line in English; `remedy` is what the user can do about it. */
export type SandboxState =
  | { active: true; code: "bubblewrap" | "seatbelt"; text: string; remedy?: undefined }
  | {
      active: false;
      /**
       * "off": by setting. "missing": no program. "blocked": the system forbids it. "failed": the program does not work
       * here for another reason. "unsupported": no sandbox for this platform. "unsandboxable": this workspace cannot be
       * told apart from what has to be kept safe.
       */
      code: "off" | "missing" | "blocked" | "failed" | "unsupported" | "unsandboxable";
      text: string;
      remedy: string;
    };

export type NoSandbox = Extract<SandboxState, { active: false }>;

/** The second line behind the policy. Being inside never turns a question into an allow. */
export interface Sandbox {
  readonly state: SandboxState;
  /**
   * The program line that runs `argv` confined; `argv` itself if there is no sandbox. It is made of what exists now,
   * so it is for one use. In bubblewrap a command that a signal ended exits with 128 + signal, as in a shell.
   */
  readonly wrap: (argv: readonly string[], request: SandboxRequest) => readonly string[];
}

export interface SandboxOptions {
  /** From the user's own settings; a project may only tighten it. */
  setting: "auto" | "required" | "off";
  /** Real path. */
  workspaceRoot: string;
  /** Real path; one that does not exist hides nothing. */
  homeDir: string;
  platform: NodeJS.Platform;
  /** The environment that commands get: PATH, TMPDIR, and where toolchains are. */
  env: Readonly<Record<string, string | undefined>>;
  /** Of the system, e.g. `os.tmpdir()`. */
  temporaryFolder: string;
}

/**
 * Finds the sandbox of this platform and tries it once, with the very mounts that commands get. Throws UserError
 * if it is required and cannot be had.
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await findSandbox(options);
  const { state } = sandbox;
  if (options.setting === "required" && !state.active) {
    throw new UserError(`"sandbox" is "required", but there is ${state.text}`, {
      code: `sandbox-${state.code}`,
      hint: state.remedy,
      exitCode: EXIT.usage,
    });
  }
  return sandbox;
}

async function findSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { setting, platform } = options;
  if (setting === "off") {
    return withoutSandbox({
      active: false,
      code: "off",
      text: "no sandbox: it is switched off",
      remedy: 'set "sandbox" to "auto" in your own configuration',
    });
  }
  if (platform !== "linux" && platform !== "darwin") {
    return withoutSandbox({
      active: false,
      code: "unsupported",
      text: `no sandbox: there is none for this platform (${platform})`,
      remedy: "read every question with care, or work in a virtual machine or in WSL 2",
    });
  }
  const shared = sharedFolder(options);
  if (shared !== undefined) {
    return withoutSandbox({
      active: false,
      code: "unsandboxable",
      text: `no sandbox: the workspace ${options.workspaceRoot} ${shared}`,
      remedy: "start in the folder of one project",
    });
  }
  const started = await (platform === "linux" ? startBubblewrap : startSeatbelt)(options);
  return "wrap" in started ? started : withoutSandbox(started);
}

/** Why the workspace is no folder of one project: what is writable in it is what a sandbox has to keep safe. */
function sharedFolder({ workspaceRoot, homeDir }: SandboxOptions): string | undefined {
  if (workspaceRoot === homeDir) return "is your home folder";
  if (isWithin(homeDir, workspaceRoot)) return "contains your home folder";
  const shared = privateFolders({ homeDir }).find((folder) => isWithin(folder, workspaceRoot));
  return shared === undefined ? undefined : `contains ${shared}, which all programs share`;
}

function withoutSandbox(state: NoSandbox): Sandbox {
  return { state, wrap: (argv) => argv };
}
