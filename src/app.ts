import { join } from "node:path";
import type { AgentEvent, SessionStart, TurnEnd } from "./agent/agent-events.js";
import type { Agent, Compacted, PromptOptions } from "./agent/agent.js";
import { createAgent } from "./agent/agent.js";
import type { Approve } from "./agent/approval.js";
import { createCompactor } from "./agent/compactor.js";
import type { ContextUse } from "./agent/context-use.js";
import { systemPrompt } from "./agent/system-prompt.js";
import type { TaskFacts } from "./agent/task-facts.js";
import { createToolGate } from "./agent/tool-gate.js";
import type { LoadedConfig } from "./config/load-config.js";
import type { Connection } from "./connection.js";
import { createResultRoom } from "./context/result-room.js";
import { messageOf } from "./errors.js";
import type { ChatModelSettings } from "./model/chat-model.js";
import { OllamaChatModel } from "./model/chat-model.js";
import { hotter } from "./model/model-settings.js";
import { recordTraffic } from "./model/debug-record.js";
import type { WarmUp } from "./model/warm-up.js";
import { startWarmUp } from "./model/warm-up.js";
import type { PermissionMode } from "./permissions/access.js";
import type { ModelSetup } from "./model-setup.js";
import { setUpModel } from "./model-setup.js";
import { setUpCommands } from "./command-setup.js";
import { setUpPolicy } from "./policy-setup.js";
import { beginningWith, resumeSession } from "./session-setup.js";
import { createProcessRegistry } from "./processes/process-registry.js";
import type { SandboxState } from "./sandbox/sandbox.js";
import type { SessionRecord } from "./sessions/records.js";
import type { SessionLog } from "./sessions/session-store.js";
import { createSessionStore } from "./sessions/session-store.js";
import { bundledRipgrep } from "./tools/bundled-ripgrep.js";
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
  /** Bytes of the machine's memory. */
  memoryBytes: number;
  /** Of the system. */
  temporaryFolder: string;
  /** Goes on with a saved session: its id, or the latest of this workspace. */
  resume?: { id: string } | "latest" | undefined;
}

/** What a conversation is held with. */
interface Current {
  agent: Agent;
  /** What `log` writes to. */
  file: SessionLog;
  log: ReturnType<typeof beginningWith>;
  session: SessionStart;
  setup: ModelSetup;
}

/** A prepared agent and what the command line needs around it. */
export interface App {
  readonly mode: PermissionMode;
  /** What the user should know before the first turn. */
  readonly notices: readonly Notice[];
  session(): SessionStart;
  /** How commands are confined. */
  sandbox(): Promise<SandboxState>;
  /** Until then nobody can be asked, and what needs an approval is denied. */
  setApprove(approve: Approve): void;
  prompt(text: string, options: PromptOptions): Promise<TurnEnd>;
  /** Forgets the conversation; a new session begins. */
  clear(): Promise<void>;
  listModels(): Promise<string[]>;
  /** Goes on with another model; the conversation is kept. Throws UserError if it cannot be used. */
  useModel(name: string): Promise<void>;
  /** Shortens the conversation. */
  compact(signal: AbortSignal): Promise<Compacted>;
  contextUse(): Promise<ContextUse>;
  /** Lets the server load the model and read the prompt's beginning, until a prompt is sent. */
  warmUp(): void;
  /** Ends every process that commands have left and closes the session. */
  dispose(): Promise<void>;
}

/** Most tokens of a summary. */
const SUMMARY_TOKENS = 1_000;

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
  const { policy, shell, homeDir, keep, warnings } = await setUpPolicy(options);
  for (const { text, origin, problem, kind } of warnings) {
    const what = kind === "ignored" ? `is ignored, ${problem}` : `is broad: ${problem}`;
    notices.push(warning(`rule-${kind}`, `the rule "${text}" (${origin}) ${what}`));
  }
  if (policy.mode === "bypass") {
    notices.push(warning("bypass", "bypass mode: nothing is asked; only hard denials hold"));
  }
  if (workspaceRoot === homeDir || workspaceRoot === "/") {
    const text = `the workspace is ${workspaceRoot}: all of it may be read, and no sandbox can confine commands there`;
    notices.push(warning("wide-workspace", text));
  }
  const processes = createProcessRegistry();
  const commands = await setUpCommands({
    setting: config.sandbox,
    workspaceRoot,
    homeDir,
    platform,
    shell,
    processes,
    env: options.env,
    temporaryFolder: options.temporaryFolder,
  });
  /** Tools remember the files of a session. */
  const makeTools = () =>
    createBuiltinTools({ commands: commands.settings, findRipgrep: bundledRipgrep, env: commands.env });
  const wireTools = makeTools().map(toWireTool);
  const prompt = systemPrompt({ workspaceRoot, platform });
  let approve: Approve | undefined;
  const unsaid: Notice[] = [];
  const store = createSessionStore({
    folder: join(folders.state, "sessions"),
    workspaceRoot,
    onFailure: (message) => unsaid.push(warning("not-saved", `this session is not being saved: ${message}`)),
  });
  const resumed = options.resume && (await resumeSession(store, options.resume));
  if (resumed && resumed.damagedLines > 0) {
    notices.push(warning("session-damaged", `${resumed.damagedLines} damaged lines were left out`));
  }

  let chosen = connection.chosen;
  let current = await begin(resumed?.log ?? store.create(), resumed?.records ?? [], resumed !== undefined);

  async function begin(
    file: SessionLog,
    records: readonly SessionRecord[],
    hasBegun: boolean,
    facts?: TaskFacts,
  ): Promise<Current> {
    const { name } = chosen;
    const setup = await setUpModel({
      loaded,
      connection,
      chosen,
      memoryBytes: options.memoryBytes,
      fixed: prompt + JSON.stringify(wireTools),
    });
    const { settings, quiet, budget } = setup;
    const session: SessionStart = {
      type: "session",
      id: file.id,
      model: name,
      cwd: workspaceRoot,
      contextWindow: settings.numCtx,
      version: options.version,
    };
    const server = config.debug
      ? recordTraffic(connection.client, join(folders.state, "debug", `${file.id}.jsonl`))
      : connection.client;
    const modelWith = (other: Partial<ChatModelSettings>) =>
      new OllamaChatModel(server, { ...settings, ...other });
    const log = beginningWith({ v: 1, at: new Date().toISOString(), ...session }, file, hasBegun);
    const room = createResultRoom(() => budget.window);
    const agent = createAgent({
      modelFor: (how) =>
        modelWith({
          ...(how.quiet && { think: quiet }),
          ...(how.hotter && { temperature: hotter(settings.temperature) }),
        }),
      mayBeQuiet: quiet !== settings.think,
      warmUpModel: modelWith({ numPredict: 1 }),
      isLoaded: async () => warmUp?.isLoading !== true && (await setup.isLoaded()),
      gate: createToolGate({
        tools: makeTools(),
        policy,
        workspaceRoot,
        room,
        approve: () => approve,
        confinement: () => commands.confinement(),
        keepRules: keep,
      }),
      tools: wireTools,
      log,
      systemPrompt: prompt,
      limits: { maxSteps: config.maxSteps, ...config.limits },
      budget,
      room,
      compactor: createCompactor({
        summariser: modelWith({
          numPredict: Math.min(settings.numPredict, SUMMARY_TOKENS),
          think: quiet,
        }),
        systemPrompt: prompt,
        tools: wireTools,
        budget,
      }),
      autoCompact: config.autoCompact,
      records,
      ...(facts && { facts }),
    });
    return { agent, file, log, session, setup };
  }

  /** What was found out about the loaded model is told with the next event. */
  async function checkAllocation({ setup }: Current): Promise<void> {
    unsaid.push(...(await setup.checkAllocation()).map(({ code, text }) => warning(code, text)));
  }

  async function stepDown({ setup }: Current): Promise<void> {
    try {
      unsaid.push(...(await setup.stepDown()).map(({ code, text }) => warning(code, text)));
    } catch (error) {
      unsaid.push(warning("not-saved", messageOf(error)));
    }
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

  let warmUp: WarmUp | undefined;

  async function unload(): Promise<void> {
    try {
      await connection.client.unload(chosen.name);
    } catch (error) {
      process.stderr.write(`mini-cc: ${chosen.name} was not unloaded: ${messageOf(error)}\n`);
    }
  }

  if (chosen.details.cloud) notices.push(cloudNotice(chosen.name));
  if (config.debug) {
    notices.push(warning("debug", `requests are recorded in ${join(folders.state, "debug")}`));
  }

  return {
    mode: policy.mode,
    notices,
    session: () => current.session,
    sandbox: () => commands.sandbox(),
    setApprove(given) {
      approve = given;
    },

    async prompt(text, { signal, onEvent }) {
      await warmUp?.makeWay();
      let checking = Promise.resolve();
      const tell = (event: AgentEvent) => {
        for (const notice of unsaid.splice(0)) onEvent(notice);
        // The first reply has come, so the model is loaded.
        if (event.type === "model-end") checking = checking.then(() => checkAllocation(current));
        if (event.type !== "turn-end") onEvent(event);
      };
      const end = await current.agent.prompt(text, { signal, onEvent: tell });
      await checking;
      if (end.error?.code === "out-of-memory") await stepDown(current);
      for (const notice of unsaid.splice(0)) onEvent(notice);
      onEvent(end);
      return end;
    },

    warmUp() {
      const { agent, setup } = current;
      warmUp = startWarmUp({
        load: (signal) => connection.client.load(setup.settings.model, setup.settings, signal),
        async read(signal) {
          await checkAllocation(current);
          await agent.warmUp(signal);
        },
        onFailure(error) {
          // The first prompt meets the same fault and tells it.
          if (config.debug) unsaid.push(warning("warm-up", messageOf(error)));
        },
      });
    },

    async clear() {
      current.log.close();
      current = await begin(store.create(), [], false);
    },

    async listModels() {
      return (await connection.client.installedModels()).map((model) => model.name);
    },

    async useModel(name) {
      chosen = await connection.choose(name);
      await warmUp?.stop();
      const { records, facts } = await current.agent.handOver();
      current = await begin(current.file, records, current.log.hasBegun(), facts);
      remembering = remembering.then(remember);
      if (chosen.details.cloud) unsaid.push(cloudNotice(name));
    },

    compact: (signal) => current.agent.compact(signal),
    contextUse: () => current.agent.contextUse(),

    async dispose() {
      await warmUp?.stop();
      if (config.ollama.unloadOnExit) await unload();
      await Promise.all([processes.dispose(), remembering]);
      current.log.close();
    },
  };
}

function cloudNotice(name: string): Notice {
  return warning("cloud-model", `${name} runs in the cloud: your files will leave this machine`);
}

function warning(code: string, text: string): Notice {
  return { type: "notice", level: "warning", code, text };
}
