import { describe, expect, it } from "vitest";
import { call, say, silence } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import type { RunnerBehaviour } from "../../src/demo/scripted-models.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatLines, postChat } from "./ndjson.js";

const system = { role: "system", content: "You work with care. ".repeat(100) };
const user = (content: string) => ({ role: "user", content });
const toolCall = { function: { name: "read_file", arguments: { path: "a.js" } } };
const called = { role: "assistant", content: "Reading.", tool_calls: [toolCall] };
const result = { role: "tool", content: "const a = 1;", tool_name: "read_file" };

function serverWith(runner: RunnerBehaviour, replies?: readonly Reply[]) {
  return scriptedOllama({
    models: [{ name: "scripted", runner }],
    replies: replies ?? (() => call("read_file", { path: "a.js" }, { text: "Reading." })),
  });
}

const figures = ({ requests }: ScriptedOllama) => requests.flatMap(({ prompt }) => prompt ?? []);

describe("the prompt cache of a model with a runner", () => {
  it("spares what the last prompt and its reply have in common with the next prompt", async () => {
    const server = await serverWith({ promptMsPerToken: 3 });
    const first = [system, user("go")];
    const one = (await chatLines(server.url, { messages: first })).at(-1)!;
    const two = (await chatLines(server.url, { messages: [...first, called, result] })).at(-1)!;
    const [cold, warm] = figures(server);
    expect(cold).toMatchObject({ cachedTokens: 0, readTokens: one.prompt_eval_count });
    expect(one.prompt_eval_duration).toBe(one.prompt_eval_count! * 3e6);
    expect(warm!.cachedTokens).toBeGreaterThan(cold!.promptTokens);
    expect(warm!.readTokens).toBeLessThan(30);
    expect(two.prompt_eval_count).toBe(warm!.cachedTokens + warm!.readTokens);
    expect(two.prompt_eval_duration).toBe(warm!.readTokens * 3e6);
  });

  it("loses all behind the first token that differs", async () => {
    const server = await serverWith({});
    await chatLines(server.url, { messages: [system, user("go")] });
    await chatLines(server.url, { messages: [system, user("stop")] });
    await chatLines(server.url, {
      messages: [{ ...system, content: `Today. ${system.content}` }, user("go")],
    });
    const [cold, tail, early] = figures(server);
    expect(tail!.cachedTokens).toBeGreaterThan(cold!.promptTokens - 10);
    expect(tail!.cachedTokens).toBeLessThan(cold!.promptTokens);
    expect(early!.cachedTokens).toBeLessThan(5);
  });

  it("reads at least the last token of a prompt that it has in whole", async () => {
    const server = await serverWith({});
    for (let round = 0; round < 2; round += 1) await chatLines(server.url);
    expect(figures(server)[1]?.readTokens).toBe(1);
  });

  it("is of no use to a model that cannot roll back unless the new prompt extends the old one", async () => {
    const server = await serverWith({ appendOnly: true });
    await chatLines(server.url, { messages: [system, user("go")] });
    await chatLines(server.url, { messages: [system, user("go"), called, result] });
    await chatLines(server.url, {
      messages: [system, user("go"), { ...called, content: "Reading" }, result],
    });
    const [cold, extended, edited] = figures(server);
    expect(extended!.cachedTokens).toBeGreaterThan(cold!.promptTokens);
    expect(edited!.cachedTokens).toBe(0);
  });

  it("is filled by a request that only warms up, which uses up no reply", async () => {
    const server = await serverWith({}, [say("the first reply")]);
    const options = { num_predict: 1 };
    const warmUp = await chatLines(server.url, { messages: [system, user("hi")], options });
    expect(warmUp.at(-1)?.eval_count).toBe(1);
    expect((await chatLines(server.url, { messages: [system, user("Fix it.")] }))[0]?.message?.content).toBe(
      "the",
    );
    const [cold, warm] = figures(server);
    expect(warm!.cachedTokens).toBeGreaterThan(cold!.promptTokens - 10);
  });

  it("is lost with the loaded model", async () => {
    const server = await serverWith({});
    await chatLines(server.url);
    await chatLines(server.url, { options: { num_ctx: 8192 } });
    expect(figures(server)[1]?.cachedTokens).toBe(0);
  });

  it("keeps what was read when the client leaves", async () => {
    const server = await serverWith({ realPromptMsPerToken: 2 }, [say("the only reply")]);
    const messages = [system, user("go")];
    const abort = new AbortController();
    const left = expect(postChat(server.url, { messages }, abort.signal)).rejects.toThrow("aborted");
    await server.waitFor(({ requests }) => requests[0]?.prompt !== undefined);
    setTimeout(() => {
      abort.abort();
    }, 100);
    await left;
    await server.waitFor(({ openRequests }) => openRequests === 0);
    expect((await chatLines(server.url, { messages }))[0]?.message?.content).toBe("the");
    const [cancelled, second] = figures(server);
    expect(cancelled!.readTokens).toBeGreaterThan(0);
    expect(cancelled!.readTokens).toBeLessThan(cancelled!.promptTokens);
    expect(second!.cachedTokens).toBe(cancelled!.readTokens);
  });

  it("serves one request at a time: the next one waits until the connection before it is done or gone", async () => {
    const server = await serverWith({}, [silence(), say("second")]);
    const abort = new AbortController();
    const first = expect(postChat(server.url, {}, abort.signal)).rejects.toThrow("aborted");
    await server.waitFor(({ requests }) => requests[0]?.prompt !== undefined);
    const second = chatLines(server.url);
    await server.waitFor(({ openRequests }) => openRequests === 2);
    expect(server.requests[1]?.prompt).toBeUndefined();
    abort.abort();
    await first;
    expect((await second)[0]?.message?.content).toBe("second");
  });
});
