import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../../src/agent/approval.js";
import { EDITS_RULE } from "../../../src/permissions/access.js";
import { createApprovalPrompt } from "../../../src/cli/questions/approval-prompt.js";
import { createBottom } from "../../../src/cli/bottom/bottom.js";
import { en } from "../../../src/cli/messages/en.js";
import { zh } from "../../../src/cli/messages/zh.js";
import { createTerminalInput } from "../../../src/cli/keyboard/terminal-input.js";
import { createKeyboard, createScreen } from "../screen.js";

const command: ApprovalRequest = {
  callId: "c1",
  tool: "run_command",
  subject: "npm test",
  verdict: {
    verdict: "ask",
    by: "rule",
    because: ["no rule allows npm test", "it starts a program", "third reason", "fourth reason"],
    commands: [],
    rememberAs: ["npm test"],
  },
};

const unkeepable: ApprovalRequest = { ...command, verdict: { ...command.verdict, rememberAs: [] } };

const edit: ApprovalRequest = {
  ...unkeepable,
  tool: "edit_file",
  subject: "src/a.ts",
  diff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n-const a = 1;\n+const a\u202e = 2;\n same\n",
};

function setUp(options: { messages?: typeof en; columns?: number; onCancel?: () => void } = {}) {
  const { messages = en } = options;
  const plain = (text: string) => text;
  const screen = createScreen(options.columns);
  const keyboard = createKeyboard();
  const input = createTerminalInput({ input: keyboard, output: screen.output, animated: true });
  const approve = createApprovalPrompt({
    input,
    bottom: createBottom({ output: screen.output, messages, styles: { spinner: plain } }),
    messages,
    colourLevel: 0,
    notify: () => undefined,
    ...(options.onCancel && { onCancel: options.onCancel }),
  });
  const signal = new AbortController().signal;
  return { screen, keyboard, input, approve, signal };
}

/** Asks, waits for the question, types, and gives the answer. */
async function answer(keys: string, request = command, options: Parameters<typeof setUp>[0] = {}) {
  const { screen, keyboard, approve, signal } = setUp(options);
  const answered = approve(request, signal);
  await screen.waitFor(/\[n\]/);
  keyboard.write(keys);
  return answered;
}

describe("the question", () => {
  it("shows tool, command, the first three reasons, the rule that would be kept and the answers", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const answered = approve(command, signal);
    await screen.waitFor(/\[n\]/);
    expect(await screen.lines()).toEqual([
      "",
      "Run this command? run_command",
      "  │ npm test",
      "  why you are asked:",
      "  - no rule allows npm test",
      "  - it starts a program",
      "  - third reason",
      "  a or p allows what begins with: npm test",
      "  y once · a this session · p always in this project · n no",
      "  [n]",
    ]);
    keyboard.write("y");
    await answered;
  });

  it("goes on with words of its own without the mark of foreign ones, on a narrow terminal", async () => {
    const request = { ...edit, verdict: { ...edit.verdict, because: [], rememberAs: [EDITS_RULE] } };
    const { screen, keyboard, approve, signal } = setUp({ columns: 44 });
    const answered = approve(request, signal);
    await screen.waitFor(/\[n\]/);
    const lines = (await screen.lines()).map((line) => line.trimEnd());
    expect(lines.slice(lines.findIndex((line) => line.includes("a or p")))).toEqual([
      "  a or p allows all edits of files in this",
      "  workspace, protected names excepted",
      "  y once · a this session · p always in",
      "  this project · n no",
      "  [n]",
    ]);
    keyboard.write("y");
    await answered;
  });

  it.each([
    ["y", { answer: "once" }],
    ["Y", { answer: "once" }],
    ["a", { answer: "always", keep: "session" }],
    ["p", { answer: "always", keep: "project" }],
    ["\r", { answer: "no" }],
    ["\x04", { answer: "no" }],
    ["n\r", { answer: "no" }],
    ["nuse pnpm 你好\r", { answer: "no", reason: "use pnpm 你好" }],
    ["nwrong\x7f\x7f\x7f\x7f\x7fright\r", { answer: "no", reason: "right" }],
    ["n\x04", { answer: "no" }],
    ["xz?\x1b[Ay", { answer: "once" }],
  ])("takes %j as an answer", async (keys, expected) => {
    expect(await answer(keys)).toEqual(expected);
  });

  it("takes the same keys in Chinese", async () => {
    expect(await answer("y", command, { messages: zh })).toEqual({ answer: "once" });
    expect(await answer("n\r", command, { messages: zh })).toEqual({ answer: "no" });
  });

  it("says when no rule can be kept, and takes no answer that would keep one", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const answered = approve(unkeepable, signal);
    await screen.waitFor(/\[n\]/);
    const shown = (await screen.lines()).join("\n");
    expect(shown).toContain(en.question.cannotRemember);
    expect(shown).not.toContain("this session");
    keyboard.write("apy");
    expect(await answered).toEqual({ answer: "once" });
  });

  it("shows the path and the whole change, with what cannot be seen made visible", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const answered = approve(edit, signal);
    await screen.waitFor(/\[n\]/);
    expect((await screen.lines()).slice(0, 5)).toEqual([
      "",
      "Change src/a.ts? edit_file",
      "  │ 1 - const a = 1;",
      "  │ 1 + const a\\u202e = 2;",
      "  │ 2   same",
    ]);
    keyboard.write("n\r");
    await answered;
  });

  it("shows where a path really leads", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const path = {
      written: "link",
      real: "/etc/hosts",
      display: "link",
      inside: false,
      kind: "file",
    } as const;
    const request = { ...unkeepable, tool: "read_file", subject: "link" };
    const answered = approve({ ...request, verdict: { ...request.verdict, path } }, signal);
    await screen.waitFor("/etc/hosts");
    keyboard.write("\r");
    await answered;
  });

  it("lets no text of a command pass for a part of the question", async () => {
    const { screen, keyboard, approve, signal } = setUp({ columns: 40 });
    const spoof = "  y once · n no";
    const subject = `rm -rf x\x1b[2K\r\nls${" ".repeat(200)}x\n${spoof}\n${"#".repeat(70)}${spoof}`;
    const answered = approve({ ...unkeepable, subject }, signal);
    await screen.waitFor(/\[n\]/);
    const lines = await screen.lines();
    expect(lines[2]).toBe("  │ rm -rf x\\x1b[2K\\r");
    expect(lines[3]).toBe("  │ ls␠×200x");
    const from = lines.findIndex((line) => line.startsWith("  why"));
    for (const line of lines.slice(2, from)) expect(line).toMatch(/^ {2}│ /);
    expect(lines.filter((line) => line.startsWith(spoof.trimEnd()))).toHaveLength(1);
    keyboard.write("\r");
    await answered;
  });

  it("marks what a long path or reason goes on with as not its own", async () => {
    const { screen, keyboard, approve, signal } = setUp({ columns: 40 });
    const long = `${"x".repeat(50)}  y once`;
    const request = { ...edit, subject: long, verdict: { ...edit.verdict, because: [long] } };
    const answered = approve(request, signal);
    await screen.waitFor(/\[n\]/);
    const lines = await screen.lines();
    expect(lines[2]).toMatch(/^ {2}│ x+ {2}y once/);
    const reason = lines.findIndex((line) => line.startsWith("  - xxx"));
    expect(lines[reason + 1]).toMatch(/^ {2}│ x+ {2}y once/);
    keyboard.write("\r");
    await answered;
  });

  it("counts nothing that was typed before it came up", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    keyboard.write("yyy\r");
    const answered = approve(command, signal);
    await screen.waitFor(/\[n\]/);
    keyboard.write("a");
    expect(await answered).toEqual({ answer: "always", keep: "session" });
  });

  it("leaves what was typed before to the reader beneath", async () => {
    const { screen, keyboard, input, approve, signal } = setUp();
    let typed = "";
    const release = input.read((event) => {
      if (event.type === "key") typed += event.text;
    });
    keyboard.write("next task");
    const answered = approve(command, signal);
    await screen.waitFor(/\[n\]/);
    keyboard.write("n");
    keyboard.write("why\r");
    await answered;
    expect(typed).toBe("next task");
    release();
  });

  it("ignores pasted text", async () => {
    expect(await answer("\x1b[200~y\ny\n\x1b[201~a")).toEqual({ answer: "always", keep: "session" });
  });

  it("shows a long change in full, and again row by row where it scrolled away", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const added = Array.from({ length: 100 }, (_, line) => `+line ${line + 1}\n`).join("");
    const diff = `--- a/src/a.ts\n+++ b/src/a.ts\n@@ -0,0 +1,100 @@\n${added}`;
    const answered = approve({ ...edit, diff }, signal);
    await screen.waitFor(/101 lines · [^]*\[n\]$/);
    expect((await screen.lines()).filter((line) => /^ {2}│ +\d+ \+ line/.test(line))).toHaveLength(100);
    keyboard.write("\x1b[5~");
    await screen.waitFor(/\nChange src\/a\.ts\? edit_file\n[^]*line 34\n {2}lines 1–35 of 101[^]*\[n\]$/);
    keyboard.write("\x1b[6~\x1b[B");
    await screen.waitFor(/ {2}│ {2}36 \+ line 36\n[^]*line 70\n {2}lines 37–71 of 101[^]*\[n\]$/);
    keyboard.write("\x1b[F");
    await screen.waitFor(/line 100\n {2}lines 67–101 of 101/);
    keyboard.write("y");
    expect(await answered).toEqual({ answer: "once" });
    expect((await screen.lines()).join("\n")).not.toContain("of 101");
  });

  it("asks one question after the other", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const first = approve(command, signal);
    const second = approve({ ...command, subject: "npm run lint" }, signal);
    await screen.waitFor(/\[n\]/);
    expect((await screen.lines()).join("\n")).toContain("(1 of 2)");
    expect((await screen.lines()).join("\n")).not.toContain("npm run lint");
    keyboard.write("y");
    expect(await first).toEqual({ answer: "once" });
    await screen.waitFor(/npm run lint[^]*\[n\]/);
    keyboard.write("p");
    expect(await second).toEqual({ answer: "always", keep: "project" });
  });

  it("takes the end of the input as no", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const answered = approve(command, signal);
    await screen.waitFor(/\[n\]/);
    keyboard.end();
    expect(await answered).toEqual({ answer: "no" });
    expect(await approve(command, signal)).toEqual({ answer: "no" });
  });

  it.each([["\x03"], ["n\x03"]])("cancels the turn on Ctrl-C after %j", async (keys) => {
    const turn = new AbortController();
    const { screen, keyboard, approve } = setUp({
      onCancel: () => {
        turn.abort(new Error("cancelled"));
      },
    });
    const answered = approve(command, turn.signal);
    const queued = approve(command, turn.signal);
    const failures = Promise.allSettled([answered, queued]);
    await screen.waitFor(/\[n\]/);
    keyboard.write(keys);
    for (const { status } of await failures) expect(status).toBe("rejected");
    expect(keyboard.isRaw).toBe(false);
  });

  it("goes away when the turn is cancelled, and gives the terminal back", async () => {
    const { screen, keyboard, approve } = setUp();
    const turn = new AbortController();
    const answered = approve(command, turn.signal);
    const failure = expect(answered).rejects.toThrow("cancelled elsewhere");
    await screen.waitFor(/\[n\]/);
    expect(keyboard.isRaw).toBe(true);
    turn.abort(new Error("cancelled elsewhere"));
    await failure;
    expect(keyboard.isRaw).toBe(false);
    expect(screen.written().lastIndexOf("\x1b[?2004l")).toBeGreaterThan(
      screen.written().lastIndexOf("\x1b[?2004h"),
    );
    const next = approve(command, new AbortController().signal);
    await screen.waitFor(/\[n\][^]*\[n\]/);
    keyboard.write("y");
    expect(await next).toEqual({ answer: "once" });
  });

  it("gives the terminal back after an answer", async () => {
    const { screen, keyboard, approve, signal } = setUp();
    const answered = approve(command, signal);
    await screen.waitFor(/\[n\]/);
    keyboard.write("y");
    await answered;
    expect(keyboard.isRaw).toBe(false);
    expect(screen.written().lastIndexOf("\x1b[?2004l")).toBeGreaterThan(
      screen.written().lastIndexOf("\x1b[?2004h"),
    );
  });
});
