import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  DEMO_BUG,
  DEMO_FIX,
  DEMO_TEST_COMMAND,
  makeDemoProject,
  verifyDemo,
} from "../../src/demo/demo-project.js";
import { DEMO_MODEL, demoReply } from "../../src/demo/demo-script.js";
import { DEMO_WORDS } from "../../src/demo/demo-words.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatLines } from "./ndjson.js";

const SOURCE = "src/discount.js";

type Tools = Record<string, (args: Record<string, string>) => Promise<string>>;

async function demoProject(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "demo-project-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await makeDemoProject(folder);
  return folder;
}

async function replaceInFile(file: string, oldText: string, newText: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text.split(oldText)).toHaveLength(2);
  await writeFile(file, text.split(oldText).join(newText));
}

/** Does by hand what the agent's tools do. */
function realTools(folder: string): Tools {
  return {
    list_files: async () => (await readdir(folder, { recursive: true })).join("\n"),
    search_code: () => Promise.resolve(`${SOURCE}:2: export function discountRate(itemCount) {`),
    read_file: ({ path: name }) => readFile(path.join(folder, name!), "utf8"),
    edit_file: async ({ path: name, old_text, new_text }) => {
      await replaceInFile(path.join(folder, name!), old_text!, new_text!);
      return "Edited.";
    },
    run_command: ({ command }) => {
      expect(command).toBe(DEMO_TEST_COMMAND);
      const [, ...args] = command!.split(" ");
      return new Promise((resolve) => {
        execFile(process.execPath, args, { cwd: folder }, (error, stdout) => {
          resolve(`Exit code: ${error?.code ?? 0}\n${stdout}`);
        });
      });
    },
  };
}

/** Plays the agent against the script; the tools called and the last words. */
async function play(tools: Tools): Promise<{ called: string[]; answer: string }> {
  const { url } = await scriptedOllama({ models: [DEMO_MODEL], replies: demoReply });
  const messages: Record<string, unknown>[] = [{ role: "user", content: DEMO_WORDS.en.prompt }];
  const called: string[] = [];
  for (;;) {
    const said = (await chatLines(url, { model: DEMO_MODEL.name, messages })).map((line) => line.message!);
    const content = said.map((message) => message.content).join("");
    const tool_calls = said.flatMap((message) => message.tool_calls ?? []);
    messages.push({ role: "assistant", content, tool_calls });
    if (tool_calls.length === 0) return { called, answer: content };
    for (const { function: wanted } of tool_calls) {
      called.push(wanted.name);
      const result = await tools[wanted.name]!(wanted.arguments as Record<string, string>);
      messages.push({ role: "tool", tool_name: wanted.name, content: result });
    }
  }
}

it("the demo project's tests fail as made and pass once the line is mended", async () => {
  const folder = await demoProject();
  const before = await verifyDemo(folder);
  expect(before.passes).toBe(false);
  expect(before.output).toContain("not ok 2 - ten items get the discount");
  expect(before.output).toContain("# fail 1");
  await replaceInFile(path.join(folder, SOURCE), DEMO_BUG, DEMO_FIX);
  const after = await verifyDemo(folder);
  expect(after.passes).toBe(true);
  expect(after.output).toContain("# pass 3");
});

it("a project that lost its tests, or its folder, does not pass", async () => {
  const folder = await demoProject();
  await rm(path.join(folder, "test"), { recursive: true });
  expect((await verifyDemo(folder)).passes).toBe(false);
  const missing = await verifyDemo(path.join(folder, "missing"));
  expect(missing.passes).toBe(false);
  expect(missing.output).not.toBe("");
});

it("the script lists, searches, reads, tests, edits, tests and then tells the success that it saw", async () => {
  const folder = await demoProject();
  const { called, answer } = await play(realTools(folder));
  expect(called).toEqual([
    "list_files",
    "search_code",
    "read_file",
    "run_command",
    "edit_file",
    "run_command",
  ]);
  expect(answer).toContain("the tests pass now (exit code 0, it was 1 before)");
  expect(await verifyDemo(folder)).toMatchObject({ passes: true });
});

it("the script tells the failure when its edit was refused", async () => {
  const folder = await demoProject();
  const { answer } = await play({ ...realTools(folder), edit_file: () => Promise.resolve("Denied.") });
  expect(answer).toContain("still fail (exit code 1)");
  expect(answer).not.toMatch(/pass now|^Fixed/);
});

it("the script claims nothing when it may not run the tests", async () => {
  const tools = realTools(await demoProject());
  const never = await play({ ...tools, run_command: () => Promise.resolve("Denied: nobody can be asked.") });
  expect(never.called).not.toContain("edit_file");
  expect(never.answer).toContain("I could not run the tests, so I changed nothing. The tool said: Denied");

  let runs = 0;
  const once = await play({
    ...tools,
    run_command: (args) => (runs++ === 0 ? tools["run_command"]!(args) : Promise.resolve("Cancelled.")),
  });
  expect(once.answer).toContain("I do not know whether the change helps. The tool said: Cancelled.");
});

it("the script changes nothing in a project that is sound or that it could not read", async () => {
  const folder = await demoProject();
  const unread = await play({ ...realTools(folder), read_file: () => Promise.resolve("Denied.") });
  expect(unread.answer).toContain("I did not find the cause. The tool said: Denied.");
  await replaceInFile(path.join(folder, SOURCE), DEMO_BUG, DEMO_FIX);
  const { called, answer } = await play(realTools(folder));
  expect(called).not.toContain("edit_file");
  expect(answer).toContain("The tests pass already");
});
