import { describe, expect, it } from "vitest";
import { call, say, think } from "../../src/demo/reply.js";
import type { RunnerBehaviour } from "../../src/demo/scripted-models.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatLines, refusal } from "./ndjson.js";

const TOO_LONG =
  "the prompt is longer than the context length currently available to the model; shorten the prompt, " +
  "adjust the context length in settings, or use a model with a longer context length";

const words = (count: number) => "word ".repeat(count);
const user = (content: string) => ({ role: "user", content });
const system = { role: "system", content: "You are brief." };
const answer = { role: "assistant", content: "Yes." };

function serverWith(runner: RunnerBehaviour, contextLength = 32_768) {
  return scriptedOllama({
    models: [{ name: "scripted", contextLength, runner, capabilities: ["completion", "tools", "thinking"] }],
    replies: () => say("one two three four"),
  });
}

describe("the window of a model with a runner", () => {
  it("counts system message, tools, calls, results and the current turn's thinking", async () => {
    const { url } = await serverWith({});
    const toolCall = { function: { name: "read_file", arguments: { path: "a.js" } } };
    const bodies = [
      { messages: [user("hi")] },
      { messages: [system, user("hi")] },
      {
        messages: [system, user("hi")],
        tools: [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }],
      },
      { messages: [user("hi"), { ...answer, thinking: "It is so.", tool_calls: [toolCall] }] },
      { messages: [user("hi"), { ...answer, tool_calls: [toolCall] }] },
      { messages: [user("hi"), { ...answer, thinking: "It is so." }, user("and?")] },
      { messages: [user("hi"), answer, user("and?")] },
    ];
    const counts = [];
    for (const body of bodies) counts.push((await chatLines(url, body)).at(-1)?.prompt_eval_count ?? 0);
    const [bare, withSystem, withTools, thinking, noThinking, oldThinking, noOldThinking] = counts;
    expect(withSystem).toBeGreaterThan(bare!);
    expect(withTools).toBeGreaterThan(withSystem! + 10);
    expect(thinking).toBeGreaterThan(noThinking!);
    expect(oldThinking).toBe(noOldThinking);
  });

  it("drops the oldest messages but no system message, and says nothing of it", async () => {
    const server = await serverWith({});
    const messages = [system, user(words(300)), answer, user(words(300)), answer, user("and now?")];
    const lines = await chatLines(server.url, { messages, options: { num_ctx: 400 } });
    expect(lines.map(({ message }) => message?.content).join("")).toBe("one two three four");
    expect(server.requests[0]?.prompt).toMatchObject({ droppedMessages: 1, cut: false, contextLength: 400 });
    expect(lines.at(-1)?.prompt_eval_count).toBe(server.requests[0]?.prompt?.promptTokens);
  });

  it("cuts to half of the window and two tokens what is too long without the oldest messages", async () => {
    const server = await serverWith({});
    const lines = await chatLines(server.url, { messages: [system, user(words(9000))] });
    expect(lines.at(-1)?.prompt_eval_count).toBe(2050);
    expect(server.requests[0]?.prompt).toMatchObject({ cut: true, promptTokens: 2050, contextLength: 4096 });
  });

  it("refuses on the rendered path what does not fit and may not be shifted", async () => {
    const { url, requests } = await serverWith({});
    const messages = [user(words(9000))];
    const refused = { status: 400, error: TOO_LONG };
    expect(await refusal(url, { messages, truncate: false, shift: false })).toEqual(refused);
    expect(await refusal(url, { messages, shift: false })).toEqual(refused);
    expect(requests.map(({ prompt }) => prompt)).toEqual([undefined, undefined]);
  });

  it.each([
    ["on the native path", { path: "native" }, { shift: false, truncate: false }],
    ["on the native path in any case", { path: "native" }, {}],
    ["on the rendered path without truncation", {}, { truncate: false }],
  ] as const)("refuses %s in llama.cpp's words", async (_, runner, fields) => {
    const { url } = await serverWith(runner);
    const { status, error } = await refusal(url, { messages: [user(words(9000))], ...fields });
    const detail = (JSON.parse(error) as { error: Record<string, unknown> }).error;
    const tokens = Number(detail["n_prompt_tokens"]);
    expect(tokens).toBeGreaterThan(9000);
    expect([status, detail]).toEqual([
      400,
      {
        code: 400,
        message: `request (${tokens} tokens) exceeds the available context size (4096 tokens), try increasing it`,
        type: "exceed_context_size_error",
        n_prompt_tokens: tokens,
        n_ctx: 4096,
      },
    ]);
  });

  it("never takes more than the trained length", async () => {
    const { url } = await serverWith({}, 1024);
    const body = { messages: [user(words(2000))], truncate: false, shift: false };
    expect((await refusal(url, { ...body, options: { num_ctx: 65_536 } })).status).toBe(400);
  });

  it("lets a refused request use up no reply", async () => {
    const { url } = await scriptedOllama({
      models: [{ name: "scripted", runner: {} }],
      replies: [say("still here")],
    });
    await refusal(url, { messages: [user(words(9000))], truncate: false, shift: false });
    expect((await chatLines(url))[0]?.message?.content).toBe("still");
  });

  it("refuses a conversation without a user message for models that need one, also after it dropped them", async () => {
    const { url } = await serverWith({ needsUserMessage: true });
    const refused = { status: 500, error: "no user query found in messages" };
    const result = { role: "tool", content: words(50) };
    expect(await refusal(url, { messages: [system, answer] })).toEqual(refused);
    expect(await refusal(url, { messages: [user(" "), answer] })).toEqual(refused);
    const eaten = { messages: [user(words(300)), answer, result], options: { num_ctx: 200 } };
    expect(await refusal(url, eaten)).toEqual(refused);
    expect((await chatLines(url, { messages: [user("hi"), answer, result] })).at(-1)?.done).toBe(true);
  });
});

describe("the length of a reply", () => {
  it("ends with the window when nothing may be shifted", async () => {
    const { url } = await serverWith({});
    const asked = { messages: [user("hi")], shift: false, truncate: false };
    const promptTokens = (await chatLines(url, asked)).at(-1)?.prompt_eval_count ?? 0;
    const lines = await chatLines(url, { ...asked, options: { num_ctx: promptTokens + 2 } });
    expect(lines.map(({ message }) => message?.content).join("")).toBe("one two");
    expect(lines.at(-1)).toMatchObject({ done_reason: "length", eval_count: 2 });
    const shifted = await chatLines(url, { ...asked, shift: true, options: { num_ctx: promptTokens + 2 } });
    expect(shifted.at(-1)).toMatchObject({ done_reason: "stop", eval_count: 4 });
  });

  it("ends with num_predict, which counts thinking and may cut off a call", async () => {
    const { url } = await scriptedOllama({
      models: [{ name: "scripted", runner: {}, capabilities: ["completion", "tools", "thinking"] }],
      replies: () => think("let me see", call("read_file", { path: "a" }, { text: "Reading." })),
    });
    const at = async (num_predict: number) => {
      const lines = await chatLines(url, { think: true, options: { num_predict } });
      const message = lines.flatMap((line) => line.message ?? []);
      return {
        thinking: message.map((each) => each.thinking ?? "").join(""),
        text: message.map((each) => each.content).join(""),
        calls: message.flatMap((each) => each.tool_calls ?? []).length,
        reason: lines.at(-1)?.done_reason,
        count: lines.at(-1)?.eval_count,
      };
    };
    expect(await at(2)).toEqual({ thinking: "let me", text: "", calls: 0, reason: "length", count: 2 });
    expect(await at(4)).toEqual({
      thinking: "let me see",
      text: "Reading.",
      calls: 0,
      reason: "length",
      count: 4,
    });
    expect(await at(5)).toMatchObject({ calls: 1, reason: "stop", count: 5 });
    expect(await at(-1)).toMatchObject({ calls: 1, reason: "stop" });
  });
});
