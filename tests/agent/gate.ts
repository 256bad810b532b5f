import type { AgentEvent } from "../../src/agent/agent-events.js";
import type { ApprovalRequest, Approve } from "../../src/agent/approval.js";
import type { GateTurn, ToolGateOptions } from "../../src/agent/tool-gate.js";
import { createToolGate } from "../../src/agent/tool-gate.js";
import { createResultRoom } from "../../src/context/result-room.js";
import type { SessionRecord } from "../../src/sessions/records.js";
import { noteTools, policy, ROOT } from "./tools.js";

/** The gate by itself, in a turn that only keeps what it is told. */
export function makeGate(options: Partial<ToolGateOptions> = {}, turn: Partial<GateTurn> = {}) {
  const events: AgentEvent[] = [];
  const records: SessionRecord[] = [];
  const kept: string[] = [];
  const { tools, journal, notes } = noteTools();
  const gate = createToolGate({
    tools,
    policy: policy(),
    workspaceRoot: ROOT,
    approve: () => undefined,
    keepRules: (rules, keep) => {
      kept.push(...rules.map((rule) => `${keep}: ${rule}`));
      return Promise.resolve();
    },
    confinement: () => Promise.resolve("no sandbox"),
    room: createResultRoom(() => 16_384),
    showsImages: () => false,
    ...options,
  });
  const gateTurn: GateTurn = {
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    record: (record) => records.push(record),
    whileAsking: (ask) => ask(),
    replyTold: () => Promise.resolve(true),
    refusal: () => undefined,
    storedResult: () => undefined,
    wrongCall: () => 1,
    noteAfter: () => undefined,
    news: () => undefined,
    ...turn,
  };
  let count = 0;
  return {
    events,
    records,
    journal,
    notes,
    kept,
    run: (name: string, args: Record<string, unknown>) =>
      gate.run({ type: "tool_call", id: `c${++count}`, name, args }, gateTurn),
    types: () => events.map(({ type }) => type),
    end: () => events.findLast((event) => event.type === "tool-end"),
    permission: () => events.findLast((event) => event.type === "permission"),
  };
}

/** Somebody who gives one answer to every question. */
export const answering =
  (answer: Awaited<ReturnType<Approve>>, asked: ApprovalRequest[] = []): (() => Approve) =>
  () =>
  (request) => {
    asked.push(request);
    return Promise.resolve(answer);
  };
