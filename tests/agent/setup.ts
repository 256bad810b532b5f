import { expect } from "vitest";
import type { Agent, AgentOptions } from "../../src/agent/agent.js";
import { createCompactor } from "../../src/agent/compactor.js";
import { createAgent } from "../../src/agent/agent.js";
import type { AgentEvent, TurnEnd } from "../../src/agent/agent-events.js";
import type { ToolGateOptions } from "../../src/agent/tool-gate.js";
import { createToolGate } from "../../src/agent/tool-gate.js";
import type { TurnLimits } from "../../src/agent/turn-limits.js";
import { createContextBudget } from "../../src/context/context-budget.js";
import { createResultRoom } from "../../src/context/result-room.js";
import type { ChatMessage } from "../../src/demo/chat-request.js";
import type { RunnerBehaviour } from "../../src/demo/scripted-models.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import type { ProtocolSetting } from "../../src/model/call-protocol.js";
import { createRequestForm } from "../../src/model/call-protocol.js";
import type { ChatModelSettings, Think } from "../../src/model/chat-model.js";
import { hotter } from "../../src/model/model-settings.js";
import type { SessionRecord } from "../../src/sessions/records.js";
import type { Tool } from "../../src/tools/tool.js";
import { toWireTool } from "../../src/tools/wire-schema.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatModel } from "../model/model.js";
import { noteTools, policy, ROOT } from "./tools.js";

const THINKER = { name: "scripted", capabilities: ["completion", "tools", "thinking"] };

interface Setup extends Pick<ScriptedOllamaOptions, "replies" | "machine"> {
  /** How the model runs; without it requests of any length are answered at once. */
  runner?: RunnerBehaviour;
  /** Of the model; off if nothing is said. */
  think?: Think;
  /** Of a request that need not think; without it there is no such model. */
  quiet?: Think;
  /** Of a request to think something over; as usual if nothing is said. */
  thoughtful?: Think;
  /** Tokens of thinking before a word of an answer. */
  mostThinking?: number;
  protocol?: ProtocolSetting;
  tools?: readonly Tool[];
  limits?: Partial<TurnLimits>;
  gate?: Partial<ToolGateOptions>;
  agent?: Partial<AgentOptions>;
  patience?: { firstByteMs?: number; idleMs?: number };
  /** Tokens of the context window. */
  window?: number;
}

const SYSTEM = "You keep notes.";

export interface TestAgent {
  agent: Agent;
  server: ScriptedOllama;
  /** Of all turns. */
  events: AgentEvent[];
  records: SessionRecord[];
  notes: Map<string, string>;
  journal: string[];
  prompt: (text: string, signal?: AbortSignal) => Promise<TurnEnd>;
  /** Cancels soon after the first event for which `when` holds, but not before its request has reached the server. */
  promptAndCancel: (text: string, when: (event: AgentEvent) => boolean) => Promise<TurnEnd>;
  /** The messages of the newest chat request. */
  sent: () => ChatMessage[];
}

/** The agent with the real chat model against a scripted server, with tools over notes in memory. */
export async function makeAgent(setup: Setup): Promise<TestAgent> {
  const { replies = [], machine, runner, think = false, quiet } = setup;
  const server = await scriptedOllama({
    models: [{ ...THINKER, ...(runner && { runner }) }],
    replies,
    ...(machine && { machine }),
  });
  const { tools: noteToolList, notes, journal } = noteTools();
  const tools = setup.tools ?? noteToolList;
  const events: AgentEvent[] = [];
  const records: SessionRecord[] = [];
  const numCtx = setup.window ?? 16_384;
  const form = createRequestForm("scripted", setup.protocol ?? "auto", "native");
  const modelWith = (settings: Partial<ChatModelSettings>) =>
    chatModel(server.url, { form, numCtx, think, ...settings }, setup.patience);
  const wireTools = tools.map(toWireTool);
  const budget = createContextBudget({
    window: numCtx,
    numPredict: 1_000,
    fixed: SYSTEM + JSON.stringify(wireTools),
  });
  const room = createResultRoom(() => budget.window);
  const agent = createAgent({
    modelFor: (how) =>
      modelWith({
        ...(how.thinks && { think: setup.thoughtful ?? think }),
        ...(how.quiet && { think: quiet }),
        mostThinking: how.quiet ? undefined : setup.mostThinking,
        ...(how.heat > 0 && { temperature: hotter(undefined, how.heat) }),
      }),
    mayBeQuiet: quiet !== undefined,
    form,
    warmUpModel: modelWith({ numPredict: 1 }),
    isLoaded: () => Promise.resolve(true),
    words: { canEdit: true, isPlanning: () => false, fileText: () => undefined },
    reflects: true,
    systemPrompt: SYSTEM,
    tools: wireTools,
    gate: createToolGate({
      tools,
      policy: policy(),
      workspaceRoot: ROOT,
      approve: () => undefined,
      keepRules: () => Promise.resolve(),
      confinement: () => Promise.resolve("no sandbox"),
      room,
      showsImages: (mediaType) => form.sendsImages(mediaType),
      ...setup.gate,
    }),
    log: { id: "s", append: (record) => records.push(record), close: () => undefined },
    limits: { maxSteps: 20, toolCalls: 100, minutes: 10, tokens: 1_000_000, ...setup.limits },
    budget,
    room,
    compactor: createCompactor({
      summariser: modelWith({ think: quiet ?? false }),
      systemPrompt: SYSTEM,
      tools: wireTools,
      budget,
    }),
    autoCompact: true,
    background: { takeEnded: () => [], now: () => undefined },
    records: [],
    ...setup.agent,
  });

  const prompt = (text: string, signal = new AbortController().signal) =>
    agent.prompt(text, { signal, onEvent: (event) => events.push(event) });

  return {
    agent,
    server,
    events,
    records,
    notes,
    journal,
    prompt,
    promptAndCancel(text, when) {
      const control = new AbortController();
      let cancelled = false;
      return agent.prompt(text, {
        signal: control.signal,
        onEvent: (event) => {
          events.push(event);
          if (cancelled || !when(event)) return;
          cancelled = true;
          const steps = events.filter(({ type }) => type === "model-start").length;
          void server
            .waitFor(({ requests }) => requests.length === steps)
            .then(() =>
              setTimeout(() => control.abort(new DOMException("cancelled by the user", "AbortError")), 50),
            );
        },
      });
    },
    sent: () => server.chatBodies().at(-1)?.messages ?? [],
  };
}

/**
 * A conversation that any chat template takes: system first, then turns of user and assistant, each call answered
 * once and at once, nobody speaking twice in a row.
 */
export function expectValidConversation(messages: readonly ChatMessage[]): void {
  const shown = JSON.stringify(messages, undefined, 1);
  expect(messages[0]?.role, shown).toBe("system");
  const ids = new Set<string>();
  const open: string[] = [];
  let previous = "system";
  for (const { role, content, tool_calls = [], tool_call_id, tool_name } of messages.slice(1)) {
    if (role === "tool") {
      expect(open.shift(), shown).toBe(tool_call_id);
      expect(tool_name, shown).toBeTruthy();
    } else {
      expect(open, shown).toEqual([]);
      if (role === "user") expect(["system", "assistant"], shown).toContain(previous);
      if (role === "assistant") {
        expect(["user", "tool"], shown).toContain(previous);
        expect(content !== "" || tool_calls.length > 0, `an empty assistant message in ${shown}`).toBe(true);
      }
    }
    for (const { id = "" } of tool_calls) {
      expect(ids.has(id) || id === "", `the id ${id} twice in ${shown}`).toBe(false);
      ids.add(id);
      open.push(id);
    }
    previous = role;
  }
  expect(open, shown).toEqual([]);
}

/** One line for each message: role, and what it says or calls. */
export function outline(messages: readonly ChatMessage[]): string[] {
  return messages.map(({ role, content, tool_calls = [] }) =>
    [`${role}: ${content}`, ...tool_calls.map((call) => `→ ${call.function.name}`)].join(" ").trim(),
  );
}

/** Every start of a call has exactly one end, after it. */
export function expectEveryCallEnded(events: readonly AgentEvent[]): void {
  const running = new Set<string>();
  const ended = new Set<string>();
  for (const event of events) {
    if (event.type === "tool-start") {
      expect(running.has(event.id) || ended.has(event.id)).toBe(false);
      running.add(event.id);
    }
    if (event.type === "tool-end") {
      expect(running.delete(event.id), `tool-end without a start: ${event.id}`).toBe(true);
      ended.add(event.id);
    }
  }
  expect([...running]).toEqual([]);
}
