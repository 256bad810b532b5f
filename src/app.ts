import { join } from "node:path";
import type { AgentEvent, SessionStart, TurnEnd } from "./agent/agent-events.js";
import type { Agent, PromptOptions } from "./agent/agent.js";
import { createAgent } from "./agent/agent.js";
import type { Approve } from "./agent/approval.js";
import { createCompactor } from "./agent/compactor.js";
import { systemPrompt } from "./agent/system-prompt.js";
import { createToolGate } from "./agent/tool-gate.js";
import type { LoadedConfig } from "./config/load-config.js";
import type { Connection } from "./connection.js";
import { createContextBudget } from "./context/context-budget.js";
import { createResultRoom } from "./context/result-room.js";
import { EXIT, messageOf, UserError } from "./errors.js";
import type { ChatModelSettings } from "./model/chat-model.js";
import { OllamaChatModel } from "./model/chat-model.js";
import { recordTraffic } from "./model/debug-record.js";
import { contextWindow, temperature, thinkField } from "./model/model-settings.js";
import type { PermissionMode } from "./permissions/access.js";
import { environmentForCommands, READING_GIT_ENVIRONMENT } from "./permissions/command-environment.js";
import { setUpPolicy } from "./policy-setup.js";
import { createProcessRegistry } from "./processes/process-registry.js";
import type { SessionRecord } from "./sessions/records.js";
import type { SessionLog, SessionStore } from "./sessions/session-store.js";
import { createSessionStore } from "./sessions/session-store.js";
import { createBuiltinTools } from "./tools/builtin-tools.js";
import { toWireTool } from "./tools/wire-schema.js";

type Notice = Extract<AgentEvent, { type: "notice" }>;

export interface AppOptions {
  loaded: LoadedConfig;
  connection: Connection;
  /** Real path. */
  workspaceRoot: string;
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string | undefined;
  platform: NodeJS.Platform;
  /** Goes on with a saved session: its id, or the latest of this workspace. */
  resume?: { id: string } | "latest" | undefined;
}

/** A prepared agent and what the command line needs around it. */
export interface App {
  readonly mode: PermissionMode;
  /** What the user should know before the first turn. */
  readonly notices: readonly Notice[];
  session(): SessionStart;
  /** Until then nobody can be asked, and what needs an approval is denied. */
  setApprove(approve: Approve): void;
  prompt(text: string, options: PromptOptions): Promise<TurnEnd>;
  /** Forgets the conversation; a new session begins. */
  clear(): Promise<void>;
  listModels(): Promise<string[]>;
  /** Goes on with another model; the conversation is kept. Throws UserError if it cannot be used. */
  useModel(name: string): Promise<void>;
  /** Shortens the conversation. Returns the tokens before and after. */
  compact(signal: AbortSignal): Promise<{ tokensBefore: number; tokensAfter: number }>;
  /** Ends every process that commands have left and closes the session. */
  dispose(): Promise<void>;
}

/** Most tokens of a summary. */
const SUMMARY_TOKENS = 1_000;

/** Seconds of a command that names no time, and the longest that one may name. */
const COMMAND_TIMEOUT = { timeoutSeconds: 120, maxTimeoutSeconds: 3600 };

/**
 * The composition root: model → policy → tools → session → agent. Throws UserError if a wanted session cannot be
 * resumed.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { loaded, connection, workspaceRoot, platform } = options;
  const { config, folders } = loaded;
  const notices: Notice[] = loaded.warnings.map(({ code, text }) => warning(code, text));

  if (!connection.isLoopback) {
    notices.push(warning("remote-host", `your files will be sent to ${connection.client.baseUrl}`));
  }
  const { policy, shell, keep, warnings } = await setUpPolicy(options);
  for (const { text, origin, problem, kind } of warnings) {
    const what = kind === "ignored" ? `is ignored, ${problem}` : `is broad: ${problem}`;
    notices.push(warning(`rule-${kind}`, `the rule "${text}" (${origin}) ${what}`));
  }
  if (policy.mode === "bypass") {
    notices.push(warning("bypass", "bypass mode: nothing is asked; only hard denials hold"));
  }
  const processes = createProcessRegistry();
  const commandEnvironment = environmentForCommands(options.env);
  const tools = createBuiltinTools({
    commands: {
      ...COMMAND_TIMEOUT,
      processes,
      shell: (command, readsOnly) => ({
        argv: [...shell.argv, command],
        env: readsOnly ? { ...commandEnvironment, ...READING_GIT_ENVIRONMENT } : commandEnvironment,
      }),
    },
    findRipgrep: bundledRipgrep,
    env: commandEnvironment,
  });

  const wireTools = tools.map(toWireTool);
  const prompt = systemPrompt({ workspaceRoot, platform });
  let approve: Approve | undefined;
  const unsaid: Notice[] = [];
  const store = createSessionStore({
    folder: join(folders.state, "sessions"),
    workspaceRoot,
    onFailure: (message) => unsaid.push(warning("not-saved", `this session is not being saved: ${message}`)),
  });
  const resumed = options.resume && (await resumeSession(store, options.resume, notices));

  let { chosen } = connection;
  let current = begin(resumed?.log ?? store.create(), resumed?.records ?? [], resumed !== undefined);

  function begin(
    log: SessionLog,
    records: readonly SessionRecord[],
    continues: boolean,
  ): { agent: Agent; log: SessionLog; session: SessionStart } {
    const { name, details } = chosen;
    const numCtx = contextWindow(config.ollama.numCtx, details);
    const session: SessionStart = {
      type: "session",
      id: log.id,
      model: name,
      cwd: workspaceRoot,
      contextWindow: numCtx,
      version: options.version,
    };
    let opened = continues;
    const saved: SessionLog = {
      ...log,
      append(record) {
        // The file begins with the first thing worth keeping.
        if (!opened) log.append({ v: 1, at: new Date().toISOString(), ...session });
        opened = true;
        log.append(record);
      },
    };
    const server = config.debug
      ? recordTraffic(connection.client, join(folders.state, "debug", `${log.id}.jsonl`))
      : connection.client;
    const settings: ChatModelSettings = {
      model: name,
      numCtx,
      numPredict: config.ollama.numPredict,
      keepAlive: config.ollama.keepAlive,
      think: thinkField(config.ollama.think, details),
      temperature: temperature(config.ollama.temperature, details),
    };
    const budget = createContextBudget({
      window: numCtx,
      numPredict: settings.numPredict,
      fixed: prompt + JSON.stringify(wireTools),
    });
    const room = createResultRoom(() => budget.window);
    const agent = createAgent({
      model: new OllamaChatModel(server, settings),
      gate: createToolGate({
        tools,
        policy,
        workspaceRoot,
        room,
        approve: () => approve,
        keepRules: keep,
      }),
      tools: wireTools,
      log: saved,
      systemPrompt: prompt,
      limits: { maxSteps: config.maxSteps, ...config.limits },
      budget,
      room,
      compactor: createCompactor({
        summariser: new OllamaChatModel(server, {
          ...settings,
          numPredict: Math.min(settings.numPredict, SUMMARY_TOKENS),
          think: thinkField("off", details),
        }),
        systemPrompt: prompt,
        tools: wireTools,
        budget,
      }),
      autoCompact: config.autoCompact,
      records,
    });
    return { agent, log, session };
  }

  /** Remembering the choice is a convenience: that it failed is told, and nothing else happens. */
  async function remember(): Promise<void> {
    try {
      await connection.remember(chosen.name);
    } catch (error) {
      unsaid.push(warning("not-saved", messageOf(error)));
    }
  }
  let remembering = remember();

  if (chosen.details.cloud) notices.push(cloudNotice(chosen.name));
  if (config.debug) {
    notices.push(warning("debug", `requests are recorded in ${join(folders.state, "debug")}`));
  }

  return {
    mode: policy.mode,
    notices,
    session: () => current.session,
    setApprove(given) {
      approve = given;
    },

    prompt(text, { signal: turnSignal, onEvent }) {
      const tell = (event: AgentEvent) => {
        for (const notice of unsaid.splice(0)) onEvent(notice);
        onEvent(event);
      };
      return current.agent.prompt(text, { signal: turnSignal, onEvent: tell });
    },

    clear() {
      current.log.close();
      current = begin(store.create(), [], false);
      return Promise.resolve();
    },

    async listModels() {
      return (await connection.client.installedModels()).map((model) => model.name);
    },

    async useModel(name) {
      chosen = await connection.choose(name);
      current = begin(current.log, await current.agent.handOver(), true);
      remembering = remembering.then(remember);
      if (chosen.details.cloud) unsaid.push(cloudNotice(name));
    },

    compact: (ended) => current.agent.compact(ended),

    async dispose() {
      await Promise.all([processes.dispose(), remembering]);
      current.log.close();
    },
  };
}

async function resumeSession(
  store: SessionStore,
  wanted: { id: string } | "latest",
  notices: Notice[],
): Promise<{ log: SessionLog; records: SessionRecord[] }> {
  const id = wanted === "latest" ? await store.latest() : wanted.id;
  if (id === undefined) {
    throw new UserError("there is no earlier session in this folder", {
      code: "no-session",
      hint: "Leave out --continue to start one",
      exitCode: EXIT.usage,
    });
  }
  const { records, damagedLines } = await store.read(id);
  if (damagedLines > 0) {
    notices.push(warning("session-damaged", `${damagedLines} damaged lines of session ${id} were left out`));
  }
  return { log: store.reopen(id), records };
}

/** The binary of the optional package; undefined where it is not installed for this platform. */
async function bundledRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

function cloudNotice(name: string): Notice {
  return warning("cloud-model", `${name} runs in the cloud: your files will leave this machine`);
}

function warning(code: string, text: string): Notice {
  return { type: "notice", level: "warning", code, text };
}
