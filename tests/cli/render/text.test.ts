import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/agent-events.js";
import { en } from "../../../src/cli/messages/en.js";
import { createTextRenderer } from "../../../src/cli/render/text.js";
import type { TextRendererOptions } from "../../../src/cli/render/text.js";
import {
  createProgressRecorder,
  createRecorder,
  denial,
  modelEnd,
  session,
  toolCall,
  turnEnd,
} from "./recorder.js";

function render(events: AgentEvent[], options: Partial<TextRendererOptions> = {}) {
  const stdout = createRecorder();
  const stderr = createRecorder();
  const progress = createProgressRecorder();
  const renderer = createTextRenderer({
    stdout,
    stderr,
    messages: en,
    colourLevel: 0,
    answer: "final",
    detail: "plain",
    progress,
    ...options,
  });
  for (const event of [session, ...events]) renderer(event);
  return { stdout: stdout.text(), stderr: stderr.text(), progress };
}

const HOSTILE = "a\x1b]52;c;AAAA\x07b\x1b[2Jc\x9b31md\u202e";

describe("the text renderer", () => {
  it("prints only the final answer into a pipe, with one line end", () => {
    const events: AgentEvent[] = [
      { type: "text-delta", text: "Let me look." },
      modelEnd(),
      ...toolCall("read_file", { path: "a.ts" }),
      { type: "text-delta", text: "It is fine." },
      modelEnd(2),
      turnEnd({ text: "It is fine." }),
    ];
    expect(render(events)).toMatchObject({ stdout: "It is fine.\n", stderr: "" });
  });

  it("prints nothing on stdout when there is no answer", () => {
    expect(render([turnEnd()]).stdout).toBe("");
  });

  it("streams the answer to a terminal as it comes, and does not repeat it at the end", () => {
    const stdout = createRecorder();
    const renderer = createTextRenderer({
      stdout,
      stderr: createRecorder(),
      messages: en,
      colourLevel: 0,
      answer: "stream",
      detail: "all",
      progress: createProgressRecorder(),
    });
    renderer({ type: "text-delta", text: "\n\nHel" });
    expect(stdout.text()).toBe("Hel");
    renderer({ type: "text-delta", text: "lo" });
    renderer(modelEnd());
    renderer(turnEnd({ text: "Hello" }));
    expect(stdout.text()).toBe("Hello\n");
  });

  it("prints the answer at the end when none of it was streamed", () => {
    expect(render([turnEnd({ text: "Hello" })], { answer: "stream" }).stdout).toBe("Hello\n");
  });

  it("leaves stdout alone where JSON is printed on it", () => {
    const events: AgentEvent[] = [{ type: "text-delta", text: "Hi" }, modelEnd(), turnEnd({ text: "Hi" })];
    expect(render(events, { answer: "none" }).stdout).toBe("");
  });

  it("ends an open line of the answer before it writes to stderr", () => {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    render(
      [
        { type: "text-delta", text: "Half" },
        { type: "notice", level: "warning", code: "x", text: "careful" },
      ],
      {
        stdout: stream,
        stderr: stream,
        answer: "stream",
      },
    );
    expect(written.join("")).toBe("Half\nwarning: careful\n");
  });

  it("shows one line for each call with what it touches and how it ended", () => {
    const { stderr } = render(
      [
        ...toolCall("read_file", { path: "src/a.ts" }),
        ...toolCall("search_code", { pattern: "TODO", path: "src" }, { found: { matches: 12, files: 3 } }),
        ...toolCall("run_command", { command: "npm test\nls" }, { durationMs: 12_300 }),
        ...toolCall(
          "edit_file",
          { path: "b.ts" },
          { status: "error", output: "old_text was not found\nlines …" },
        ),
        ...toolCall("list_files", { path: "." }, { status: "cancelled" }),
        ...toolCall("run_command", { command: "make" }, { status: "unknown" }),
        ...toolCall("other_tool", { n: 1 }),
      ],
      { detail: "all" },
    );
    expect(stderr.split("\n")).toEqual([
      "✓ read src/a.ts",
      "✓ search /TODO/ in src  12 hits in 3 files",
      "✓ $ npm test ⏎ ls  12 s",
      "✗ edit b.ts  failed: old_text was not found",
      "✗ list .  cancelled",
      "? $ make  whether it ran to its end is not known",
      '✓ other_tool {"n":1}',
      "",
    ]);
  });

  it("tells what is going on, and yields to the answer", () => {
    const { progress } = render(
      [
        { type: "model-start", step: 1 },
        { type: "model-progress", step: 1, phase: "reading", elapsedMs: 41_000 },
        { type: "text-delta", text: "Hi" },
        { type: "model-progress", step: 1, phase: "writing", elapsedMs: 42_000 },
        modelEnd(),
        ...toolCall("run_command", { command: "npm test" }),
        turnEnd({ text: "Hi" }),
      ],
      { answer: "stream" },
    );
    expect(progress.shown.slice(0, 3)).toEqual(["asking the model", "reading the prompt", undefined]);
    expect(progress.shown).not.toContain("writing");
    expect(progress.shown).toContain("$ npm test");
    expect(progress.shown.at(-1)).toBeUndefined();
  });

  it("says in the summary what was changed, run and denied, and how to allow it", () => {
    const { stderr } = render([
      { type: "turn-start", prompt: "x" },
      ...toolCall("run_command", { command: "rm -rf build" }, { status: "denied" }, [
        denial("nobody", "no rule allows rm"),
      ]),
      turnEnd({
        text: "Done",
        changedFiles: ["a.ts", "b.ts"],
        commands: [
          { command: "npm test", exitCode: 1 },
          { command: "sleep 9", exitCode: null },
        ],
        denied: [{ tool: "run_command", because: "no rule allows rm" }],
      }),
    ]);
    expect(stderr.split("\n")).toEqual([
      "changed 2 files: a.ts, b.ts",
      "ran npm test (exit code 1)",
      "ran sleep 9 (ended by a signal)",
      "denied $ rm -rf build: no rule allows rm",
      en.summary.allowHint,
      "",
    ]);
  });

  it("tells of --permission-mode when an edit was denied for want of a person", () => {
    const call = toolCall("write_file", { path: "a", content: "x" }, { status: "denied" }, [
      denial("nobody", "b"),
    ]);
    const { stderr } = render([...call, turnEnd()]);
    expect(stderr).toContain("--permission-mode accept-edits");
    expect(stderr).not.toContain("--allow");
  });

  it("gives no hint where a rule or the user said no", () => {
    const call = (by: "rule" | "user") =>
      toolCall("run_command", { command: "git push" }, { status: "denied" }, [denial(by, "a deny rule")]);
    const { stderr } = render([...call("rule"), ...call("user"), turnEnd()]);
    expect(stderr).toBe("denied $ git push: a deny rule\n".repeat(2));
  });

  it("names the error and the next step", () => {
    const error = { code: "x", message: "the server is gone", hint: "ollama serve" };
    expect(render([turnEnd({ outcome: "failed", error })])).toMatchObject({
      stdout: "",
      stderr: "error: the server is gone\n  ollama serve\n",
    });
  });

  it("leaves warnings, denials and errors when it is to be quiet", () => {
    const { stderr } = render(
      [
        { type: "notice", level: "info", code: "i", text: "by the way" },
        { type: "notice", level: "warning", code: "w", text: "careful" },
        ...toolCall("run_command", { command: "make" }, { status: "denied" }, [denial("rule", "because")]),
        turnEnd({ changedFiles: ["a"], outcome: "failed", error: { code: "x", message: "broken" } }),
      ],
      { detail: "quiet" },
    );
    expect(stderr).toBe("warning: careful\ndenied $ make: because\nerror: broken\n");
  });

  it("writes no escape byte without colours, whatever model, tools and server send", () => {
    const events: AgentEvent[] = [
      { type: "text-delta", text: HOSTILE },
      { type: "text-delta", text: "\x1b" },
      modelEnd(),
      { type: "notice", level: "info", code: "i", text: HOSTILE },
      ...toolCall(`tool${HOSTILE}`, { path: HOSTILE }, { status: "error", output: HOSTILE }),
      ...toolCall("run_command", { command: HOSTILE }, { status: "denied" }, [denial("rule", HOSTILE)]),
      turnEnd({
        text: `${HOSTILE}!`,
        changedFiles: [HOSTILE],
        commands: [{ command: HOSTILE, exitCode: 0 }],
        error: { code: "x", message: HOSTILE, hint: HOSTILE },
      }),
    ];
    for (const answer of ["stream", "final"] as const) {
      const { stdout, stderr } = render(events, { answer, detail: "all" });
      expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(stdout).toContain("abcd!");
      expect(stderr).toContain("error: abcd\n  abcd\n");
    }
  });
});
