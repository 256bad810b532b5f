import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../src/cli/messages/en.js";
import { call, say, silence, think } from "../../src/demo/reply.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions } from "../helpers/terminal.js";
import { askPlace } from "./ask-setup.js";

const AT_QUESTION = /\n {2}\[n\]$/;
const touch = (name: string) => call("run_command", { command: `touch ${name}` });

describe("mini-cc ask on a terminal", () => {
  it("asks its question there, and answers", async () => {
    const { place } = await askPlace({ replies: [think("Hm.", touch("a")), say("Made it.\n\n")] });
    const terminal = runInTerminal(place, ["ask", "make a"]);
    await terminal.waitFor(AT_QUESTION);
    expect(existsSync(join(place.workspace, "a"))).toBe(false);
    terminal.type("y");
    const end = await terminal.ended;
    expect(end).toEqual({
      code: 0,
      before: end.before,
      after: end.before,
      cursorVisible: true,
      pasteMode: false,
    });
    expect(terminal.text()).toMatch(
      /\n✓ \$ touch a\n\nMade it\.\n\nran touch a \(exit code 0\)\n[\d,]+ tokens in.*$/,
    );
    expect(existsSync(join(place.workspace, "a"))).toBe(true);
  });

  it("asks it there also when the answer goes to a file, which gets the answer alone", async () => {
    const { server, place } = await askPlace({ replies: [touch("a"), touch("b"), say("Not made.")] });
    const stdout = join(place.home, "answer");
    const terminal = runInTerminal(place, ["ask", "make a and b"], { stdout });
    await terminal.waitFor(/touch a\n[^]*\n {2}\[n\]$/);
    terminal.type("n");
    await terminal.waitFor(en.question.reason);
    terminal.type("not here\r");
    await terminal.waitFor(/touch b\n[^]*\n {2}\[n\]$/);
    terminal.type("\r");
    expect((await terminal.ended).code).toBe(0);
    expect(readFileSync(stdout, "utf8")).toBe("Not made.\n");
    expect(terminal.text()).not.toContain("Not made.");
    expect(terminal.text()).toContain("denied $ touch a: declined by the user: not here");
    expect(server.chatBodies().at(-1)?.messages.at(-3)?.content).toContain("not here");
  });

  it.each([
    ["rings when it asks, if that is wanted", ["ask", "make a"], true],
    ["asks in silence otherwise", ["ask", "make a"], false],
    ["rings in a session too", [], true],
  ])("%s", async (_what, args, bell) => {
    const { place } = await askPlace({ replies: [touch("a"), say("Made it.")] });
    place.userConfig({ bell });
    const terminal = runInTerminal(place, args);
    if (args.length === 0) {
      await terminal.waitFor(/(^|\n)›$/);
      terminal.type("make a\r");
    }
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.written().includes("\x07")).toBe(bell);
    terminal.type("\x03");
    terminal.type("\x04");
    await terminal.ended;
  });

  it("asks nobody when standard input is no terminal: denied, and said so", async () => {
    const { place } = await askPlace({ replies: [touch("a"), say("I could not.")] });
    const terminal = runInTerminal(place, ["ask", "make a"], { stdin: "/dev/null" });
    expect((await terminal.ended).code).toBe(4);
    expect(terminal.text()).not.toContain(en.question.run);
    expect(terminal.text()).toContain(en.summary.allowHint.slice(0, 60));
    expect(existsSync(join(place.workspace, "a"))).toBe(false);
  });

  it.each([
    ["while the model is silent", [silence()], /reading [\d,]+ tokens/],
    ["at a question", [touch("a")], AT_QUESTION],
  ])("ends on Ctrl-C %s with 130, and gives the terminal back", async (_phase, replies, shown) => {
    const { server, place } = await askPlace({ replies });
    const terminal = runInTerminal(place, ["ask", "make a"]);
    await terminal.waitFor(shown);
    terminal.type("\x03");
    const end = await terminal.ended;
    expect(end).toEqual({
      code: 130,
      before: end.before,
      after: end.before,
      cursorVisible: true,
      pasteMode: false,
    });
    await server.waitFor(({ openRequests }) => openRequests === 0);
    expect(terminal.text()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    expect(existsSync(join(place.workspace, "a"))).toBe(false);
  });
});

describe("the question whether a project file is trusted", () => {
  const FILE = ".mini-cc.json";
  const wants = (...allowedCommands: string[]) => JSON.stringify({ allowedCommands });

  async function project(content: string) {
    const replies = () => say("Hello.");
    const { server, place } = await askPlace({ replies });
    place.file(FILE, content);
    const ask = (options?: TerminalOptions) => runInTerminal(place, ["ask", "hi"], options);
    const isInForce = async () =>
      (await place.run(["permissions", "check", "make a"])).stdout.includes(en.permissions.verdict.allow);
    return { server, place, ask, isInForce };
  }

  it("lists what the file wants, and takes Enter as no", async () => {
    const { ask, isInForce } = await project(wants("ls", "make a", "npm test\n  [n] y"));
    const terminal = ask();
    await terminal.waitFor(AT_QUESTION);
    const shown = terminal.text();
    expect(shown).toContain("Trust it?");
    expect(shown).toMatch(/\n {2}│ .*allowedCommands: make a\n/);
    expect(shown).toMatch(/\n {2}│ .*allowedCommands: npm test\n {2}│ {3}\[n\] y\n/);
    expect(shown).not.toContain("allowedCommands: ls");
    terminal.type("\r");
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text()).toContain("mini-cc trust");
    expect(await isInForce()).toBe(false);
  });

  it("is asked once for one content, and shows the difference when it has changed", async () => {
    const { place, ask, isInForce } = await project(wants("make a"));
    const first = ask();
    await first.waitFor(AT_QUESTION);
    first.type("y");
    expect((await first.ended).code).toBe(0);
    expect(await isInForce()).toBe(true);

    const second = ask();
    expect((await second.ended).code).toBe(0);
    expect(second.text()).not.toContain("Trust it?");

    place.file(FILE, wants("make a", "make b"));
    expect(await isInForce()).toBe(false);
    const third = ask();
    await third.waitFor(AT_QUESTION);
    expect(third.text()).toMatch(/\n {2}│ 1 - \{"allowedCommands":\["make a"\]\}\n/);
    expect(third.text()).toMatch(/\n {2}│ 1 \+ \{"allowedCommands":\["make a","make b"\]\}\n/);
    third.type("n");
    expect((await third.ended).code).toBe(0);
    expect(await isInForce()).toBe(false);
  });

  it("takes nothing as an answer that was typed before it", async () => {
    const { ask, isInForce } = await project(wants("make a"));
    const terminal = ask();
    terminal.type("y");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("\r");
    expect((await terminal.ended).code).toBe(0);
    expect(await isInForce()).toBe(false);
  });

  it.each<[string, (terminal: ReturnType<typeof runInTerminal>) => void]>([
    ["Ctrl-C", ({ type }) => type("\x03")],
    ["SIGTERM", ({ kill }) => kill("SIGTERM")],
  ])("is left with %s: nothing runs, and the terminal is as it was", async (_way, go) => {
    const { server, ask, isInForce } = await project(wants("make a"));
    const terminal = ask();
    await terminal.waitFor(AT_QUESTION);
    go(terminal);
    const end = await terminal.ended;
    expect(end).toEqual({
      code: 130,
      before: end.before,
      after: end.before,
      cursorVisible: true,
      pasteMode: false,
    });
    expect(server.requests).toEqual([]);
    expect(await isInForce()).toBe(false);
  });

  it("is not asked without a terminal: what the file wants does not count, and one notice says so", async () => {
    const { ask, isInForce } = await project(wants("make a"));
    const terminal = ask({ stdin: "/dev/null" });
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text()).not.toContain("Trust it?");
    expect(terminal.text().match(/run mini-cc trust/g)).toHaveLength(1);
    expect(await isInForce()).toBe(false);
  });
});
