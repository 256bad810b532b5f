import { describe, expect, it, vi } from "vitest";
import { say } from "../../src/demo/reply.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatLines, postChat, refusal } from "./ndjson.js";

const GIB = 1024 ** 3;

interface Running {
  name: string;
  size: number;
  size_vram: number;
  context_length: number;
  expires_at: string;
}

async function running({ url }: ScriptedOllama): Promise<Running[]> {
  return ((await (await fetch(`${url}/api/ps`)).json()) as { models: Running[] }).models;
}

function serverWith(options: ScriptedOllamaOptions) {
  return scriptedOllama({
    models: [{ name: "scripted", size: 4 * GIB, contextLength: 65_536, runner: { kvBytesPerToken: 65_536 } }],
    replies: () => say("ok"),
    ...options,
  });
}

const loadMs = async (server: ScriptedOllama, body: Record<string, unknown>) =>
  ((await chatLines(server.url, body)).at(-1)?.load_duration ?? 0) / 1e6;

describe("a model with a runner", () => {
  it("is loaded by the first request and stays, whatever the request says of sampling", async () => {
    const server = await serverWith({});
    expect(await running(server)).toEqual([]);
    expect(await loadMs(server, { options: { num_ctx: 8192 } })).toBe(3000);
    expect(
      await loadMs(server, { options: { num_ctx: 8192, temperature: 1 }, keep_alive: "1h" }),
    ).toBeLessThan(100);
    expect(server.loads).toEqual([{ model: "scripted:latest", options: { num_ctx: 8192, shift: true } }]);
  });

  it.each([
    ["num_ctx", { options: { num_ctx: 8192 } }],
    ["num_batch", { options: { num_batch: 256 } }],
    ["num_gpu", { options: { num_gpu: 0 } }],
    ["shift", { shift: false }],
  ])("is loaded anew when %s changes, each time", async (_, changed) => {
    const server = await serverWith({});
    await chatLines(server.url);
    expect(await loadMs(server, changed)).toBe(3000);
    expect(await loadMs(server, {})).toBe(3000);
    expect(server.loads).toHaveLength(3);
  });

  it("is not loaded anew for a window beyond the trained one, which it gets clamped", async () => {
    const server = await serverWith({});
    await chatLines(server.url, { options: { num_ctx: 65_536 } });
    await chatLines(server.url, { options: { num_ctx: 1_000_000 } });
    expect(server.loads).toHaveLength(1);
    expect(await running(server)).toMatchObject([{ context_length: 65_536 }]);
  });

  it("tells in the list of running models its memory with the window and what spilled to the CPU", async () => {
    const server = await serverWith({ machine: { vram: 5 * GIB, memory: 16 * GIB } });
    await chatLines(server.url, { options: { num_ctx: 8192 } });
    const fits = 4.5 * GIB;
    expect(await running(server)).toMatchObject([{ context_length: 8192, size: fits, size_vram: fits }]);
    await chatLines(server.url, { options: { num_ctx: 32_768 } });
    expect(await running(server)).toMatchObject([
      { context_length: 32_768, size: 6 * GIB, size_vram: 5 * GIB },
    ]);
  });

  it("shows the layers and heads from which a client can work out what a token of the window takes", async () => {
    const { url } = await serverWith({});
    const response = await fetch(`${url}/api/show`, { method: "POST", body: '{"model":"scripted"}' });
    expect(await response.json()).toMatchObject({
      model_info: {
        "qwen2.block_count": 32,
        "qwen2.attention.head_count_kv": 4,
        "qwen2.attention.key_length": 128,
        "qwen2.attention.value_length": 128,
      },
    });
  });

  it("does not load when the window or the model itself is too large for the machine", async () => {
    const server = await serverWith({ machine: { vram: 5 * GIB } });
    await chatLines(server.url, { options: { num_ctx: 8192 } });
    const { status, error } = await refusal(server.url, { options: { num_ctx: 32_768 } });
    expect(status).toBe(500);
    expect(error).toMatch(
      /^llama-server reported out-of-memory during startup: .*failed to allocate buffer of size/,
    );
    expect(await running(server)).toEqual([]);
    expect(server.loads.map(({ failure }) => failure)).toEqual([undefined, error]);

    const small = await serverWith({ machine: { vram: 0, memory: 2 * GIB } });
    expect(await refusal(small.url, {})).toEqual({
      status: 500,
      error: "model requires more system memory (4.0 GiB) than is available (2.0 GiB)",
    });
  });

  it("is loaded and unloaded by requests without messages", async () => {
    const server = await serverWith({});
    const options = { num_ctx: 8192 };
    expect(await chatLines(server.url, { messages: [], options })).toMatchObject([{ done_reason: "load" }]);
    expect(await loadMs(server, { options })).toBeLessThan(100);
    expect(await chatLines(server.url, { messages: [], keep_alive: 0 })).toMatchObject([
      { done_reason: "unload" },
    ]);
    expect(await running(server)).toEqual([]);
    expect(await loadMs(server, { options })).toBe(3000);
  });

  it("goes when its keep_alive is over, and says when that will be", async () => {
    const server = await serverWith({});
    const minutesLeft = async (keep_alive?: number | string) => {
      await chatLines(server.url, keep_alive === undefined ? {} : { keep_alive });
      const [model] = await running(server);
      return model && Math.round((Date.parse(model.expires_at) - Date.now()) / 60_000);
    };
    expect(await minutesLeft()).toBe(5);
    expect(await minutesLeft("1h30m")).toBe(90);
    expect(await minutesLeft(120)).toBe(2);
    expect(await minutesLeft(-1)).toBeGreaterThan(1e6);
    await chatLines(server.url, { keep_alive: "30ms" });
    await vi.waitFor(async () => expect(await running(server)).toEqual([]));
    await chatLines(server.url, { keep_alive: 0 });
    await vi.waitFor(async () => expect(await running(server)).toEqual([]));
    expect(await refusal(server.url, { keep_alive: "soon" })).toEqual({
      status: 400,
      error: 'time: invalid duration "soon"',
    });
  });

  it("is in the list while it is loaded, and not loaded at all if the client leaves meanwhile", async () => {
    const server = await serverWith({
      models: [{ name: "scripted", runner: { realLoadMs: 60_000 } }],
    });
    const abort = new AbortController();
    const left = expect(postChat(server.url, {}, abort.signal)).rejects.toThrow("aborted");
    await server.waitFor(({ loads }) => loads.length === 1);
    expect(await running(server)).toHaveLength(1);
    abort.abort();
    await left;
    await server.waitFor(({ loads }) => loads[0]?.failure !== undefined);
    expect(server.loads[0]?.failure).toBe("request canceled");
    expect(await running(server)).toEqual([]);
  });
});
