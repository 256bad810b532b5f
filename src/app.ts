import { join } from "node:path";
import type { Compacted, PromptOptions } from "./agent/agent.js";
import type { AgentEvent, SessionStart, TurnEnd } from "./agent/agent-events.js";
import type { Approve } from "./agent/approval.js";
import type { ContextUse } from "./agent/context-use.js";
import type { LoadedConfig } from "./config/load-config.js";
import { withMentionedFiles } from "./agent/mentioned-files.js";
import { messageOf } from "./errors.js";
import { sameModel } from "./model/choose-model.js";
import { debugFileOf } from "./model/debug-record.js";
import type { WarmUp } from "./model/warm-up.js";
import { startWarmUp } from "./model/warm-up.js";
import type { FittedNotes } from "./notes/fit-notes.js";
import type { PermissionMode } from "./permissions/access.js";
import type { Rule } from "./permissions/command-rules.js";
import { READ_ONLY_RULES } from "./permissions/command-rules.js";
import type { BackgroundProcesses } from "./processes/background-processes.js";
import { createProcessRegistry } from "./processes/process-registry.js";
import type { SandboxState } from "./sandbox/sandbox.js";
import type { SavedSession } from "./sessions/session-file.js";
import type { SessionRecord } from "./sessions/records.js";
import type { SessionSummary } from "./sessions/session-summary.js";
import { createSessionStore } from "./sessions/session-store.js";
import type { ConversationStart } from "./setup/agent.js";
import { beginConversation } from "./setup/agent.js";
import { recallBackground } from "./setup/background.js";
import { setUpCommands } from "./setup/commands.js";
import type { Connection } from "./setup/connection.js";
import { cutNotices, isSame, notesRecord, readNotes, resumedNotes } from "./setup/notes.js";
import { createModelCare } from "./setup/model-care.js";
import type { Notice } from "./setup/notices.js";
import { cloudNotice, missedNotice, startNotices, warning } from "./setup/notices.js";
import { setUpPolicy } from "./setup/policy.js";
import { runUserCommand } from "./setup/user-command.js";
import { findSession } from "./setup/find-session.js";
import type { ResumedSession, SessionPosition } from "./setup/resume.js";
import { resumedRecord, resumeSession } from "./setup/resume.js";
import { createFileMemory } from "./tools/file-memory.js";
import { setUpUndo } from "./setup/undo.js";
import type { Undo } from "./undo/undo.js";

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
  /** Goes on with this saved session. */
  resume?: string | undefined;
}

type ThinkLevel = LoadedConfig["config"]["ollama"]["think"];

interface RunOptions {
  signal: AbortSignal;
  onOutput: (text: string) => void;
}

/** A prepared agent and what the command line needs around it. */
export interface App {
  readonly mode: PermissionMode;
  setMode(mode: PermissionMode): void;
  /** The rules in force, with those that answers have kept. */
  rules(): { allowed: readonly Rule[]; denied: readonly Rule[] };
  readonly thinkLevel: ThinkLevel;
  /** Whether the model can be told so. */
  readonly canThink: boolean;
  /** From the next request on; the conversation is kept. */
  setThinkLevel(level: ThinkLevel): Promise<void>;
  /** Where requests and raw replies are recorded; undefined while they are not. */
  debugFile(): string | undefined;
  /** From the next request on. */
  setDebug(on: boolean): Promise<void>;
  /** What the user should know before the first turn. */
  readonly notices: readonly Notice[];
  session(): SessionStart;
  /** How commands are confined. */
  sandbox(): Promise<SandboxState>;
  /** Until then nobody can be asked, and what needs an approval is denied. */
  setApprove(approve: Approve): void;
  prompt(text: string, options: PromptOptions): Promise<TurnEnd>;
  /** The text with the files that it names behind "@", as far as they may be read unasked and fit. */
  withFiles(text: string, signal: AbortSignal): Promise<string>;
  /** Runs a command of the user's own, unconfined, in the workspace. Never rejects for what the command does. */
  run(command: string, options: RunOptions): Promise<{ outcome: string; output: string }>;
  /** Commands that run in the background, and that have. */
  readonly background: BackgroundProcesses;
  /** Forgets the conversation; a new session begins. */
  clear(): Promise<void>;
  /**
   * Leaves this session for a saved one of the workspace; what the user should know of that one is returned. Throws
   * UserError if it cannot be had.
   */
  resume(id: string): Promise<readonly Notice[]>;
  /** The sessions of the workspace, the one used last first. */
  savedSessions(): Promise<SessionSummary[]>;
  /** Where the session stood when it was gone on with; undefined for a new one. */
  position(): SessionPosition | undefined;
  listModels(): Promise<string[]>;
  /** Goes on with another model; the conversation is kept. Throws UserError if it cannot be used. */
  useModel(name: string): Promise<void>;
  /** Shortens the conversation. */
  compact(signal: AbortSignal): Promise<Compacted>;
  contextUse(): Promise<ContextUse>;
  /**
   * Goes on in a new session with the first turns of this one, which stays as it is. Returns what the user should know
   * of what has changed since. Throws UserError.
   */
  fork(turns: number): Promise<readonly Notice[]>;
  /** Names the session in lists. */
  rename(title: string): void;
  /** The session as its file has it; undefined while there is none. */
  savedSession(): Promise<SavedSession | undefined>;
  /** What the model is told of the project's notes. */
  projectNotes(): readonly FittedNotes[];
  /** Tells the model the notes as they are now; the conversation is kept. */
  reloadNotes(): Promise<{ changed: boolean; notices: readonly Notice[] }>;
  /** Undo of the session, between two turns; undefined where it is off. */
  undo(): Undo | undefined;
  /** Lets the server load the model and read the prompt's beginning, until a prompt is sent. */
  warmUp(): void;
  /** Ends every process that commands have left and closes the session; what the user should know of that. */
  dispose(): Promise<readonly Notice[]>;
}

/**
 * The composition root: model → policy → tools → session → agent. Throws UserError if a wanted session cannot be
 * resumed.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { loaded, connection, workspaceRoot, platform } = options;
  const { config, folders } = loaded;
  const policySetup = await setUpPolicy(options);
  const { policy, shell, homeDir } = policySetup;
  const notices = startNotices({ loaded, connection, policy: policySetup, workspaceRoot });
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
  let approve: Approve | undefined;
  const unsaid: Notice[] = [];
  const store = createSessionStore({
    folder: join(folders.state, "sessions"),
    workspaceRoot,
    onFailure: (message) => unsaid.push(warning("not-saved", `this session is not being saved: ${message}`)),
  });

  let chosen = connection.chosen;
  /** What commands of a session change. */
  const changeable = { think: config.ollama.think, debug: config.debug };
  let warmUp: WarmUp | undefined;
  const begin = (start: Omit<ConversationStart, "chosen">) =>
    beginConversation(
      {
        ...options,
        loaded: withSettings(loaded, changeable),
        policy: policySetup,
        commands,
        approve: () => approve,
        isLoading: () => warmUp?.isLoading === true,
      },
      { chosen, ...start },
    );
  const notesPlace = { workspaceRoot, configFolder: folders.config };
  const newUndo = (records: readonly SessionRecord[]) => {
    const place = { wanted: config.undo, stateFolder: folders.state, workspaceRoot, homeDir, processes };
    return setUpUndo(place, records, (record) => current.log.append(record));
  };

  /** A new session, or a saved one that goes on. */
  async function open(resumed?: ResumedSession) {
    const read = await (resumed ? resumedNotes(notesPlace, resumed.records) : readNotes(notesPlace));
    const conversation = await begin({
      file: resumed?.log ?? store.create(),
      records: resumed?.records ?? [],
      hasBegun: resumed !== undefined,
      notes: read.files,
      memory: resumed?.memory ?? createFileMemory(),
      undo: newUndo(resumed?.records ?? []),
    });
    if (resumed) {
      recallBackground(processes.background, resumed.records);
      conversation.log.append(resumedRecord(resumed, conversation.session));
    }
    return {
      current: conversation,
      notes: read,
      note: resumed?.note,
      position: resumed?.position,
      notices: [...(resumed?.notices ?? []), ...read.notices, ...cutNotices(conversation.notes)],
    };
  }
  const saved = (id: string) => resumeSession(store, id, workspaceRoot);
  const first = await open(options.resume === undefined ? undefined : await saved(options.resume));
  let { current, notes, note, position } = first;
  notices.push(...first.notices);

  /** Another session of this workspace takes the place of the present one. Throws UserError; then nothing changes. */
  async function goOnWith(beginning: string): Promise<Notice[]> {
    const found = await findSession(
      { stateFolder: folders.state, workspaceRoot },
      { id: beginning, fork: false },
    );
    const resumed = await saved(found.id);
    await warmUp?.stop();
    current.log.close();
    if (found.model !== "" && !sameModel(found.model, chosen.name)) {
      const model = await connection.choose(found.model).catch((error: unknown) => messageOf(error));
      if (typeof model === "string") resumed.notices.push(missedNotice(found.model, chosen.name));
      else chosen = model;
    }
    const next = await open(resumed);
    ({ current, notes, note, position } = next);
    return [...next.notices, ...aboutModel()];
  }

  /** The same session with another model or other notes: the conversation is kept. */
  async function beginAgain(): Promise<void> {
    await warmUp?.stop();
    const { records, facts } = await current.agent.handOver();
    const hasBegun = current.log.hasBegun();
    const { file, memory, undo } = current;
    current = await begin({ file, records, hasBegun, notes: notes.files, facts, memory, undo });
  }

  const aboutModel = () => current.model.warnings.map(({ code, text }) => warning(code, text));
  notices.push(...aboutModel());

  const care = createModelCare(connection, (...told) => unsaid.push(...told));
  care.remember(chosen.name);

  if (connection.missed !== undefined) notices.push(missedNotice(connection.missed, chosen.name));
  if (chosen.details.cloud) notices.push(cloudNotice(chosen.name));
  if (config.debug) {
    notices.push(warning("debug", `requests are recorded in ${join(folders.state, "debug")}`));
  }

  return {
    get mode() {
      return policy.mode;
    },
    setMode: (mode) => policy.setMode(mode),
    rules: () => ({
      allowed: [
        ...(loaded.readOnlyDefaultsActive ? READ_ONLY_RULES.map(({ rule }) => rule) : []),
        ...policySetup.allowed,
        ...policy.keptForSession.map((text) => ({ text, origin: "this session" })),
      ],
      denied: policySetup.denied,
    }),
    get thinkLevel() {
      return changeable.think;
    },
    get canThink() {
      return chosen.details.capabilities?.includes("thinking") === true;
    },
    async setThinkLevel(think) {
      changeable.think = think;
      await beginAgain();
    },
    debugFile: () => (changeable.debug ? debugFileOf(folders.state, current.file.id) : undefined),
    async setDebug(debug) {
      changeable.debug = debug;
      await beginAgain();
    },
    notices,
    session: () => current.session,
    sandbox: () => commands.sandbox(),
    setApprove(given) {
      approve = given;
    },

    async prompt(text, { signal, onEvent, ...others }) {
      await warmUp?.makeWay();
      let checking = Promise.resolve();
      const tell = (event: AgentEvent) => {
        for (const notice of unsaid.splice(0)) onEvent(notice);
        // The first reply has come, so the model is loaded.
        if (event.type === "model-end") checking = checking.then(() => care.checkAllocation(current.model));
        if (event.type !== "turn-end") onEvent(event);
      };
      const told = { signal, onEvent: tell, note, ...others };
      note = undefined;
      const end = await current.agent.prompt(text, told);
      await checking;
      if (end.error?.code === "out-of-memory") await care.stepDown(current.model);
      for (const notice of unsaid.splice(0)) onEvent(notice);
      onEvent(end);
      return end;
    },

    withFiles: (text, signal) => withMentionedFiles(text, { ...current.reading, workspaceRoot, signal }),

    run: (command, { signal, onOutput }) =>
      runUserCommand(command, {
        processes,
        shell,
        cwd: workspaceRoot,
        env: options.env,
        signal,
        onOutput,
      }),

    warmUp() {
      const { agent, model } = current;
      warmUp = startWarmUp({
        load: (signal) => connection.client.load(model.settings.model, model.settings, signal),
        async read(signal) {
          await care.checkAllocation(current.model);
          await agent.warmUp(signal);
        },
        onFailure(error) {
          // The first prompt meets the same fault and tells it.
          if (config.debug) unsaid.push(warning("warm-up", messageOf(error)));
        },
      });
    },

    background: processes.background,

    async clear() {
      current.log.close();
      const next = await open();
      ({ current, notes, note, position } = next);
      unsaid.push(...next.notices);
    },

    resume: goOnWith,
    savedSessions: () => store.list(),
    position: () => position,

    async listModels() {
      return (await connection.client.installedModels()).map((model) => model.name);
    },

    async useModel(name) {
      chosen = await connection.choose(name);
      await beginAgain();
      unsaid.push(...aboutModel());
      const { model, contextWindow } = current.session;
      if (current.log.hasBegun()) current.log.append({ type: "model", at: now(), model, contextWindow });
      care.remember(chosen.name);
      if (chosen.details.cloud) unsaid.push(cloudNotice(name));
    },

    compact: (signal) => current.agent.compact(signal),
    contextUse: () => current.agent.contextUse(),
    fork: async (turns) => goOnWith(await store.fork(current.session.id, turns)),
    rename: (title) => current.log.append({ type: "title", at: now(), text: title }),
    savedSession: async () => (current.log.hasBegun() ? store.read(current.session.id) : undefined),
    projectNotes: () => current.notes,
    undo: () => current.undo,

    async reloadNotes() {
      const before = notes.files;
      notes = await readNotes(notesPlace);
      const changed = !isSame(before, notes.files);
      if (changed) {
        if (current.log.hasBegun()) current.log.append(notesRecord(notes.files));
        await beginAgain();
      }
      return { changed, notices: [...notes.notices, ...cutNotices(current.notes)] };
    },

    async dispose() {
      await warmUp?.stop();
      const told = config.ollama.unloadOnExit ? await care.unload(chosen.name) : [];
      await Promise.all([processes.dispose(), care.settled()]);
      current.log.close();
      return told;
    },
  };
}

function withSettings(
  loaded: LoadedConfig,
  { think, debug }: { think: ThinkLevel; debug: boolean },
): LoadedConfig {
  const { config } = loaded;
  return { ...loaded, config: { ...config, debug, ollama: { ...config.ollama, think } } };
}

function now(): string {
  return new Date().toISOString();
}
