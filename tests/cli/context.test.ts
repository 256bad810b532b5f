import { totalmem } from "node:os";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../src/demo/chat-request.js";
import { call, say } from "../../src/demo/reply.js";
import type { RunnerBehaviour } from "../../src/demo/scripted-models.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { startWarmUp } from "../../src/model/warm-up.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import { askPlace } from "./ask-setup.js";
import { AT_PROMPT } from "./session-terminal.js";

const MODEL_BYTES = 2 ** 30;
const KV_BYTES = 65_536;

const model = (runner: RunnerBehaviour = {}) => ({
  name: "scripted",
  size: MODEL_BYTES,
  runner: { kvBytesPerToken: KV_BYTES, ...runner },
});
const chats = ({ requests }: ScriptedOllama) => requests.filter(({ path }) => path === "/api/chat");
const asksForSummary = ({ messages }: ChatRequest) =>
  messages.at(-1)?.content.includes("Write a summary") === true;

describe("a window that spills out of the GPU's memory", () => {
  const spilling = { vram: MODEL_BYTES + 5000 * KV_BYTES, memory: totalmem() };

  it("is told with the remedy, and halved for the sessions after, unless the user names one", async () => {
    const { ask, server } = await askPlace({
      models: [model()],
      machine: spilling,
      replies: () => say("Hi."),
    });
    const first = await ask(["hi"]);
    expect(first.stderr).toMatch(/\d+ % of scripted:latest does not fit into the GPU's memory/);
    expect((await ask(["hi"])).code).toBe(0);
    expect((await ask(["hi"])).code).toBe(0);
    const named = await ask(["hi", "--num-ctx", "6000"]);
    expect(named.stderr).toContain("use a smaller model");
    const [full, half, again, own] = server.chatBodies().map(({ options }) => options?.["num_ctx"]);
    expect([half, again, own]).toEqual([Number(full) / 2, Number(full) / 2, 6000]);
  });
});

describe("a long task on the command line", () => {
  it("ends in an answer with one window, one load and nothing refused, with the tools as they are", async () => {
    let round = 0;
    const { ask, place, server } = await askPlace({
      models: [model({ needsUserMessage: true })],
      replies: (request) => {
        if (asksForSummary(request)) return say("Some files were read; nothing was found yet.");
        round += 1;
        return round <= 30 ? call("read_file", { path: `file-${round}.ts` }) : say("It is in file 7.");
      },
    });
    for (let file = 1; file <= 30; file += 1) {
      place.file(`file-${file}.ts`, `export const value${file} = "some text of this file";\n`.repeat(400));
    }
    const args = ["Find the mistake. Change no file.", "--num-ctx", "8192", "--output-format", "stream-json"];
    const { code, stdout } = await ask(args, { env: { MINI_CC_MAX_STEPS: "100" } });
    expect(code).toBe(0);
    expect(stdout).toContain("It is in file 7.");
    expect(stdout).toContain('"type":"context-compacted"');
    for (const { prompt } of chats(server)) expect(prompt).toMatchObject({ cut: false, contextLength: 8192 });
    expect(server.loads).toHaveLength(1);
    expect(JSON.stringify(server.chatBodies().at(-1)?.messages)).toContain(
      "Find the mistake. Change no file.",
    );
  });

  it("is one conversation with the session that goes on after it", async () => {
    let round = 0;
    const { ask, place, server } = await askPlace({
      models: [model()],
      replies: (request) => {
        if (asksForSummary(request)) return say("Files were read.");
        round += 1;
        return round <= 8 ? call("read_file", { path: "a.ts", start_line: round * 10 }) : say("Done.");
      },
    });
    place.file("a.ts", "export const value = 'some text of this file';\n".repeat(400));
    const window = ["--num-ctx", "8192"];
    await ask(["Find the mistake. Change no file.", ...window]);
    expect(server.chatBodies().some(asksForSummary)).toBe(true);
    const before = server.chatBodies().at(-1)!.messages;
    expect((await ask(["And?", "--continue", ...window])).code).toBe(0);
    const after = server.chatBodies().at(-1)!.messages;
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)?.content).toBe("And?");
  });
});

describe("the warm start of an interactive session", () => {
  const session = async (script: ScriptedOllamaOptions, config: object = {}) => {
    const server = await scriptedOllama({ models: [model()], replies: () => say("Hi."), ...script });
    const place = createPlace({ OLLAMA_HOST: server.url });
    place.userConfig({ sandbox: "off", ...config });
    const terminal = runInTerminal(place, ["--num-ctx", "8192"]);
    await terminal.waitFor(AT_PROMPT);
    return { server, terminal };
  };

  it("loads the model and reads the beginning, so that the first prompt reads only itself", async () => {
    const { server, terminal } = await session({});
    await server.waitFor((seen) => chats(seen).length === 2 && seen.openRequests === 0);
    terminal.type("hello\r");
    await terminal.waitFor("Hi.");
    const [load, warm, real] = server.chatBodies();
    const [, read, prompt] = chats(server).map(({ prompt: figures }) => figures);
    expect(load).toMatchObject({ messages: [], options: { num_ctx: 8192 } });
    expect(warm!.messages.at(-1)).toEqual({ role: "user", content: "Hi" });
    const options = (body?: ChatRequest) => ({ ...body?.options, num_predict: undefined });
    expect({ ...warm, messages: undefined, options: options(warm) }).toEqual({
      ...real,
      messages: undefined,
      options: options(real),
    });
    expect(warm!.options?.["num_predict"]).toBe(1);
    expect(prompt!.cachedTokens).toBeGreaterThan(read!.promptTokens - 10);
    expect(server.loads).toHaveLength(1);
  });

  it("ends at once when a prompt is sent, and what was read by then need not be read again", async () => {
    const { server, terminal } = await session({ models: [model({ realPromptMsPerToken: 2 })] });
    await server.waitFor((seen) => chats(seen)[1]?.prompt !== undefined);
    terminal.type("hello\r");
    await terminal.waitFor("Hi.");
    const [, warm, real] = chats(server);
    expect(warm!.aborted).toBe(true);
    expect(real!.prompt!.cachedTokens).toBe(warm!.prompt!.readTokens);
    expect(server.loads).toHaveLength(1);
  });

  it("does not have the model loaded anew when the prompt comes during the load", async () => {
    const { server, terminal } = await session({ models: [model({ realLoadMs: 2_500 })] });
    await server.waitFor((seen) => chats(seen).length === 1);
    terminal.type("hello\r");
    await terminal.waitFor("Hi.");
    expect(chats(server).map(({ aborted }) => aborted)).toEqual([false, false]);
    expect(server.loads).toHaveLength(1);
  });

  it("is off by configuration", async () => {
    const { server, terminal } = await session({}, { warmStart: false });
    terminal.type("hello\r");
    await terminal.waitFor("Hi.");
    expect(chats(server)).toHaveLength(1);
  });

  it("ends with the session, which frees the memory if that is wanted", async () => {
    const { server, terminal } = await session(
      { models: [model({ realPromptMsPerToken: 20 })] },
      { ollama: { unloadOnExit: true } },
    );
    await server.waitFor((seen) => chats(seen)[1]?.prompt !== undefined);
    terminal.type("\x04");
    expect((await terminal.ended).code).toBe(0);
    await server.waitFor(({ openRequests }) => openRequests === 0);
    expect(chats(server)[1]!.aborted).toBe(true);
    expect(server.chatBodies().at(-1)).toMatchObject({ messages: [], keep_alive: 0 });
  });
});

describe("a warm-up", () => {
  const forever = (signal: AbortSignal) =>
    new Promise<void>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );

  it("of which the load failed reads nothing and says so", async () => {
    const failures: unknown[] = [];
    let read = false;
    const warmUp = startWarmUp({
      load: () => Promise.reject(new Error("no memory")),
      read: () => Promise.resolve(void (read = true)),
      onFailure: (error) => failures.push(error),
    });
    await warmUp.makeWay();
    await warmUp.stop();
    expect(failures).toEqual([new Error("no memory")]);
    expect([read, warmUp.isLoading]).toEqual([false, false]);
  });

  it("that makes way does not wait for its load, and stops it only at the end of the session", async () => {
    const failures: unknown[] = [];
    const warmUp = startWarmUp({
      load: forever,
      read: () => Promise.reject(new Error("it must not read")),
      onFailure: (error) => failures.push(error),
    });
    await warmUp.makeWay();
    expect(warmUp.isLoading).toBe(true);
    await warmUp.stop();
    expect([failures, warmUp.isLoading]).toEqual([[], false]);
  });
});
