import { describe, expect, it } from "vitest";
import { scriptedOllama } from "../helpers/scripted-ollama.js";

interface Progress {
  status?: string;
  total?: number;
  completed?: number;
  error?: string;
}

function post(url: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/api/pull`, {
    method: "POST",
    body: JSON.stringify({ model: "qwen" }),
    signal: signal ?? null,
  });
}

const parse = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Progress);

/** What came of the large layer, in bytes. */
const completed = (lines: readonly Progress[]) =>
  lines.filter(({ total }) => total === 1000).map((line) => line.completed);

async function installed(url: string): Promise<number> {
  return ((await (await fetch(`${url}/api/tags`)).json()) as { models: unknown[] }).models.length;
}

const server = (pull: { steps?: number; chunkDelay?: number; failAfter?: number; failure?: string }) =>
  scriptedOllama({ models: [], pullable: [{ name: "qwen", size: 1000, pull }] });

describe("a scripted pull", () => {
  it("goes on after an error in the middle, and has the model only when all is there", async () => {
    const { url } = await server({ steps: 5, failAfter: 2, failure: "max retries exceeded: unexpected EOF" });
    const first = parse(await (await post(url)).text());
    expect(completed(first)).toEqual([undefined, 200, 400]);
    expect(first.at(-1)).toEqual({ error: "max retries exceeded: unexpected EOF" });
    expect(await installed(url)).toBe(0);
    const second = parse(await (await post(url)).text());
    expect(completed(second)).toEqual([400, 600, 800, 1000]);
    expect(second.at(-1)).toEqual({ status: "success" });
    expect(await installed(url)).toBe(1);
    expect(completed(parse(await (await post(url)).text()))).toEqual([1000]);
  });

  it("can break the connection in the middle", async () => {
    const { url } = await server({ failAfter: 1 });
    await expect((await post(url)).text()).rejects.toThrow();
    expect(parse(await (await post(url)).text()).at(-1)).toEqual({ status: "success" });
  });

  it("stops where it is when the client leaves", async () => {
    const scripted = await server({ steps: 1000, chunkDelay: 5 });
    const abort = new AbortController();
    const { body } = await post(scripted.url, abort.signal);
    let text = "";
    const read = async () => {
      for await (const part of body!.pipeThrough(new TextDecoderStream())) {
        text += part;
        if (text.includes('"completed":3')) abort.abort();
      }
    };
    await expect(read()).rejects.toThrow("aborted");
    await scripted.waitFor(({ openRequests }) => openRequests === 0);
    expect(await installed(scripted.url)).toBe(0);
    const again = await post(scripted.url, AbortSignal.timeout(5000));
    const reader = again.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes('"completed"')) seen += (await reader.read()).value ?? "";
    expect(Number(/"completed":(\d+)/.exec(seen)?.[1])).toBeGreaterThanOrEqual(3);
    await reader.cancel();
  });
});
