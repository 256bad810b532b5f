import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../src/cli/messages/en.js";
import { call, say, silence } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { runInTerminal, shellInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions } from "../helpers/terminal.js";
import { askPlace, lastPrompt } from "./ask-setup.js";
import { AT_QUESTION } from "./session-terminal.js";

const TOUCH = call("run_command", { command: "touch a" });
const PIPED = { piped: "the context\n" };

async function asking(
  { replies = [TOUCH, say("Made it.")], args = [] }: { replies?: Reply[]; args?: string[] },
  options: TerminalOptions = PIPED,
) {
  const { server, place } = await askPlace({ replies });
  const terminal = runInTerminal(place, ["ask", "make a", ...args], options);
  const isMade = () => existsSync(join(place.workspace, "a"));
  return { server, place, terminal, isMade };
}

const restored = (before: string) => ({ before, after: before, cursorVisible: true, pasteMode: false });

describe("mini-cc ask in a pipeline on a terminal", () => {
  it("asks on the terminal that it belongs to, and what was piped in is context", async () => {
    const { server, terminal, isMade } = await asking({});
    await terminal.waitFor(AT_QUESTION);
    expect(isMade()).toBe(false);
    terminal.type("y");
    const end = await terminal.ended;
    expect(end).toEqual({ code: 0, ...restored(end.before) });
    expect(isMade()).toBe(true);
    expect(lastPrompt(server)).toBe("make a\n\nthe context");
  });

  it("takes a reason there, too, which the model is told", async () => {
    const { server, terminal, isMade } = await asking({ replies: [TOUCH, say("Not made.")] });
    await terminal.waitFor(AT_QUESTION);
    terminal.type("n");
    await terminal.waitFor(en.question.reason);
    terminal.type("not in this folder\r");
    expect((await terminal.ended).code).toBe(0);
    expect(isMade()).toBe(false);
    expect(server.chatBodies().at(-1)?.messages.at(-1)?.content).toContain("not in this folder");
  });

  it("asks with its answer in a file, its input from a file, and with --quiet", async () => {
    const { place } = await askPlace({ replies: [] });
    const stdin = place.file("context.txt", "the context\n");
    const stdout = join(place.home, "answer");
    const { server, terminal, isMade } = await asking({ args: ["-q"] }, { stdin, stdout });
    await terminal.waitFor(AT_QUESTION);
    terminal.type("y");
    expect((await terminal.ended).code).toBe(0);
    expect(isMade()).toBe(true);
    expect(readFileSync(stdout, "utf8")).toBe("Made it.\n");
    expect(lastPrompt(server)).toBe("make a\n\nthe context");
  });

  it("takes nothing as an answer that was typed before the question", async () => {
    const { terminal, isMade } = await asking({});
    terminal.type("y");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("\r");
    expect((await terminal.ended).code).toBe(0);
    expect(isMade()).toBe(false);
  });

  it.each([
    ["while the model is silent", [silence()], /reading [\d,]+ tokens/],
    ["at a question", [TOUCH], AT_QUESTION],
  ])("ends on Ctrl-C %s with 130, and gives the terminal back", async (_phase, replies, shown) => {
    const { terminal, isMade } = await asking({ replies });
    await terminal.waitFor(shown);
    terminal.type("\x03");
    const end = await terminal.ended;
    expect(end).toEqual({ code: 130, ...restored(end.before) });
    expect(isMade()).toBe(false);
  });

  it.each([
    ["y", 0, true],
    ["n", 0, false],
    ["\x03", 130, false],
  ])("asks there whether a project file is trusted: %j", async (key, code, trusted) => {
    const { place } = await askPlace({ replies: [say("Hello.")] });
    place.file(".mini-cc.json", JSON.stringify({ allowedCommands: ["make a"] }));
    const terminal = runInTerminal(place, ["ask", "hi"], PIPED);
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toContain("Trust it?");
    terminal.type(key);
    const end = await terminal.ended;
    expect(end).toEqual({ code, ...restored(end.before) });
    const check = await place.run(["permissions", "check", "make a"]);
    expect(check.stdout.includes(en.permissions.verdict.allow)).toBe(trusted);
  });

  it("waits in the background until it is brought to the foreground", async () => {
    const { place } = await askPlace({ replies: [TOUCH, say("Made it.")] });
    const shell = shellInTerminal(place, { env: { OLLAMA_HOST: place.env["OLLAMA_HOST"] } });
    await shell.waitFor(/\$$/);
    shell.type("echo context | mini-cc ask 'make a' --plain &\r");
    await expect
      .poll(
        () => {
          // The shell tells what became of its jobs with its next prompt.
          shell.type("\r");
          return shell.text();
        },
        { timeout: 20_000, interval: 500 },
      )
      .toContain("Stopped");
    expect(existsSync(join(place.workspace, "a"))).toBe(false);
    shell.type("fg\r");
    await shell.waitFor(AT_QUESTION);
    shell.type("y");
    await shell.waitFor(/Made it\.[^]*\n\$$/);
    expect(existsSync(join(place.workspace, "a"))).toBe(true);
    shell.type("exit\r");
    await shell.ended;
  });
});

describe("mini-cc ask that nobody can answer", () => {
  it.each<[string, TerminalOptions]>([
    ["without a controlling terminal", { ...PIPED, withoutTerminal: true }],
    ["with the null device as input", { stdin: "/dev/null" }],
    ["with standard error in a file", { ...PIPED, stderr: "/dev/null" }],
  ])("%s is denied at once", async (_name, options) => {
    const { terminal, isMade } = await asking({ replies: [TOUCH, say("I could not.")] }, options);
    expect((await terminal.ended).code).toBe(4);
    expect(terminal.text()).not.toContain(en.question.run);
    expect(terminal.text()).toContain("I could not.");
    expect(isMade()).toBe(false);
  });
});
