import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/agent-events.js";
import type { Bottom } from "../../../src/cli/bottom/bottom.js";
import { createPlainBottom } from "../../../src/cli/bottom/plain-bottom.js";
import { asciiMessages } from "../../../src/cli/messages/ascii.js";
import { en } from "../../../src/cli/messages/en.js";
import { createInteractiveRenderer } from "../../../src/cli/render/interactive.js";
import type { InteractiveRendererOptions } from "../../../src/cli/render/interactive.js";
import {
  createProgressRecorder,
  createRecorder,
  denial,
  modelEnd,
  session,
  toolCall,
  turnEnd,
} from "./recorder.js";

function render(
  events: AgentEvent[],
  {
    output = createRecorder(),
    isPlain = true,
    ...options
  }: Partial<InteractiveRendererOptions> & { output?: Recorder; isPlain?: boolean } = {},
) {
  const progress = createProgressRecorder();
  const live: (readonly string[])[] = [];
  const bottom = {
    ...createPlainBottom(output),
    columns: output.columns,
    progress,
    setLive: (rows: Parameters<Bottom["setLive"]>[0]) =>
      live.push(typeof rows === "function" ? rows() : rows),
    isPlain,
  };
  const renderer = createInteractiveRenderer({ bottom, messages: en, colourLevel: 0, ...options });
  for (const event of [session, { type: "turn-start", prompt: "x" } as const, ...events]) renderer(event);
  return { shown: output.text(), lines: output.text().split("\n"), progress, live };
}

type Recorder = ReturnType<typeof createRecorder>;

const output = (text: string): AgentEvent => ({ type: "tool-output", id: "c1", text });
const DIFF = "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n--- old comment\n+new\n+more\n same\n";

describe("the interactive renderer", () => {
  it("streams the answer with its lines set off, and does not repeat it", () => {
    const { shown } = render([
      { type: "text-delta", text: "Hel" },
      { type: "text-delta", text: "lo" },
      modelEnd(),
      turnEnd({ text: "Hello" }),
    ]);
    expect(shown).toMatch(/^\nHello\n\n1,200 tokens in, 34 out · \d/);
  });

  it("joins a sequence that was split between two deltas, and drops it", () => {
    const { shown } = render([
      { type: "text-delta", text: "a\x1b[3" },
      { type: "text-delta", text: "1mb" },
      modelEnd(),
    ]);
    expect(shown).toBe("\nab\n");
  });

  const runs = (text: string, end: Parameters<typeof toolCall>[2] = {}) =>
    render(toolCall("run_command", { command: "ls" }, end, [output(text)]), { isPlain: false });
  const hundred = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join("");

  it("shows the last lines of a command while it runs, and one line for what went well", () => {
    const { lines, live } = runs(hundred, { durationMs: 2000 });
    expect(live[0]).toEqual([95, 96, 97, 98, 99, 100].map((number) => `  line ${number}`));
    expect(live.at(-1)).toEqual([]);
    expect(lines).toEqual(["", "✓ $ ls  100 lines of output · 2 s", ""]);
  });

  it("keeps the tabs of a command's output and of thoughts from breaking its live rows", () => {
    const { live } = runs("ok\tpkg\t1 s\n");
    expect(live[0]).toEqual(["  ok      pkg     1 s"]);
    const thought = render([{ type: "thinking-delta", text: "a\tb" }], { isPlain: false });
    expect(thought.live[0]).toEqual(["  a       b"]);
  });

  it("draws nothing but ASCII where that is wanted, also for a call that has no room", () => {
    const events = toolCall("run_command", { command: "ls ".repeat(100) }, {}, [output("a\n")]);
    const { shown } = render(events, { messages: asciiMessages(en), unicode: false });
    expect(shown).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("shows short output in full, and the last lines of a command that failed", () => {
    expect(runs("a\nb").lines).toEqual(["", "✓ $ ls", "  a", "  b", ""]);
    const { lines } = runs(hundred, { exitCode: 1 });
    expect(lines.slice(1, 4)).toEqual(["✗ $ ls  exit code 1", "  … 92 more lines", "  line 93"]);
    expect(lines.slice(-2)).toEqual(["  line 100", ""]);
  });

  it("tells where nothing may move that a command runs, once it says something", () => {
    const { lines } = render(toolCall("run_command", { command: "ls" }, {}, [output("a\n"), output("b\n")]));
    expect(lines).toEqual(["", "● $ ls", "✓ $ ls", "  a", "  b", ""]);
  });

  it("cuts lines to the width of the terminal", () => {
    const narrow = createRecorder(20);
    render(toolCall("run_command", { command: "x".repeat(50) }, {}, [output(`${"好".repeat(20)}\n`)]), {
      output: narrow,
    });
    expect(narrow.text().split("\n").slice(2, 4)).toEqual(["✓ $ xxxxxxxxxxxxxx…", "  好好好好好好好好…"]);
  });

  it("shows what the model thinks while it comes, and afterwards for how long", () => {
    const { lines, live } = render(
      [
        { type: "thinking-delta", text: "Let me " },
        { type: "thinking-delta", text: "see.\x1b[2J\n\nIt is" },
        { type: "text-delta", text: "Done." },
        modelEnd(),
      ],
      { isPlain: false },
    );
    expect(live).toEqual([["  Let me "], ["  Let me see.", "  It is"], [], ["Done."], []]);
    expect(lines[1]).toMatch(/^· thought for \d/);
    expect(lines.slice(2)).toEqual(["", "Done.", ""]);
  });

  it("tells what was touched, and what came of it", () => {
    const { lines } = render([
      ...toolCall("read_file", { path: "a" }, { found: { lines: { from: 1, to: 200, total: 900 } } }),
      ...toolCall("read_file", { path: "a" }, { found: { lines: { from: 1, to: 9, total: 9 } } }),
      ...toolCall("list_files", { path: "src", pattern: "*.ts" }, { found: { files: 1 } }),
      ...toolCall("search_code", { pattern: "x" }, { found: { matches: 1, files: 1, atLeast: true } }),
      ...toolCall("write_file", { path: "new" }, { diff: "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n" }),
      ...toolCall("edit_file", { path: "big" }, { diff: "--- a/big\n+++ b/big\n(too different)\n" }),
      ...toolCall("command_output", { id: "p1", action: "stop" }),
    ]);
    expect(lines.slice(1)).toEqual([
      "✓ read a 1–200  of 900 lines",
      "✓ read a  9 lines",
      "✓ list src/*.ts  1 file",
      "✓ search /x/  at least 1 hit",
      "✓ create new +1 −0",
      "  1 + a",
      "✓ edit big",
      "  (too different)",
      "✓ stop p1",
      "",
    ]);
  });

  it("shows a change, but not one that was just asked about", () => {
    const { lines } = render(toolCall("edit_file", { path: "a" }, { diff: DIFF }));
    expect(lines.slice(1)).toEqual([
      "✓ edit a +2 −1",
      "  1 - -- old comment",
      "  1 + new",
      "  2 + more",
      "  3   same",
      "",
    ]);
    const asked: AgentEvent = { type: "permission", id: "c1", verdict: "allow", by: "user", because: "y" };
    const { shown } = render(toolCall("edit_file", { path: "a" }, { diff: DIFF }, [asked]));
    expect(shown).toBe("✓ edit a +2 −1\n");
  });

  it("caps a long change", () => {
    const diff = `--- /dev/null\n+++ b/a\n@@ -0,0 +1,100 @@\n${"+x\n".repeat(100)}`;
    const { lines } = render(toolCall("write_file", { path: "a" }, { diff }));
    expect(lines).toHaveLength(1 + 1 + 40 + 1 + 1);
    expect(lines.at(-2)).toBe("  … 60 more lines");
  });

  it("sums up each turn by itself", () => {
    const events = [
      ...toolCall("edit_file", { path: "a" }, { diff: DIFF }),
      ...toolCall("run_command", { command: "make" }, { status: "denied" }, [
        denial("rule", "the rule says no"),
      ]),
      turnEnd({
        changedFiles: ["a"],
        commands: [
          { command: "npm test", exitCode: 1 },
          { command: "ls", exitCode: 0 },
        ],
      }),
    ];
    const { shown } = render([...events, { type: "turn-start", prompt: "y" }, turnEnd()]);
    expect(shown).toContain("denied $ make: the rule says no\n");
    expect(shown).toContain(
      "changed 1 file: a +2 −1 · nothing was run after the last change\nran npm test (exit code 1), ls (exit code 0)\n1,200 tokens in, 34 out · ",
    );
    expect(shown.trimEnd().split("\n").at(-2)).toBe("");
    expect(shown.trimEnd().split("\n").at(-1)).toMatch(/^1,200 tokens in/);
  });

  it("says once that the user declined a call", () => {
    const { shown } = render([
      ...toolCall("run_command", { command: "make" }, { status: "denied" }, [
        denial("user", "declined: slow"),
      ]),
      turnEnd(),
    ]);
    expect(shown).toContain("✗ $ make  declined\n\n1,200 tokens");
  });

  it("gives each call one line, and cuts what has no room", () => {
    const because = `the rule ${"says no ".repeat(20)}`;
    const { lines } = render(
      toolCall("run_command", { command: "x".repeat(90) }, { status: "denied" }, [denial("rule", because)]),
    );
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^✗ \$ x+… {2}denied: the rule says no.*…$/);
    expect(lines[1]).toHaveLength(79);
  });

  it("sets text and calls off from each other by one empty line", () => {
    const { shown } = render([
      { type: "text-delta", text: "\nLet me look.\n\n" },
      modelEnd(),
      ...toolCall("read_file", { path: "a" }),
      ...toolCall("read_file", { path: "b" }),
      { type: "text-delta", text: "Done.\n" },
      modelEnd(),
      turnEnd({ text: "Done." }),
    ]);
    expect(shown).toMatch(/^\nLet me look.\n\n✓ read a\n✓ read b\n\nDone.\n\n1,200 tokens.*\n$/);
  });

  it("goes on with a hint below where it begins", () => {
    const error = { code: "x", message: "gone", hint: "start the server again and say it anew" };
    const shape = { output: createRecorder(30), isPlain: false };
    const { shown } = render([turnEnd({ outcome: "failed", error })], shape);
    expect(shown).toContain("error: gone\n  start the server again and \n  say it anew\n");
  });

  it("counts no command as failed that was stopped with the turn, and nothing if the model said nothing", () => {
    const commands = [{ command: "sleep 9", exitCode: null }];
    expect(render([turnEnd({ outcome: "cancelled", commands })]).shown).toContain(
      "\nran sleep 9 (ended by a signal)\n1,200",
    );
    const usage = { promptTokens: 0, outputTokens: 0, steps: 0 };
    expect(render([turnEnd({ outcome: "cancelled", usage })]).shown).toBe(`\n${en.chat.cancelled}\n`);
  });

  it("tells how a turn ended that did not end by itself", () => {
    const error = { code: "x", message: "gone", hint: "start it" };
    expect(render([turnEnd({ outcome: "failed", error })]).shown).toContain("error: gone\n  start it\n");
    expect(render([turnEnd({ outcome: "cancelled" })]).shown).toContain(en.chat.cancelled);
    expect(render([turnEnd({ outcome: "limit" })]).shown).toContain(en.summary.limit);
  });

  it("hides the progress line whenever something else is written, and at the end", () => {
    const { progress } = render([
      { type: "model-start", step: 1 },
      { type: "text-delta", text: "Hi" },
      { type: "model-progress", step: 1, phase: "writing", elapsedMs: 0 },
      modelEnd(),
      ...toolCall("run_command", { command: "ls" }, {}, [output("a\n")]),
      turnEnd({ text: "Hi" }),
    ]);
    expect(progress.shown.filter((what) => what !== undefined)).toEqual([
      "asking the model",
      "writing",
      "$ ls",
    ]);
    expect(progress.shown.at(-1)).toBeUndefined();
  });

  it("writes no escape byte without colours, whatever comes", () => {
    const hostile = "a\x1b]52;c;AAAA\x07b\x1b[2Jc\x9b31md\u202e";
    const { shown } = render([
      { type: "text-delta", text: `${hostile}\x1b` },
      modelEnd(),
      { type: "notice", level: "warning", code: "i", text: hostile },
      ...toolCall("run_command", { command: hostile }, { status: "error", output: hostile }, [
        output(`${hostile}\x1b[`),
        output(`${hostile}\n${hostile}`),
      ]),
      ...toolCall("edit_file", { path: hostile }, { diff: `@@ -1 +1 @@\n+${hostile}\n` }),
      turnEnd({ text: "other", error: { code: "x", message: hostile, hint: hostile } }),
    ]);
    expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});
