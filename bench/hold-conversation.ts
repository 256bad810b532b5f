// Runs 200 tool rounds of 20 KB each in one conversation and prints how many MB of heap and buffers it then holds.
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { createAgent } from "../src/agent/agent.js";
import { createToolGate } from "../src/agent/tool-gate.js";
import { createContextBudget } from "../src/context/context-budget.js";
import { createResultRoom } from "../src/context/result-room.js";
import { call, say } from "../src/demo/reply.js";
import { startScriptedOllama } from "../src/demo/scripted-ollama.js";
import { createRequestForm } from "../src/model/call-protocol.js";
import { OllamaChatModel } from "../src/model/chat-model.js";
import { createOllamaClient } from "../src/model/ollama-client.js";
import { toWireTool } from "../src/tools/wire-schema.js";
import { defineTool } from "../src/tools/tool.js";

const ROUNDS_A_TURN = 20;
const TURNS = 10;
const RESULT_CHARS = 20_000;

const server = await startScriptedOllama({
  keepRequests: 0,
  replies: ({ messages }) => {
    const results = messages.length - messages.findLastIndex((message) => message.role === "user");
    return results / 2 < ROUNDS_A_TURN ? call("get_text", { name: String(messages.length) }) : say("Done.");
  },
});
const getText = defineTool({
  name: "get_text",
  description: "Gives a text.",
  schema: z.object({ name: z.string() }),
  effect: "read",
  touches: () => [],
  run: ({ name }) => Promise.resolve({ status: "ok", output: name.padEnd(RESULT_CHARS, `${name} `) }),
});
const client = createOllamaClient(server.url, { firstByteMs: 60_000, idleMs: 60_000 });
const budget = createContextBudget({ window: 2_000_000, numPredict: 100, fixed: "" });
const room = { ...createResultRoom(() => budget.window), maxChars: () => 2 * RESULT_CHARS };
const form = createRequestForm("scripted", "auto", "native");
const model = new OllamaChatModel(client, {
  model: "scripted",
  form,
  numCtx: 2_000_000,
  numPredict: 100,
  keepAlive: "5m",
  think: false,
  temperature: undefined,
});
const agent = createAgent({
  modelFor: () => model,
  mayBeQuiet: false,
  form,
  warmUpModel: model,
  isLoaded: () => Promise.resolve(true),
  systemPrompt: "You get texts.",
  words: { canEdit: true, isPlanning: () => false, fileText: () => undefined },
  reflects: true,
  tools: [toWireTool(getText)],
  gate: createToolGate({
    tools: [getText],
    policy: {
      mode: "default",
      setMode: () => undefined,
      keptForSession: [],
      judge: () => Promise.reject(new Error("it touches nothing")),
      allowForSession: () => undefined,
    },
    workspaceRoot: "/",
    approve: () => undefined,
    keepRules: () => Promise.resolve(),
    confinement: () => Promise.resolve(""),
    room,
    showsImages: () => false,
  }),
  log: { id: "bench", append: () => undefined, close: () => undefined },
  limits: { maxSteps: 1000, toolCalls: 1000, minutes: 1000, tokens: Infinity },
  budget,
  room,
  compactor: { compact: () => Promise.reject(new Error("the window is large enough")) },
  autoCompact: true,
  background: { takeEnded: () => [], now: () => undefined },
  records: [],
});

const turn = () => agent.prompt("go on", { signal: new AbortController().signal, onEvent: () => undefined });
const held = async () => {
  // Closing sockets still belong to the turn that opened them.
  await setTimeout(200);
  global.gc?.();
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
};

await turn(); // warms up: code, caches and pools are no part of the conversation
const before = await held();
for (let index = 0; index < TURNS; index++) {
  const end = await turn();
  if (end.outcome !== "done") throw new Error(JSON.stringify(end));
}
process.stdout.write(((await held()) - before).toFixed(2));
await server.close();
