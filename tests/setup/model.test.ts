import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LoadedConfig } from "../../src/config/load-config.js";
import { configSchema } from "../../src/config/schema.js";
import { connect } from "../../src/setup/connection.js";
import type { ScriptedModel } from "../../src/demo/scripted-models.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { setUpModel } from "../../src/setup/model.js";
import type { ModelSetup } from "../../src/setup/model.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";

const GIB = 1024 ** 3;
const MODEL_BYTES = 4 * GIB;
const KV_BYTES = 65_536;

interface Place {
  server: ScriptedOllama;
  /** What a new session decides; `trained` false: as from a server that does not tell the trained length. */
  session: (session?: { numCtx?: number; memoryBytes?: number; trained?: boolean }) => Promise<ModelSetup>;
  /** Has the model loaded as a session's requests do. */
  load: (setup: ModelSetup) => Promise<void>;
}

async function makePlace(
  model: Partial<ScriptedModel> = {},
  machine?: ScriptedOllamaOptions["machine"],
): Promise<Place> {
  const server = await scriptedOllama({
    models: [{ name: "scripted", size: MODEL_BYTES, runner: { kvBytesPerToken: KV_BYTES }, ...model }],
    ...(machine && { machine }),
  });
  const state = mkdtempSync(join(tmpdir(), "mini-cc-setup-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const { signal } = new AbortController();
  return {
    server,
    async session({ numCtx, memoryBytes = 16 * GIB, trained = true } = {}) {
      const config = configSchema.parse({ ollama: { host: server.url, ...(numCtx && { numCtx }) } });
      const loaded = { config, folders: { state } } as unknown as LoadedConfig;
      const connection = await connect({ loaded, memoryBytes, signal });
      const details = { ...connection.chosen.details, ...(!trained && { trainedContext: undefined }) };
      const chosen = { ...connection.chosen, details };
      return setUpModel({
        loaded,
        connection,
        chosen,
        memoryBytes,
        fixed: () => "You work with care.",
        records: [],
      });
    },
    async load({ settings: { model, numCtx } }) {
      const body = { model, messages: [], options: { num_ctx: numCtx }, truncate: false, shift: false };
      await fetch(`${server.url}/api/chat`, { method: "POST", body: JSON.stringify(body) });
    },
  };
}

const windowOf = ({ settings, budget }: ModelSetup) => [settings.numCtx, budget.window];

describe("the window of a session", () => {
  test.each([
    { gib: 8, window: 8192 },
    { gib: 16, window: 16_384 },
    { gib: 64, window: 32_768 },
  ])("is $window on a machine of $gib GiB", async ({ gib, window }) => {
    const { session } = await makePlace();
    expect(windowOf(await session({ memoryBytes: gib * GIB }))).toEqual([window, window]);
  });

  test("is never more than the model was trained for, and modest where that is much", async () => {
    const short = await makePlace({ contextLength: 2048 });
    expect(windowOf(await short.session({ numCtx: 16_384 }))).toEqual([2048, 2048]);
    const long = await makePlace({ contextLength: 262_144 });
    expect(windowOf(await long.session())).toEqual([16_384, 16_384]);
  });

  test("is the default where the trained length is unknown", async () => {
    const { session } = await makePlace();
    expect(windowOf(await session({ trained: false }))).toEqual([16_384, 16_384]);
  });

  test("that the server made smaller is told and kept to", async () => {
    const { session, load } = await makePlace({ contextLength: 4096 });
    const setup = await session({ trained: false });
    await load(setup);
    expect(await setup.checkAllocation()).toEqual([
      {
        code: "window-smaller",
        text: "the server gave scripted:latest a window of 4,096 tokens instead of 16,384",
      },
    ]);
    expect(windowOf(setup)).toEqual([16_384, 4096]);
    expect(await setup.checkAllocation()).toEqual([]);
  });

  test("that fits is no matter for words", async () => {
    const { session, load } = await makePlace();
    const setup = await session();
    await load(setup);
    expect(await setup.checkAllocation()).toEqual([]);
  });

  test("that cannot be checked is told", async () => {
    const { session, server } = await makePlace();
    const setup = await session();
    await server.close();
    expect(await setup.checkAllocation()).toEqual([expect.objectContaining({ code: "allocation-unknown" })]);
    expect(await setup.isLoaded()).toBe(true);
  });
});

describe("a model of which a part does not fit into the GPU's memory", () => {
  /** Model and 10,000 tokens fit into the GPU's memory. */
  const machine = { vram: MODEL_BYTES + 10_000 * KV_BYTES, memory: 64 * GIB };

  test("is told, and the next session takes half the window, once", async () => {
    const { session, load } = await makePlace({}, machine);
    const first = await session();
    await load(first);
    const [warning] = await first.checkAllocation();
    expect(warning).toMatchObject({ code: "gpu-spill" });
    expect(warning?.text).toMatch(
      /^8 % of scripted:latest does not fit.*next session takes a window of 8,192/,
    );
    expect(windowOf(first)).toEqual([16_384, 16_384]);

    const second = await session();
    expect(windowOf(second)).toEqual([8192, 8192]);
    await load(second);
    expect(await second.checkAllocation()).toEqual([]);
  });

  test("is not given a smaller window a second time, but the remedy is named", async () => {
    const { session, load } = await makePlace({}, { ...machine, vram: MODEL_BYTES });
    const first = await session();
    await load(first);
    await first.checkAllocation();
    const second = await session();
    await load(second);
    const [warning] = await second.checkAllocation();
    expect(warning?.text).toContain("use a smaller window (--num-ctx 4096) or a smaller model");
    expect(windowOf(await session())).toEqual([8192, 8192]);
  });

  test("keeps the window that the user has named, before and after", async () => {
    const { session, load } = await makePlace({}, machine);
    const first = await session({ numCtx: 16_384 });
    await load(first);
    expect((await first.checkAllocation())[0]?.text).toContain("--num-ctx 8192");
    expect(windowOf(await session())).toEqual([16_384, 16_384]);
    await load(await session());
    const second = await session();
    await second.checkAllocation();
    expect(windowOf(await session({ numCtx: 16_384 }))).toEqual([16_384, 16_384]);
  });
});

describe("a model that does not fit into memory with its window", () => {
  test("gets half of it in the next session, once", async () => {
    const { session } = await makePlace();
    const first = await session();
    expect((await first.stepDown()).map(({ text }) => text)).toEqual([
      expect.stringContaining("8,192 tokens instead of 16,384") as string,
    ]);
    const second = await session();
    expect(second.settings.numCtx).toBe(8192);
    expect(await second.stepDown()).toEqual([]);
  });

  test("keeps a window that the user has chosen", async () => {
    const { session } = await makePlace();
    expect(await (await session({ numCtx: 12_288 })).stepDown()).toEqual([]);
    expect((await session()).settings.numCtx).toBe(16_384);
  });
});
