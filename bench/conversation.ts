import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getEncoding } from "js-tiktoken";
import { call, say } from "../src/demo/reply.js";
import type { RecordedRequest } from "../src/demo/scripted-ollama.js";
import { startScriptedOllama } from "../src/demo/scripted-ollama.js";
import type { Figure } from "./bench.js";
import { CLI, runNode } from "./measure.js";

const FILES = 10;
const LINES = 120;

/** What goes over the wire: the prompt's size, its stability, and what a task adds to it. */
export async function conversationFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "mini-cc-bench-project-"));
  const name = (index: number) => `file-${index}.txt`;
  const content = (index: number) => `line of file ${index}\n`.repeat(LINES);
  for (let index = 0; index < FILES; index++) writeFileSync(join(folder, name(index)), content(index));
  const server = await startScriptedOllama({
    replies: ({ messages }) => {
      const done = messages.filter((message) => message.role === "tool").length;
      const task = messages.some((message) => message.role === "user" && message.content.includes("read"));
      return task && done < FILES ? call("read_file", { path: name(done) }) : say("Done.");
    },
  });
  const ask = async (prompt: string, ...more: string[]): Promise<RecordedRequest[]> => {
    const before = server.requests.length;
    const args = [CLI, "ask", prompt, "--host", server.url, "--model", "scripted", ...more];
    const run = await runNode(args, { cwd: folder });
    if (run.exitCode !== 0) throw new Error(`ask ended with ${String(run.exitCode)}`);
    return server.requests.slice(before).filter(({ path }) => path === "/api/chat");
  };
  try {
    const hello = await ask("hello");
    const asText = await ask("hello", "--protocol", "text");
    const first = await ask("read all files");
    writeFileSync(join(folder, name(0)), "changed\n");
    const second = await ask("read all files");
    const filesBytes = first.length === 0 ? 0 : FILES * content(0).length;
    const messages = (request: RecordedRequest | undefined) =>
      JSON.stringify((request?.body as { messages: unknown[] }).messages);
    const added = messages(first.at(-1)).length - messages(first[0]).length;
    const promptOf = (request: RecordedRequest | undefined) => {
      const { tools, messages } = request?.body as { tools?: unknown[]; messages: unknown[] };
      return JSON.stringify({ tools, messages });
    };
    const tokensOf = (text: string) => getEncoding("o200k_base").encode(text).length;
    const prompt = promptOf(hello[0]);
    return [
      {
        name: "first prompt: system, seven tools and one line",
        value: tokensOf(prompt),
        unit: "tokens",
        budget: 1100,
      },
      {
        name: "first prompt by the text protocol, over that",
        value: tokensOf(promptOf(asText[0])) / tokensOf(prompt),
        unit: "ratio",
        budget: 1,
      },
      { name: "first prompt", value: Buffer.byteLength(prompt), unit: "bytes" },
      { name: "requests of a hello", value: hello.length, unit: "count", budget: 1, exact: true },
      {
        name: "ten-read task: bytes beyond the files, per read",
        value: (added - filesBytes) / FILES,
        unit: "bytes",
      },
      {
        name: "prefix kept from request to request",
        value: stability(first),
        unit: "share",
        budget: 1,
        exact: true,
      },
      {
        name: "prefix kept between runs, a file changed",
        value: stability([first[0], second[0]]),
        unit: "share",
        budget: 1,
        exact: true,
      },
    ];
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Least share of a body, without the brackets that close it, with which the next one begins. */
function stability(requests: readonly (RecordedRequest | undefined)[]): number {
  const bodies = requests.map((request) => request?.text ?? "");
  const shares = bodies.slice(1).map((next, index) => {
    const earlier = (bodies[index] ?? "").replace(/\]\}$/, "");
    let kept = 0;
    while (kept < earlier.length && earlier[kept] === next[kept]) kept++;
    return kept / earlier.length;
  });
  return Math.min(...shares);
}
