import { describe, expect, it } from "vitest";
import { createApprovalPrompt } from "../../src/cli/questions/approval-prompt.js";
import { en } from "../../src/cli/messages/en.js";
import { createPlainBottom } from "../../src/cli/bottom/plain-bottom.js";
import { createTerminalInput } from "../../src/cli/keyboard/terminal-input.js";
import type { ApprovalRequest } from "../../src/agent/approval.js";
import { createPolicy } from "../../src/permissions/policy.js";
import type { PermissionMode } from "../../src/permissions/access.js";
import { createEditFileTool } from "../../src/tools/edit-file.js";
import { createFileMemory } from "../../src/tools/file-memory.js";
import { createReadFileTool } from "../../src/tools/read-file.js";
import { createWriteFileTool } from "../../src/tools/write-file.js";
import { answering, makeGate } from "../agent/gate.js";
import { createKeyboard, createScreen } from "../cli/screen.js";
import { createWorkspace } from "./workspace.js";

const policyIn = (workspaceRoot: string, mode: PermissionMode) =>
  createPolicy({
    workspaceRoot,
    homeDir: "/nonexistent",
    mode,
    allowed: [],
    denied: [],
    readOnlyDefaultsActive: true,
    pathVariable: "",
    shellFound: true,
    platform: process.platform,
  });

describe("two edits of one file in one reply", () => {
  it("both land, whatever way its path is written", async () => {
    const workspace = createWorkspace();
    const numbers = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`);
    workspace.file("nums.txt", numbers.join(""));
    const gate = makeGate({
      tools: [createEditFileTool({ memory: createFileMemory(), env: {} })],
      workspaceRoot: workspace.root,
      policy: policyIn(workspace.root, "accept-edits"),
    });
    await Promise.all([
      gate.run("edit_file", { path: "nums.txt", old_text: "50\n", new_text: "FIFTY\n" }),
      gate.run("edit_file", { path: "./nums.txt", old_text: "75\n", new_text: "SEVENTYFIVE\n" }),
    ]);
    numbers[49] = "FIFTY\n";
    numbers[74] = "SEVENTYFIVE\n";
    expect(workspace.text("nums.txt")).toBe(numbers.join(""));
  });
});

describe("replacing a file that was not read", () => {
  it("reaches the question with both sizes, and the terminal shows them above the change", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "one\ntwo\n");
    const asked: ApprovalRequest[] = [];
    const gate = makeGate({
      tools: [createWriteFileTool({ memory: createFileMemory(), env: {} })],
      workspaceRoot: workspace.root,
      policy: policyIn(workspace.root, "default"),
      approve: answering({ answer: "no" }, asked),
    });
    await gate.run("write_file", { path: "a.txt", content: "mine\n" });
    const warning =
      "a.txt existed and was not read in this session: 2 lines (8 bytes) become 1 line (5 bytes).";
    expect(asked).toMatchObject([{ warning, diff: expect.stringContaining("+mine") as string }]);

    const screen = createScreen(100);
    const keyboard = createKeyboard();
    const input = createTerminalInput({ input: keyboard, output: screen.output, animated: true });
    const approve = createApprovalPrompt({
      input,
      bottom: createPlainBottom(screen.output),
      messages: en,
      colourLevel: 0,
      notify: () => undefined,
    });
    const answered = approve(asked[0]!, new AbortController().signal);
    await screen.waitFor(/\[n\]/);
    const lines = await screen.lines();
    expect(lines[2]).toBe(`  ${warning}`);
    expect(lines.findIndex((line) => line.includes("mine"))).toBeGreaterThan(2);
    keyboard.write("n\r");
    await answered;
  });
});

describe("replacing a file that was not read, where changes are free,", () => {
  const replace = async (mode: PermissionMode, answer?: "once" | "no", read = false) => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "one\ntwo\n");
    const memory = createFileMemory();
    const asked: ApprovalRequest[] = [];
    const gate = makeGate({
      tools: [createReadFileTool({ memory, env: {} }), createWriteFileTool({ memory, env: {} })],
      workspaceRoot: workspace.root,
      policy: policyIn(workspace.root, mode),
      ...(answer && { approve: answering({ answer }, asked) }),
    });
    if (read) await gate.run("read_file", { path: "a.txt" });
    const { status, output } = await gate.run("write_file", { path: "a.txt", content: "mine\n" });
    return { asked, status, output, text: workspace.text("a.txt") };
  };
  const sizes = "2 lines (8 bytes) become 1 line (5 bytes)";

  it("is asked about with both sizes, and left undone after a no", async () => {
    const refused = await replace("accept-edits", "no");
    expect(refused.asked).toMatchObject([
      { verdict: { verdict: "ask", rememberAs: [] }, warning: expect.stringContaining(sizes) as string },
    ]);
    expect(refused).toMatchObject({ status: "denied", text: "one\ntwo\n" });
    expect(await replace("accept-edits", "once")).toMatchObject({ status: "ok", text: "mine\n" });
  });

  it("is not asked about once it was read, nor in bypass mode", async () => {
    for (const result of [await replace("accept-edits", "no", true), await replace("bypass", "no")]) {
      expect(result).toMatchObject({ asked: [], status: "ok", text: "mine\n" });
    }
  });

  it("is done where nobody can be asked, and the answer names both sizes", async () => {
    const { status, output, text } = await replace("accept-edits");
    expect({ status, text }).toEqual({ status: "ok", text: "mine\n" });
    expect(output).toContain(sizes);
  });
});
