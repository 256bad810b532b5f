import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import type { ApprovalRequest } from "../../src/agent/approval.js";
import { loadMessages } from "../../src/cli/messages/catalogue.js";
import type { Messages } from "../../src/cli/messages/catalogue.js";
import { startChat, type } from "./fake-session.js";
import type { Turn } from "./fake-session.js";
import { toolCall, turnEnd } from "./render/recorder.js";

// What a session looks like, as files to be read: screens/NAME.txt holds each situation in both languages at three
// widths. `npx vitest run tests/cli/screens.test.ts -u` writes them anew; they are reviewed by eye.

const HOME = "/home/ann";
const FOLDER = `${HOME}/code/parser`;

const EDIT = [
  "--- a/src/client.ts",
  "+++ b/src/client.ts",
  "@@ -3,5 +3,6 @@",
  " /** How often a request is tried. */",
  "-const RETRIES = 3;",
  "+const RETRIES = 5;",
  "+const PAUSE_MS = 200;",
  " ",
  " export async function get(url: string, options: RequestOptions = {}): Promise<string> {",
  "@@ -40,3 +41,2 @@",
  " \treturn answer.text;",
  "-\tthrow new Error(`no answer from ${url} after ${RETRIES} tries, and the last one said ${answer.status}`);",
  " }",
  "",
].join("\n");

const question: ApprovalRequest = {
  callId: "c1",
  tool: "edit_file",
  subject: "src/client.ts",
  diff: EDIT,
  verdict: {
    verdict: "ask",
    by: "mode",
    because: ["files are changed only after a question"],
    commands: [],
    rememberAs: ["edits"],
  },
};

const reply = (promptTokens: number, outputTokens: number): AgentEvent => ({
  type: "model-end",
  step: 1,
  usage: { promptTokens, outputTokens },
  timings: { loadMs: 0, promptMs: 900, outputMs: outputTokens * 40 },
  cachedTokens: Math.round(promptTokens * 0.8),
  doneReason: "stop",
});

const output = (text: string): AgentEvent => ({ type: "tool-output", id: "c1", text });
const tests = Array.from({ length: 14 }, (_, index) => `ok ${index + 1} parses case ${index + 1}\n`).join("");

const reads: AgentEvent[] = [
  { type: "model-start", step: 1, promptTokens: 6_200 },
  ...toolCall("read_file", { path: "src/client.ts" }, { found: { lines: { from: 1, to: 48, total: 48 } } }),
  ...toolCall(
    "read_file",
    { path: "src/parser/expressions.ts", start_line: 1 },
    { found: { lines: { from: 1, to: 200, total: 5_120 } } },
  ),
  ...toolCall("search_code", { pattern: "RETRIES", path: "src" }, { found: { matches: 12, files: 3 } }),
  ...toolCall("list_files", { path: ".", pattern: "**/*.test.ts" }, { found: { files: 34 } }),
];

const work: AgentEvent[] = [
  ...reads,
  { type: "text-delta", text: "The limit is a constant. I raise it and run the tests." },
  reply(6_200, 60),
  ...toolCall("edit_file", { path: "src/client.ts" }, { diff: EDIT }),
  ...toolCall("run_command", { command: "npm test" }, { exitCode: 0, durationMs: 3_200 }, [output(tests)]),
  ...toolCall(
    "run_command",
    { command: "npx eslint --max-warnings 0 src/client.ts src/parser/expressions.ts tests/client.test.ts" },
    { exitCode: 1 },
    [output("src/client.ts\n  5:7  error  'PAUSE_MS' is assigned a value but never used\n\n✖ 1 problem\n")],
  ),
  { type: "text-delta", text: "The limit is **5** now; the linter still complains of `PAUSE_MS`." },
  reply(6_900, 40),
];

const finished = turnEnd({
  text: "The limit is **5** now; the linter still complains of `PAUSE_MS`.",
  usage: { promptTokens: 13_100, outputTokens: 100, steps: 2 },
  changedFiles: ["src/client.ts"],
  commands: [
    { command: "npm test", exitCode: 0 },
    {
      command: "npx eslint --max-warnings 0 src/client.ts src/parser/expressions.ts tests/client.test.ts",
      exitCode: 1,
    },
  ],
});

interface Situation {
  run: Turn;
  /** What is typed, one message after another. */
  typed: readonly string[];
  /** What the screen shows when it has come so far. */
  until: (messages: Messages) => string | RegExp;
}

/** Plays the events, then ends the turn; without an end it goes on for ever. */
const plays =
  (events: readonly AgentEvent[], end?: ReturnType<typeof turnEnd>): Turn =>
  ({ onEvent }) => {
    onEvent({ type: "turn-start", prompt: "" });
    for (const event of events) onEvent(event);
    return end ? Promise.resolve(end) : new Promise(() => undefined);
  };

const PROMPT = "Raise the retry limit to 5";
const ENDED = /13,100[^]*\n\n›$/;

const SITUATIONS: Readonly<Record<string, Situation>> = {
  start: { run: plays([]), typed: [], until: () => "›" },
  turn: { run: plays(work, finished), typed: [PROMPT], until: () => ENDED },
  thinking: {
    run: plays([
      { type: "model-start", step: 1, promptTokens: 6_200, newTokens: 340 },
      { type: "model-progress", step: 1, phase: "thinking", elapsedMs: 41_000, tokens: 80 },
      {
        type: "thinking-delta",
        text: "The user wants the limit raised. It may be a constant or a setting, and other places may rely on the number.\n\nFirst I search for it, then I change it, then I run the tests to see that nothing else depended on it. ",
      },
      { type: "thinking-delta", text: "The file is src/client.ts." },
    ]),
    typed: [PROMPT],
    until: () => "src/client.ts.",
  },
  reading: {
    run: plays([
      { type: "model-start", step: 1, promptTokens: 6_200, newTokens: 340 },
      { type: "model-progress", step: 1, phase: "reading", elapsedMs: 41_000 },
    ]),
    typed: [PROMPT],
    until: () => "41",
  },
  "running-command": {
    run: plays([
      ...reads,
      { type: "tool-start", id: "c1", tool: "run_command", args: { command: "npm test" } },
      output(tests),
    ]),
    typed: [PROMPT],
    until: () => "case 14",
  },
  question: {
    run: ({ approve, signal, onEvent }) => {
      onEvent({ type: "turn-start", prompt: "" });
      for (const event of reads) onEvent(event);
      return approve(question, signal).then(() => turnEnd());
    },
    typed: [PROMPT],
    until: ({ question: { default: key } }) => `\n  ${key}`,
  },
  failure: {
    run: plays(
      reads,
      turnEnd({
        outcome: "failed",
        usage: { promptTokens: 6_200, outputTokens: 0, steps: 1 },
        error: {
          code: "server-gone",
          message: "the server closed the connection in the middle of a reply",
          hint: "look into the log of Ollama, then send the message again",
        },
      }),
    ),
    typed: [PROMPT],
    until: () => /6,200[^]*\n\n›$/,
  },
  limit: {
    run: plays(
      work,
      turnEnd({
        outcome: "limit",
        text: finished.text,
        usage: finished.usage,
        changedFiles: ["src/client.ts", "src/a.ts", "src/b.ts", "docs/limits.md", "src/c.ts"],
        commands: Array.from({ length: 9 }, (_, index) => ({
          command: `npm test -- part${index}`,
          exitCode: index % 4,
        })),
      }),
    ),
    typed: [PROMPT],
    until: () => ENDED,
  },
  queue: {
    run: plays([
      { type: "model-start", step: 1, promptTokens: 6_200 },
      {
        type: "model-progress",
        step: 1,
        phase: "writing",
        elapsedMs: 8_000,
        tokens: 240,
        tokensPerSecond: 31,
      },
    ]),
    typed: [
      PROMPT,
      "And write a test for it",
      "Then show me the whole diff of what you have changed since we began",
    ],
    until: ({ input }) => input.takeBack,
  },
};

const WIDTHS = [60, 80, 200];
const LANGUAGES = ["en", "zh"] as const;

describe("the screen of a session", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-04T05:06:07Z") });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function screenOf(situation: Situation, language: "en" | "zh", columns: number): Promise<string> {
    const messages = await loadMessages(language);
    const { screen, keyboard, signals, ended } = startChat(situation.run, {
      messages,
      columns,
      rows: 60,
      environment: { HOME },
      app: {
        session: () => ({
          type: "session",
          id: "s1",
          model: "qwen2.5-coder:7b",
          cwd: FOLDER,
          contextWindow: 16_384,
          version: "0.1.0",
        }),
      },
    });
    await screen.waitFor("›");
    for (const [index, text] of situation.typed.entries()) {
      if (index > 0) await screen.waitFor(messages.input.busy.trim().slice(0, 20));
      type(keyboard, `${text}\r`);
    }
    await screen.waitFor(situation.until(messages));
    expect(await screen.broken()).toEqual([]);
    const lines = await screen.whole();
    // A turn that has no end is left behind at the second sign.
    signals.abort();
    type(keyboard, "\x03");
    await ended;
    return lines.join("\n").replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠋");
  }

  it.each(Object.entries(SITUATIONS))("is as it was reviewed: %s", async (name, situation) => {
    const screens: string[] = [];
    for (const language of LANGUAGES) {
      for (const columns of WIDTHS) {
        const edge = "─".repeat(columns);
        const title = `${language}, ${columns} columns`;
        screens.push(`${title}\n${edge}\n${await screenOf(situation, language, columns)}\n${edge}\n`);
      }
    }
    await expect(screens.join("\n")).toMatchFileSnapshot(`screens/${name}.txt`);
  });
});
