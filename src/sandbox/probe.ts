import { execFile } from "node:child_process";
import { messageOf } from "../errors.js";
import type { NoSandbox } from "./sandbox.js";

/** A sandbox that takes longer to start `sh` would make every command wait. */
const LIMIT_MS = 2_000;

export type ProbeEnd =
  | { kind: "worked" }
  | { kind: "timed-out" }
  /** With the first line that the program wrote, or why it could not be started. */
  | { kind: "failed"; error: string };

/** Runs a program line to its end, for at most 2 s. Never rejects. */
export async function tryProgram(
  [file = "", ...args]: readonly string[],
  place: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Promise<ProbeEnd> {
  try {
    return await new Promise((resolve) => {
      const limits = { timeout: LIMIT_MS, killSignal: "SIGKILL" } as const;
      execFile(file, args, { ...place, ...limits }, (error, _, stderr) => {
        if (error === null) resolve({ kind: "worked" });
        else if (error.killed === true) resolve({ kind: "timed-out" });
        else resolve({ kind: "failed", error: firstLine(stderr) || firstLine(error.message) });
      });
    });
  } catch (error) {
    // Some failures to start are thrown, e.g. an environment that is too large.
    return { kind: "failed", error: firstLine(messageOf(error)) };
  }
}

interface Block {
  when: RegExp;
  remedy: string;
}

/** What programs say where the system forbids namespaces; the first line that fits tells the remedy. */
const BLOCKS: readonly Block[] = [
  {
    // AppArmor of Ubuntu 23.10 and later lets a namespace be made, but not be set up.
    when: /setting up [ug]id map: Permission denied|RTM_NEW(ADDR|LINK): Operation not permitted/,
    remedy:
      "on Ubuntu, give bubblewrap an AppArmor profile that allows `userns`, or for all programs: " +
      "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  },
  {
    when: /max_[a-z*]+_namespaces|No space left on device/,
    remedy: "sudo sysctl -w user.max_user_namespaces=15000",
  },
  {
    when: /No permissions to creat\w+ (a )?new namespace/,
    remedy:
      "sudo sysctl -w kernel.unprivileged_userns_clone=1; in a container, start it so that it allows user namespaces",
  },
  {
    when: /does not support user namespaces/,
    remedy: "use a kernel with user namespaces (CONFIG_USER_NS)",
  },
  {
    when: /namespace|[ug]id map|mount proc on|pivot_root|make \/ slave|sandbox_apply/,
    remedy:
      "a container or another sandbox around this one forbids it: allow user namespaces and mounts there, " +
      'or rely on the outer one and set "sandbox" to "off" in your own configuration',
  },
];

/** The state for a program that is there but did not do its work. */
export function describeFailure(program: string, end: Exclude<ProbeEnd, { kind: "worked" }>): NoSandbox {
  if (end.kind === "timed-out") {
    const text = `no sandbox: ${program} did not start within ${LIMIT_MS / 1000} s`;
    return { active: false, code: "failed", text, remedy: "try again when the machine is less busy" };
  }
  const { error } = end;
  const block = BLOCKS.find(({ when }) => when.test(error));
  if (block !== undefined) {
    const text = `no sandbox: the system does not let ${program} work (${error})`;
    return { active: false, code: "blocked", text, remedy: block.remedy };
  }
  return {
    active: false,
    code: "failed",
    text: `no sandbox: ${program} does not work here (${error})`,
    remedy: 'mend what it names, or set "sandbox" to "off" in your own configuration',
  };
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.slice(0, 300) ?? "";
}
