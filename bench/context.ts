import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getEncoding } from "js-tiktoken";
import { estimateTokens } from "../src/context/token-estimate.js";
import { call, say } from "../src/demo/reply.js";
import type { ScriptedOllamaOptions } from "../src/demo/scripted-ollama.js";
import { startScriptedOllama } from "../src/demo/scripted-ollama.js";
import type { Figure } from "./bench.js";
import { CLI, runNode } from "./measure.js";

const ROOT = join(import.meta.dirname, "..");
const ROUNDS = 10;

/** How true the token estimate is, and whether the server reads anything twice. */
export async function contextFigures(): Promise<Figure[]> {
  const encoding = getEncoding("o200k_base");
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
  const samples = {
    English: read("README.md"),
    code: read("src/agent/tool-gate.ts"),
    Chinese: (read("src/cli/messages/zh.ts").match(/[\u4e00-\u9fff，。：；]+/g) ?? []).join(""),
    JSON: read("package-lock.json").slice(0, 20_000),
  };
  const errors = Object.entries(samples).map(([name, text]): Figure => ({
    name: `token estimate over o200k: ${name}`,
    value: estimateTokens(text) / encoding.encode(text).length,
    unit: "ratio",
  }));
  return [...errors, await readRatio(), await turningRatio()];
}

/** At most 1: no token of the prompt is read twice, since each request begins with the one before. */
async function readRatio(): Promise<Figure> {
  const value = await readTokens(({ messages }) =>
    messages.length < 2 * ROUNDS + 2 ? listing(messages.length) : say("Done."),
  );
  return {
    name: "ten rounds: prompt tokens read over those of the last prompt",
    value,
    unit: "ratio",
    budget: 1,
  };
}

/** What it costs that calls turn to text in the middle of the work: once the whole conversation. */
async function turningRatio(): Promise<Figure> {
  const lost = say([], { outputTokens: 40 });
  const value = await readTokens(({ tools }, index) => {
    if (tools === undefined) return say("Done.");
    return index < ROUNDS / 2 ? listing(index) : lost;
  });
  return { name: "five rounds, then calls as text: prompt tokens read over the last", value, unit: "ratio" };
}

const listing = (index: number) => call("list_files", { path: ".", pattern: `*.${index}` });

/** Tokens of all prompts that were not in the server's cache, over those of the last prompt. */
async function readTokens(replies: NonNullable<ScriptedOllamaOptions["replies"]>): Promise<number> {
  const server = await startScriptedOllama({
    models: [{ name: "scripted", contextLength: 32_768, runner: {} }],
    replies,
  });
  try {
    const run = await runNode([CLI, "ask", "look around", "--host", server.url, "--model", "scripted"]);
    if (run.exitCode !== 0) throw new Error(`ask ended with ${String(run.exitCode)}`);
    const prompts = server.requests.flatMap(({ prompt }) => prompt ?? []);
    const read = prompts.reduce((sum, prompt) => sum + prompt.readTokens, 0);
    return read / (prompts.at(-1)?.promptTokens ?? Number.NaN);
  } finally {
    await server.close();
  }
}
