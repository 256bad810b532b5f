import { join } from "node:path";
import { say } from "../src/demo/reply.js";
import { startScriptedOllama } from "../src/demo/scripted-ollama.js";
import type { Figure } from "./bench.js";
import { CLI, inTurn, runNode } from "./measure.js";

const TOKENS = 5000;
const RUNS = 7;

/** CPU per streamed token, against a process that only reads and parses the same stream. */
export async function streamingFigures(): Promise<Figure[]> {
  const words = Array.from({ length: TOKENS }, (_, index) => `w${index} `);
  // One token a write, as a server sends them.
  const server = await startScriptedOllama({
    replies: ({ messages }) => say(messages.at(-1)?.content === "many" ? words : ["w"]),
    keepRequests: 10,
  });
  const ask = async (prompt: string) => {
    const run = await runNode([CLI, "ask", prompt, "--host", server.url, "--model", "scripted"]);
    if (run.exitCode !== 0) throw new Error(`ask ended with ${String(run.exitCode)}`);
    return run.cpuMs;
  };
  const raw = async (prompt: string) => {
    const run = await runNode([join(import.meta.dirname, "read-raw-stream.mjs"), server.url, prompt]);
    if (run.exitCode !== 0) throw new Error(`raw reader ended with ${String(run.exitCode)}`);
    return run.cpuMs;
  };
  try {
    const many = await inTurn(
      RUNS,
      () => ask("many"),
      () => raw("many"),
    );
    const one = await inTurn(
      RUNS,
      () => ask("one"),
      () => raw("one"),
    );
    const perToken = (many.a - one.a) / TOKENS;
    const perTokenRaw = (many.b - one.b) / TOKENS;
    return [
      { name: "CPU per streamed token at 5,000 tokens", value: perToken * 1000, unit: "µs" },
      { name: "CPU per token of reading the raw stream", value: perTokenRaw * 1000, unit: "µs" },
      {
        name: "CPU per token against the raw stream",
        value: perToken / perTokenRaw,
        unit: "ratio",
        budget: 3.3,
      },
    ];
  } finally {
    await server.close();
  }
}
