import type { AgentEvent, TurnEnd } from "../../src/agent/agent-events.js";
import type { Approve } from "../../src/agent/approval.js";
import type { Steering } from "../../src/agent/steering.js";
import type { App } from "../../src/app.js";
import { runChat } from "../../src/cli/chat/chat.js";
import type { ChatOptions } from "../../src/cli/chat/chat.js";
import type { Unit } from "../../src/cli/editor/draft.js";
import { en } from "../../src/cli/messages/en.js";
import type { TerminalTraits } from "../../src/cli/render/terminal.js";
import { createProcessRegistry } from "../../src/processes/process-registry.js";
import { createKeyboard, createScreen } from "./screen.js";

export type Turn = (turn: {
  prompt: string;
  signal: AbortSignal;
  onEvent: (event: AgentEvent) => void;
  approve: Approve;
  steering: Steering;
}) => Promise<TurnEnd>;

/** An app in memory whose turns run as the test says. */
function createFakeApp(run: Turn, changed: Partial<App>) {
  const prompts: string[] = [];
  const state = { model: "qwen2.5:latest", cleared: 0 };
  let approve: Approve | undefined;
  const app: App = {
    mode: "default",
    setMode: () => undefined,
    rules: () => ({ allowed: [], denied: [] }),
    thinkLevel: "off",
    canThink: true,
    setThinkLevel: () => Promise.resolve(),
    debugFile: () => undefined,
    setDebug: () => Promise.resolve(),
    notices: [],
    session: () => ({
      type: "session",
      id: "s1",
      model: state.model,
      cwd: "/project",
      contextWindow: 16384,
      version: "0.1.0",
    }),
    setApprove(given) {
      approve = given;
    },
    async prompt(prompt, { signal, onEvent, steering }) {
      prompts.push(prompt);
      const end = await run({ prompt, signal, onEvent, approve: approve!, steering: steering! });
      onEvent(end);
      return end;
    },
    background: createProcessRegistry().background,
    withFiles: (text) => Promise.resolve(text),
    run: (command, { onOutput }) => {
      onOutput(`output of ${command}\n`);
      return Promise.resolve({ outcome: "exit code 0", output: `output of ${command}` });
    },
    compact: () => Promise.resolve({ tokensBefore: 0, tokensAfter: 0 }),
    contextUse: () =>
      Promise.resolve({
        window: 16_384,
        system: 500,
        tools: 1_000,
        conversation: 100,
        toolResults: 38,
        replyReserve: 4_096,
        free: 10_650,
        newest: undefined,
      }),
    fork: () => Promise.resolve([]),
    rename: () => undefined,
    savedSession: () => Promise.resolve(undefined),
    projectNotes: () => [],
    undo: () => undefined,
    reloadNotes: () => Promise.resolve({ changed: false, notices: [] }),
    warmUp: () => undefined,
    sandbox: () => Promise.resolve({ active: true, code: "bubblewrap", text: "sandbox: bubblewrap" }),
    resume: () => Promise.resolve([]),
    savedSessions: () => Promise.resolve([]),
    position: () => undefined,
    clear: () => {
      state.cleared++;
      return Promise.resolve();
    },
    listModels: () => Promise.resolve(["qwen2.5:latest", "llama3.2:3b"]),
    useModel: (name) => {
      state.model = name;
      return Promise.resolve();
    },
    dispose: () => Promise.resolve([]),
    ...changed,
  };
  return { app, prompts, state };
}

interface Surroundings extends Partial<Pick<ChatOptions, "messages" | "environment">> {
  columns?: number;
  rows?: number;
  traits?: Partial<TerminalTraits>;
  app?: Partial<App>;
}

/** A session on a terminal in memory, whose turns run as the test says. */
export function startChat(run: Turn, surroundings: Surroundings = {}) {
  const { columns, rows, traits, app, ...others } = surroundings;
  const fake = createFakeApp(run, app ?? {});
  const screen = createScreen(columns, rows);
  const keyboard = createKeyboard();
  const signals = new AbortController();
  const history: (readonly Unit[])[] = [];
  const ended = runChat({
    app: fake.app,
    input: keyboard,
    output: screen.output,
    messages: en,
    traits: { colourLevel: 0, animated: true, unicode: true, ...traits },
    notices: { bell: false, notify: "off" },
    history: {
      entries: () => history,
      add: (units) => history.unshift(units),
      saved: () => Promise.resolve(),
    },
    firstSteps: [],
    environment: {},
    doctor: () => Promise.resolve(),
    signal: signals.signal,
    ...others,
  });
  return { ...fake, screen, keyboard, signals, ended };
}

/** Types, one key after another as a person does. */
export function type(keyboard: { write(text: string): unknown }, text: string): void {
  for (const key of text) keyboard.write(key);
}
