import type { AgentEvent } from "../agent/agent-events.js";
import type { LoadedConfig } from "../config/load-config.js";
import type { Connection } from "./connection.js";
import type { PolicySetup } from "./policy.js";

export type Notice = Extract<AgentEvent, { type: "notice" }>;

export interface StartOptions {
  loaded: LoadedConfig;
  connection: Connection;
  policy: PolicySetup;
  /** Real path. */
  workspaceRoot: string;
}

/** What the user should know of configuration, server and rules before the first turn. */
export function startNotices({ loaded, connection, policy, workspaceRoot }: StartOptions): Notice[] {
  const notices = loaded.warnings.map(({ code, text }) => warning(code, text));
  if (!connection.isLoopback) {
    notices.push(warning("remote-host", `your files will be sent to ${connection.client.baseUrl}`));
  }
  for (const { text, origin, problem, kind } of policy.warnings) {
    const what = kind === "ignored" ? `is ignored, ${problem}` : `is broad: ${problem}`;
    notices.push(warning(`rule-${kind}`, `the rule "${text}" (${origin}) ${what}`));
  }
  if (policy.policy.mode === "bypass") {
    notices.push(warning("bypass", "bypass mode: nothing is asked; only hard denials hold"));
  }
  if (workspaceRoot === policy.homeDir || workspaceRoot === "/") {
    const text = `the workspace is ${workspaceRoot}: all of it may be read, and no sandbox can confine commands there`;
    notices.push(warning("wide-workspace", text));
  }
  return notices;
}

export function missedNotice(missed: string, name: string): Notice {
  const text = `this session was held with ${missed}, which cannot be used here any more: it goes on with ${name} (mini-cc models pull ${missed} may bring it back, --model NAME takes another)`;
  return warning("model-missed", text);
}

export function cloudNotice(name: string): Notice {
  return warning("cloud-model", `${name} runs in the cloud: your files will leave this machine`);
}

export function warning(code: string, text: string): Notice {
  return { type: "notice", level: "warning", code, text };
}
