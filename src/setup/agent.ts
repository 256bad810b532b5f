import type { SessionStart } from "../agent/agent-events.js";
import type { Agent } from "../agent/agent.js";
import { createAgent } from "../agent/agent.js";
import type { Approve } from "../agent/approval.js";
import { createCompactor } from "../agent/compactor.js";
import type { FileReading } from "../agent/mentioned-files.js";
import { workspaceText } from "../agent/shown-code.js";
import { systemPrompt } from "../agent/system-prompt.js";
import type { TaskFacts } from "../agent/task-facts.js";
import { createToolGate } from "../agent/tool-gate.js";
import type { LoadedConfig } from "../config/load-config.js";
import { createResultRoom } from "../context/result-room.js";
import type { ChatModelSettings } from "../model/chat-model.js";
import { OllamaChatModel } from "../model/chat-model.js";
import type { ChosenModel } from "../model/choose-model.js";
import { debugFileOf, recordTraffic } from "../model/debug-record.js";
import { hotter, thinkingLimit } from "../model/model-settings.js";
import { toolText } from "../model/text-protocol/tool-text.js";
import type { NotesFile } from "../notes/find-notes.js";
import type { FittedNotes } from "../notes/fit-notes.js";
import type { SessionRecord } from "../sessions/records.js";
import type { SessionLog } from "../sessions/session-log.js";
import { backgroundCommands } from "../tools/background-runs.js";
import { createBuiltinTools } from "../tools/builtin-tools.js";
import { bundledRipgrep } from "../tools/bundled-ripgrep.js";
import type { FileMemory } from "../tools/file-memory.js";
import { toWireTool } from "../tools/wire-schema.js";
import type { Undo } from "../undo/undo.js";
import type { CommandSetup } from "./commands.js";
import type { Connection } from "./connection.js";
import type { ModelSetup } from "./model.js";
import { setUpModel } from "./model.js";
import { notesFor, notesRecord, toldNotes } from "./notes.js";
import type { PolicySetup } from "./policy.js";
import { beginningWith } from "./session.js";

/** What a conversation is held with. */
export interface Conversation {
  agent: Agent;
  /** What `log` writes to. */
  file: SessionLog;
  log: ReturnType<typeof beginningWith>;
  session: SessionStart;
  model: ModelSetup;
  memory: FileMemory;
  /** What the model is told of the project's notes. */
  notes: readonly FittedNotes[];
  /** What it takes to read a file for the user. */
  reading: FileReading;
  undo: Undo | undefined;
}

/** What all conversations of a run share. */
export interface AgentSurroundings {
  loaded: LoadedConfig;
  connection: Connection;
  policy: PolicySetup;
  commands: CommandSetup;
  /** Real path. */
  workspaceRoot: string;
  platform: NodeJS.Platform;
  version: string;
  /** Bytes of the machine's memory. */
  memoryBytes: number;
  /** Undefined while nobody can be asked. */
  approve: () => Approve | undefined;
  /** Whether the model is being brought into memory ahead of the first prompt. */
  isLoading: () => boolean;
}

/** What one conversation begins with. */
export interface ConversationStart {
  chosen: ChosenModel;
  file: SessionLog;
  /** Records to go on from. */
  records: readonly SessionRecord[];
  /** The file holds the session's beginning already. */
  hasBegun: boolean;
  notes: readonly NotesFile[];
  /** Of the session, whichever model it is held with; undefined where it is off. */
  undo: Undo | undefined;
  /** Where another agent has handed over: what its conversation was about. */
  facts?: TaskFacts;
  /** What the model has seen of files. */
  memory: FileMemory;
}

/** Most tokens of a summary. */
const SUMMARY_TOKENS = 1_000;

/** Model, tools, gate and agent of one conversation: the same parts, put together anew. */
export async function beginConversation(
  surroundings: AgentSurroundings,
  { chosen, file, records, hasBegun, notes: files, undo, facts, memory }: ConversationStart,
): Promise<Conversation> {
  const { loaded, connection, policy, commands, workspaceRoot, platform, version } = surroundings;
  const { config, folders } = loaded;
  const tools = createBuiltinTools({
    commands: commands.settings,
    findRipgrep: bundledRipgrep,
    env: commands.env,
    memory,
  });
  const wireTools = tools.map(toWireTool);
  const promptFor = (window: number) =>
    systemPrompt({ workspaceRoot, platform, notes: toldNotes(notesFor(files, window), workspaceRoot) });
  const model = await setUpModel({
    loaded,
    connection,
    chosen,
    memoryBytes: surroundings.memoryBytes,
    fixed: (window, protocol) =>
      promptFor(window) + (protocol === "text" ? toolText(wireTools) : JSON.stringify(wireTools)),
    records,
  });
  const { settings, quiet, thoughtful, budget } = model;
  const prompt = promptFor(settings.numCtx);
  const session: SessionStart = {
    type: "session",
    id: file.id,
    model: chosen.name,
    cwd: workspaceRoot,
    contextWindow: settings.numCtx,
    version,
  };
  const server = config.debug
    ? recordTraffic(connection.client, debugFileOf(folders.state, file.id))
    : connection.client;
  const readingTools = tools.filter(({ effect }) => effect === "read").map(({ name }) => name);
  const mayBeQuiet = quiet !== settings.think;
  const mostThinking = mayBeQuiet ? thinkingLimit(settings.numPredict) : undefined;
  const modelWith = (other: Partial<ChatModelSettings>) =>
    new OllamaChatModel(server, { ...settings, mostThinking, readingTools, ...other });
  const start: SessionRecord = { v: 1, at: new Date().toISOString(), ...session };
  const log = beginningWith([start, ...(files.length > 0 ? [notesRecord(files)] : [])], file, hasBegun);
  const room = createResultRoom(() => budget.window);
  const agent = createAgent({
    modelFor: (how) =>
      modelWith({
        ...(how.thinks && { think: thoughtful, mostThinking: thinkingLimit(settings.numPredict) }),
        ...(how.quiet && { think: quiet, mostThinking: undefined }),
        ...(how.heat > 0 && { temperature: hotter(settings.temperature, how.heat) }),
      }),
    mayBeQuiet,
    form: settings.form,
    warmUpModel: modelWith({ numPredict: 1 }),
    isLoaded: async () => !surroundings.isLoading() && (await model.isLoaded()),
    gate: createToolGate({
      tools,
      policy: policy.policy,
      workspaceRoot,
      room,
      showsImages: (mediaType) => settings.form.sendsImages(mediaType),
      approve: surroundings.approve,
      confinement: () => commands.confinement(),
      keepRules: policy.keep,
      undo,
    }),
    tools: wireTools,
    reflects: config.reflection,
    words: {
      canEdit: tools.some(({ name }) => name === "edit_file" || name === "write_file"),
      isPlanning: () => policy.policy.mode === "plan",
      fileText: workspaceText(workspaceRoot),
    },
    log,
    systemPrompt: prompt,
    limits: { maxSteps: config.maxSteps, ...config.limits },
    budget,
    room,
    compactor: createCompactor({
      summariser: modelWith({ numPredict: Math.min(settings.numPredict, SUMMARY_TOKENS), think: quiet }),
      systemPrompt: prompt,
      tools: wireTools,
      budget,
    }),
    autoCompact: config.autoCompact,
    background: backgroundCommands(commands.settings.processes.background),
    records,
    undo,
    ...(facts && { facts }),
  });
  const reading = { tools, policy: policy.policy, maxChars: () => room.maxChars() };
  return { agent, file, log, session, model, memory, undo, notes: notesFor(files, settings.numCtx), reading };
}
