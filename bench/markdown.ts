import { EventEmitter } from "node:events";
import { createBottom } from "../src/cli/bottom/bottom.js";
import { createHighlighter } from "../src/cli/markdown/highlight.js";
import { en } from "../src/cli/messages/en.js";
import { createMarkdownView } from "../src/cli/render/markdown-view.js";
import type { Figure } from "./bench.js";
import { inTurn } from "./measure.js";

const TOKENS = 20_000;
/** As many as come between two paints at 200 a second. */
const TOKENS_A_PAINT = 3;
const RUNS = 2;

const DOCUMENT = `## What was wrong

The **parser** read \`src/parse.ts\` twice, since *both* callers asked for it; see [the notes](https://example.com/notes).
It is read once now, and the result is kept until the file changes.

1. \`readOnce()\` keeps what it has read.
   - It forgets it when the file changes.
   - It never keeps an error.
2. The callers share it.

\`\`\`ts
export function readOnce(path: string): Promise<string> {
  const known = cache.get(path); // undefined for the first time
  return known ?? read(path, "utf8");
}
\`\`\`

| File | Lines | Meaning |
|---|---:|---|
| src/parse.ts | +12 −3 | reads once |
| src/cache.ts | +40 −0 | keeps what was read |

> 这个函数只读取一次文件，直到文件发生变化。

`;
const SENTENCE = "The **quick** brown fox jumps over the `lazy` dog, and so on. ";

/** What it costs to show the Markdown of an answer as it comes. */
export async function markdownFigures(): Promise<Figure[]> {
  const tokens = tokensOf(DOCUMENT, TOKENS);
  const { a: rendered, ratio } = await inTurn(
    RUNS,
    () => cpuOf(tokens, "markdown"),
    () => cpuOf(tokens, "raw"),
  );
  const paragraph = await inTurn(
    RUNS,
    () => cpuOf(tokensOf(SENTENCE, TOKENS), "markdown"),
    () => cpuOf(tokensOf(SENTENCE, TOKENS / 4), "markdown"),
  );
  return [
    { name: "CPU of 20,000 tokens of Markdown, a token", value: (rendered / TOKENS) * 1000, unit: "µs" },
    { name: "CPU of Markdown against showing its text as it is", value: ratio, unit: "ratio", budget: 25 },
    {
      name: "one paragraph of 20,000 tokens against four of 5,000",
      value: paragraph.ratio / 4,
      unit: "ratio",
      budget: 1.5,
    },
  ];
}

/** The text over and over, in so many words. */
function tokensOf(text: string, count: number): string[] {
  const tokens = text.match(/\s*\S+|\s+$/gu) ?? [];
  return Array.from({ length: count }, (_, index) => tokens[index % tokens.length] ?? "");
}

/** CPU milliseconds until all tokens were shown. */
function cpuOf(tokens: readonly string[], how: "markdown" | "raw"): Promise<number> {
  const output = Object.assign(new EventEmitter(), { write: () => true, columns: 80, rows: 40 });
  const plain = (text: string) => text;
  const bottom = createBottom({ output, messages: en, styles: { spinner: plain } });
  bottom.setFoot({ rows: ["› "], cursor: { row: 0, column: 2 } });
  const highlighter = createHighlighter();
  const view = createMarkdownView({
    bottom,
    traits: { colourLevel: 1, unicode: true },
    highlighter: { load: () => undefined, get: () => highlighter },
    onBegin: () => undefined,
  });
  const before = process.cpuUsage();
  for (const [index, token] of tokens.entries()) {
    if (how === "markdown") view.write(token);
    else bottom.write(token);
    if (index % TOKENS_A_PAINT === 0) bottom.flush();
  }
  view.end();
  bottom.flush();
  const { user, system } = process.cpuUsage(before);
  bottom.close();
  return Promise.resolve((user + system) / 1000);
}
