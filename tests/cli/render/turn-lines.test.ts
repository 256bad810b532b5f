import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent, TurnEnd } from "../../../src/agent/agent-events.js";
import { loadMessages } from "../../../src/cli/messages/catalogue.js";
import { callLine } from "../../../src/cli/render/event-lines.js";
import { createColours, widthOf } from "../../../src/cli/render/terminal.js";
import { createTurnLog } from "../../../src/cli/render/turn-log.js";
import { figuresLine, workLines, workList } from "../../../src/cli/render/turn-summary.js";
import { modelEnd, toolCall, turnEnd } from "./recorder.js";

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;

const words = fc.string({
  unit: fc.constantFrom("a", "b ", "/", "你", "é", "\n", "\t", "\x1b[2J", "."),
  maxLength: 90,
});
const tools = fc.constantFrom("read_file", "edit_file", "run_command", "search_code", "list_files", "other");
const statuses = fc.constantFrom("ok", "error", "denied", "cancelled", "unknown");
const languages = fc.constantFrom("en", "zh");

async function logOf(events: readonly AgentEvent[], language: "en" | "zh" = "en") {
  const messages = await loadMessages(language);
  const log = createTurnLog(messages, createColours(0));
  log.note({ type: "turn-start", prompt: "x" });
  for (const event of events) log.note(event);
  return { messages, log };
}

describe("the lines of a turn", () => {
  it("fit the width, whatever calls hold, in both languages", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ tool: tools, status: statuses, subject: words, output: words, language: languages }),
        fc.integer({ min: 24, max: 200 }),
        async ({ tool, status, subject, output, language }, columns) => {
          const diff = tool === "edit_file" ? "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" : undefined;
          const args = { path: subject, command: subject, pattern: subject };
          const end = { status, output, durationMs: 61_000, ...(diff === undefined ? {} : { diff }) };
          const events = toolCall(tool, args, end);
          const { log, messages } = await logOf(events, language);
          const line = callLine(
            events.at(-1) as ToolEnd,
            log,
            messages,
            createColours(0),
            columns,
            "and more",
          );
          expect(widthOf(line)).toBeLessThan(columns);
          expect(line).not.toMatch(/[\x00-\x1f]/);
          const ended = turnEnd({
            changedFiles: [subject, output, "f", "g", "h"],
            commands: [subject, output, "make"].map((command, index) => ({ command, exitCode: index })),
          });
          for (const shown of [
            ...workLines(ended, log, messages, columns),
            figuresLine(ended, log, messages, columns),
          ]) {
            expect(widthOf(shown)).toBeLessThan(columns);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("tell the share of the prompts that was in the cache, and how fast the reply came", async () => {
    const reply: AgentEvent = {
      ...(modelEnd() as Extract<AgentEvent, { type: "model-end" }>),
      usage: { promptTokens: 1_000, outputTokens: 62 },
      timings: { loadMs: 0, promptMs: 10, outputMs: 2_000 },
      cachedTokens: 870,
    };
    const { log, messages } = await logOf([reply, reply]);
    const end = turnEnd({ usage: { promptTokens: 2_000, outputTokens: 124, steps: 2 } });
    expect(figuresLine(end, log, messages, 80)).toMatch(
      /^2,000 tokens in \(87 % cached\), 124 out · 31 tokens\/s · \d/,
    );
    expect(figuresLine(end, log, messages, 50)).toMatch(/^2,000 tokens in \(87 % cached\), 124 out · \d/);
    expect(figuresLine(end, log, messages, 36)).toMatch(/^2,000 tokens in, 124 out · \d/);
  });

  const edit = (path: string) =>
    toolCall("edit_file", { path }, { diff: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n` });
  const run = (end: Partial<ToolEnd> = {}) =>
    toolCall("run_command", { command: "make" }, { exitCode: 0, ...end });

  it.each<[string, readonly AgentEvent[], Partial<TurnEnd>, boolean]>([
    ["a change with no command after it", [...run(), ...edit("a.ts")], { changedFiles: ["a.ts"] }, true],
    [
      "a command after the change, also one that failed",
      [...edit("a.ts"), ...run({ exitCode: 1 })],
      { changedFiles: ["a.ts"] },
      false,
    ],
    [
      "a command that was started in the background",
      [...edit("a.ts"), ...toolCall("run_command", { command: "serve", background: true })],
      { changedFiles: ["a.ts"] },
      false,
    ],
    [
      "a command that was denied",
      [...edit("a.ts"), ...run({ status: "denied" })],
      { changedFiles: ["a.ts"] },
      true,
    ],
    ["prose alone", edit("README.md"), { changedFiles: ["README.md"] }, false],
    ["no change", run(), {}, false],
  ])(
    "say that nothing was run since only where that is certain: %s",
    async (_what, events, end, expected) => {
      const { log, messages } = await logOf(events);
      for (const lines of [
        workLines(turnEnd(end), log, messages, 120),
        workList(turnEnd(end), log, messages),
      ]) {
        expect(lines.join("\n").includes(messages.summary.nothingRunSince)).toBe(expected);
      }
    },
  );

  it.each([
    [80, ["changed 1 file: src/parser.ts +1 −1 · nothing was run after the last change"]],
    [60, ["changed 1 file: src/parser.ts +1 −1", "nothing was run after the last change"]],
  ])("name the file in full beside what was not run, in %i cells", async (columns, expected) => {
    const { log, messages } = await logOf(edit("src/parser.ts"));
    expect(workLines(turnEnd({ changedFiles: ["src/parser.ts"] }), log, messages, columns)).toEqual(expected);
  });

  it("name a few commands with their exit codes, and count many with those that failed", async () => {
    const { log, messages } = await logOf([]);
    const commands = ["npm test", "make", "ls"].map((command, index) => ({ command, exitCode: index }));
    expect(workLines(turnEnd({ commands }), log, messages, 100)).toEqual([
      "ran npm test (exit code 0), make (exit code 1), ls (exit code 2)",
    ]);
    expect(workLines(turnEnd({ commands }), log, messages, 60)).toEqual([
      "ran 3 commands (2 failed) · make (exit code 1)",
    ]);
  });
});
