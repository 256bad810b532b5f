import { describe, expect, it } from "vitest";
import { call, say, think } from "../../src/demo/reply.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions } from "../helpers/terminal.js";
import { AT_QUESTION, leave } from "./session-terminal.js";

async function startSession(config: object, args: readonly string[], options: TerminalOptions = {}) {
  const replies = [
    think("Hm.", call("edit_file", { path: "a.txt", old_text: "beta", new_text: "gamma" })),
    call("run_command", { command: "printf 'one\\ntwo\\n'; exit 3" }),
    say("Done."),
  ];
  const server = await scriptedOllama({ replies });
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({ sandbox: "off", warmStart: false, ...config });
  place.file("a.txt", "alpha\nbeta\n");
  const terminal = runInTerminal(place, args, options);
  return { place, terminal };
}

describe("a session of a terminal that shows nothing but ASCII", () => {
  it.each<[string, readonly string[], TerminalOptions]>([
    ["--ascii", ["--ascii"], {}],
    ["a locale that is not UTF-8", [], { env: { LANG: "C" } }],
    ["the console of Linux", [], { env: { TERM: "linux" } }],
  ])("is drawn in it from the first line to the last: %s", async (_why, args, options) => {
    const { terminal } = await startSession({}, args, options);
    await terminal.waitFor(/(^|\n)>$/);
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toMatch(
      /Change a\.txt\?.*\n {2}\| 1 {3}alpha\n {2}\| 2 - beta\n {2}\| 2 \+ gamma\n/,
    );
    terminal.type("y");
    await terminal.waitFor((text) => text.includes("exit 3\n") && AT_QUESTION.test(text));
    terminal.type("y");
    await terminal.waitFor(/x \$ printf [^\n]*exit code 3\n {2}one\n {2}two\n[^]*Done\.[^]*\n>$/);
    expect(terminal.text()).toContain("changed 1 file: a.txt +1 -1\n");
    expect(terminal.written()).not.toMatch(/[^\x00-\x7f]/);
    await leave(terminal);
  });
});

describe("a notice of the desktop", () => {
  it("is sent when a question waits, by the terminal's own sequence and without the text of others", async () => {
    const { terminal, place } = await startSession({ notify: "osc777" }, []);
    await terminal.waitFor(/(^|\n)›$/);
    expect(terminal.written()).not.toContain("\x1b]777");
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.written()).toContain("\x1b]777;notify;mini-cc;workspace: a question waits\x07");
    terminal.type("\x03");
    await terminal.waitFor(/stopped[^]*\n›$/);
    await leave(terminal);
    expect(place.text("a.txt")).toBe("alpha\nbeta\n");
  });
});
