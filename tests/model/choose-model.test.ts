import { describe, expect, test } from "vitest";
import type { ScriptedModel } from "../../src/demo/scripted-models.js";
import { EXIT } from "../../src/errors.js";
import type { ModelWish } from "../../src/model/choose-model.js";
import { chooseModel, sameModel } from "../../src/model/choose-model.js";
import { createOllamaClient } from "../../src/model/ollama-client.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { failure } from "./model.js";

const GB = 1e9;
const SMALL: ScriptedModel = { name: "small:3b", size: 2 * GB };
const MIDDLE: ScriptedModel = { name: "middle:7b", size: 5 * GB };
const LARGE: ScriptedModel = { name: "large:70b", size: 40 * GB };
const CLOUD: ScriptedModel = { name: "huge:480b-cloud", size: 384, remoteHost: "https://ollama.com:443" };
const NO_TOOLS: ScriptedModel = { name: "chatty:7b", size: 6 * GB, capabilities: ["completion"] };
const EMBEDDING: ScriptedModel = { name: "vectors:1b", size: GB, capabilities: ["embedding"] };
const UNSEEN: ModelWish = {
  requested: undefined,
  lastUsed: undefined,
  memoryBytes: 16 * GB,
  protocol: "auto",
};

async function choose(models: readonly ScriptedModel[], wish: Partial<ModelWish> = {}) {
  const server = await scriptedOllama({ models });
  const client = createOllamaClient(server.url, { firstByteMs: 5000, idleMs: 5000 });
  return chooseModel(client, { ...UNSEEN, ...wish });
}

describe("the model of a session", () => {
  const all = [SMALL, MIDDLE, LARGE, CLOUD, NO_TOOLS];

  test("is the one that was asked for, together with what the server knows of it", async () => {
    const thinker: ScriptedModel = {
      ...LARGE,
      family: "qwen3",
      capabilities: ["completion", "tools", "thinking"],
      contextLength: 40_960,
      parameters: 'stop   "<|im_end|>"\ntemperature                    0.6',
    };
    expect(await choose([SMALL, thinker], { requested: LARGE.name, lastUsed: SMALL.name })).toMatchObject({
      name: LARGE.name,
      details: {
        capabilities: ["completion", "tools", "thinking"],
        family: "qwen3",
        trainedContext: 40_960,
        setsTemperature: true,
        cloud: false,
      },
    });
  });

  test("may be a cloud model only if that was asked for, and it is known as one", async () => {
    const chosen = await choose(all, { requested: CLOUD.name });
    expect(chosen).toMatchObject({ name: CLOUD.name, details: { cloud: true } });
  });

  test("is otherwise the one that was used last", async () => {
    expect((await choose(all, { lastUsed: SMALL.name })).name).toBe(SMALL.name);
    expect((await choose(all, { lastUsed: LARGE.name })).name).toBe(LARGE.name);
  });

  test("is found again by its name without the tag", async () => {
    const qwen: ScriptedModel = { name: "qwen2.5", size: GB };
    expect((await choose([MIDDLE, qwen], { lastUsed: "qwen2.5" })).name).toBe("qwen2.5:latest");
  });

  test("is otherwise the largest that fits in memory", async () => {
    expect((await choose(all)).name).toBe(MIDDLE.name);
    expect((await choose(all, { memoryBytes: 4 * GB })).name).toBe(SMALL.name);
    expect((await choose(all, { memoryBytes: 128 * GB })).name).toBe(LARGE.name);
  });

  test("comes with the reason for it", async () => {
    const reason = async (wish: Partial<ModelWish>) => (await choose(all, wish)).because;
    expect(await reason({ requested: SMALL.name })).toBe("requested");
    expect(await reason({ lastUsed: SMALL.name })).toBe("last-used");
    expect(await reason({})).toBe("largest-that-fits");
    expect(await reason({ memoryBytes: GB })).toBe("smallest");
  });

  test("is the smallest where none fits", async () => {
    expect((await choose(all, { memoryBytes: GB })).name).toBe(SMALL.name);
  });

  test.each([
    ["is gone", "gone:1b"],
    ["runs in the cloud", CLOUD.name],
    ["has no tools", NO_TOOLS.name],
  ])("is not the one that was used last if that one %s", async (_, lastUsed) => {
    expect((await choose(all, { lastUsed })).name).toBe(MIDDLE.name);
  });

  test("may lack tools if it was asked for, or if no other has them", async () => {
    const larger = { ...NO_TOOLS, name: "chatty:9b", size: 8 * GB };
    expect((await choose(all, { requested: NO_TOOLS.name })).name).toBe(NO_TOOLS.name);
    const without = [EMBEDDING, NO_TOOLS, larger];
    expect(await choose(without)).toMatchObject({ name: larger.name, because: "without-tools" });
    expect(await choose(without, { lastUsed: NO_TOOLS.name })).toMatchObject({
      name: NO_TOOLS.name,
      because: "last-used",
    });
    expect((await choose([NO_TOOLS, MIDDLE], { protocol: "native" })).name).toBe(MIDDLE.name);
    expect(await failure(choose(without, { protocol: "native" }))).toMatchObject({ kind: "model-missing" });
  });
});

describe("no model for a session", () => {
  test("without tools is refused only where calls must not travel as text", async () => {
    const wish = { requested: NO_TOOLS.name, protocol: "native" } as const;
    const error = await failure(choose([SMALL, MIDDLE, CLOUD, NO_TOOLS], wish));
    expect(error).toMatchObject({ kind: "no-tools", exitCode: EXIT.noModel });
    expect(error.message).toContain(NO_TOOLS.name);
    expect(error.hint).toContain("--protocol native");
    expect(error.hint).toContain(SMALL.name);
    expect(error.hint).toContain(MIDDLE.name);
    expect(error.hint).not.toContain(CLOUD.name);
    expect(error.hint).not.toContain(NO_TOOLS.name);
    expect((await failure(choose([NO_TOOLS], wish))).hint).toContain("ollama pull qwen2.5");
  });

  test("that only embeds is refused with the names of those that answer", async () => {
    for (const protocol of ["auto", "native", "text"] as const) {
      const error = await failure(choose([EMBEDDING, SMALL], { requested: EMBEDDING.name, protocol }));
      expect(error).toMatchObject({ kind: "no-chat", exitCode: EXIT.noModel });
      expect(error.hint).toContain(SMALL.name);
    }
  });

  test.each([
    ["nothing is installed", []],
    ["only cloud models are listed", [CLOUD]],
    ["no installed one answers prompts", [EMBEDDING]],
  ])("is found where %s, and qwen2.5 is proposed", async (_, models) => {
    const error = await failure(choose(models));
    expect(error).toMatchObject({ kind: "model-missing", exitCode: EXIT.noModel });
    expect(error.hint).toContain("ollama pull qwen2.5");
  });

  test("of that name says how to pull it", async () => {
    const error = await failure(choose([SMALL], { requested: "qwen3:8b" }));
    expect(error).toMatchObject({ kind: "model-missing", exitCode: EXIT.noModel });
    expect(error.hint).toContain("ollama pull qwen3:8b");
  });

  test("is found where no server answers", async () => {
    const server = await scriptedOllama();
    await server.close();
    const client = createOllamaClient(server.url, { firstByteMs: 5000, idleMs: 5000 });
    expect(await failure(chooseModel(client, UNSEEN))).toMatchObject({ kind: "unreachable" });
  });
});

test("an older server that lists no capabilities is asked about the model, and then believed", async () => {
  const { createServer } = await import("node:http");
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const body = request.url === "/api/tags" ? { models: [{ name: "old:7b", size: 5 }] } : { details: null };
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as { port: number };
    const client = createOllamaClient(`http://127.0.0.1:${port}`, { firstByteMs: 5000, idleMs: 5000 });
    expect(await chooseModel(client, UNSEEN)).toMatchObject({
      name: "old:7b",
      details: {
        capabilities: undefined,
        family: "",
        trainedContext: undefined,
        setsTemperature: false,
        cloud: false,
      },
    });
    expect(asked).toContain("/api/show");
  } finally {
    server.close();
  }
});

test.each([
  ["qwen2.5", "qwen2.5:latest", true],
  ["qwen2.5:latest", "qwen2.5", true],
  ["qwen2.5", "qwen2.5", true],
  ["qwen2.5:7b", "qwen2.5", false],
  ["qwen2.5", "qwen2", false],
  ["host:5000/me/qwen2.5", "host:5000/me/qwen2.5:latest", true],
])("%s and %s are one model: %s", (a, b, same) => {
  expect(sameModel(a, b)).toBe(same);
});
