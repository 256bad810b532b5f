import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/agent-events.js";
import { createPlainBottom } from "../../../src/cli/bottom/plain-bottom.js";
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
  { output = createRecorder(), ...options }: Partial<InteractiveRendererOptions> & { output?: Recorder } = {},
) {
  const progress = createProgressRecorder();
  const bottom = { ...createPlainBottom(output), columns: output.columns, progress };
  const renderer = createInteractiveRenderer({ bottom, messages: en, colourLevel: 0, ...options });
  for (const event of [session, { type: "turn-start", prompt: "x" } as const, ...events]) renderer(event);
  return { shown: output.text(), lines: output.text().split("\n"), progress };
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

  it("shows short output of a command in full, below the command", () => {
    const { lines } = render(
      toolCall("run_command", { command: "ls" }, {}, [output("a\nb"), output("c\nd"), output("")]),
    );
    expect(lines).toEqual(["", "● run_command ls", "  a", "  bc", "  d", "  ✓", ""]);
  });

  it("folds long output: its first lines, how many are left out, and its last lines", () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join("");
    const { lines } = render(
      toolCall("run_command", { command: "ls" }, { durationMs: 2000 }, [output(text)]),
    );
    expect(lines.slice(1, 4)).toEqual(["● run_command ls", "  line 1", "  line 2"]);
    expect(lines.slice(7)).toEqual([
      "  line 6",
      "  … 91 more lines",
      "  line 98",
      "  line 99",
      "  line 100",
      "  ✓ 2 s",
      "",
    ]);
  });

  it("cuts lines to the width of the terminal", () => {
    const narrow = createRecorder(20);
    render(toolCall("run_command", { command: "x".repeat(50) }, {}, [output(`${"好".repeat(20)}\n`)]), {
      output: narrow,
    });
    expect(narrow.text().split("\n").slice(1, 3)).toEqual(["● run_command xxxx…", "  好好好好好好好好…"]);
  });

  it("shows a change in colour, but not one that was just asked about", () => {
    const coloured = render(toolCall("edit_file", { path: "a" }, { diff: DIFF }), { colourLevel: 1 }).shown;
    expect(coloured).toContain("\x1b[32m+new\x1b[39m");
    expect(coloured).toContain("\x1b[31m--- old comment\x1b[39m");
    expect(coloured).not.toContain("b/a");
    const asked: AgentEvent = { type: "permission", id: "c1", verdict: "allow", by: "user", because: "y" };
    const { shown } = render(toolCall("edit_file", { path: "a" }, { diff: DIFF }, [asked]));
    expect(shown).toBe("✓ edit_file a\n");
  });

  it("caps a long change", () => {
    const diff = `@@ -0,0 +1,100 @@\n${"+x\n".repeat(100)}`;
    const { lines } = render(toolCall("write_file", { path: "a" }, { diff }));
    expect(lines).toHaveLength(1 + 1 + 40 + 1 + 1);
    expect(lines.at(-2)).toBe("  … 61 more lines");
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
    expect(shown).toContain("denied run_command make: the rule says no\n");
    expect(shown).toContain("1 file (+2 −1) · 2 commands (1 failed) · 1,200 tokens in, 34 out · ");
    expect(shown.trimEnd().split("\n").at(-1)).toMatch(/^1,200 tokens in/);
  });

  it("says once that the user declined a call", () => {
    const { shown } = render([
      ...toolCall("run_command", { command: "make" }, { status: "denied" }, [
        denial("user", "declined: slow"),
      ]),
      turnEnd(),
    ]);
    expect(shown).toContain("✗ run_command make  declined\n\n1,200 tokens");
  });

  it("gives each call one line, and cuts what has no room", () => {
    const because = `the rule ${"says no ".repeat(20)}`;
    const { lines } = render(
      toolCall("run_command", { command: "x".repeat(90) }, { status: "denied" }, [denial("rule", because)]),
    );
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^✗ run_command x+… {2}denied: the rule says no.*…$/);
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
    expect(shown).toMatch(/^\nLet me look.\n\n✓ read_file a\n✓ read_file b\n\nDone.\n\n1,200 tokens.*\n$/);
  });

  it("counts no command as failed that was stopped with the turn, and nothing if the model said nothing", () => {
    const commands = [{ command: "sleep 9", exitCode: null }];
    expect(render([turnEnd({ outcome: "cancelled", commands })]).shown).toContain("\n1 command · ");
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
      "running run_command ls",
      "running run_command ls",
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
