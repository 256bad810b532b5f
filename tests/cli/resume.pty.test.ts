import { describe, expect, it } from "vitest";
import { say } from "../../src/demo/reply.js";
import { outline } from "../agent/setup.js";
import { runInTerminal } from "../helpers/terminal.js";
import { askPlace } from "./ask-setup.js";
import { AT_PROMPT, leave } from "./session-terminal.js";

/** Two saved sessions, the second used last. */
async function savedPlace(replies: Parameters<typeof askPlace>[0]["replies"]) {
  const { ask, place, server } = await askPlace({ replies: replies ?? [] });
  place.userConfig({ sandbox: "off", warmStart: false });
  await ask(["mend the parser"]);
  await ask(["write the manual"]);
  return { ask, place, server };
}

describe("on a terminal", () => {
  it("--resume without an ID lists the sessions, and the one that is picked shows where it stood", async () => {
    const { place, server } = await savedPlace((_, index) => say(`Answer ${index}.`));
    const terminal = runInTerminal(place, ["--resume"], { columns: 120 });
    await terminal.waitFor(/write the manual +just now · scripted.* · [\d.]+ kB/);
    await terminal.waitFor("mend the parser");
    terminal.type("\x1b[B\r");
    await terminal.waitFor(AT_PROMPT);
    expect(terminal.text()).toMatch(/goes on: mend the parser · 1 turn\n› mend the parser\n {2}Answer 0\./);
    terminal.type("and its tests\r");
    await terminal.waitFor("Answer 2.");
    await terminal.waitFor(AT_PROMPT);
    expect(outline(server.chatBodies().at(-1)!.messages).slice(1)).toEqual([
      "user: mend the parser",
      "assistant: Answer 0.",
      "user: and its tests",
    ]);
    await leave(terminal);
  });

  it("/resume goes over to another session, and /continue goes on after a turn that was stopped", async () => {
    const { place, server } = await savedPlace((_, index) =>
      index === 2 ? say("Half of it", { stallAfter: 2 }) : say(`Answer ${index}.`),
    );
    const terminal = runInTerminal(place, [], { columns: 120 });
    await terminal.waitFor(AT_PROMPT);
    terminal.type("/continue\r");
    await terminal.waitFor("nothing to go on with yet");
    terminal.type("/resume\r");
    await terminal.waitFor("Go on with which session?");
    terminal.type("\r");
    await terminal.waitFor(/goes on: write the manual · 1 turn/);
    terminal.type("go\r");
    await terminal.waitFor("Half of");
    terminal.type("\x03");
    await terminal.waitFor((text) => /stopped|cancelled/i.test(text) && AT_PROMPT.test(text));
    terminal.type("/continue\r");
    await terminal.waitFor("Answer 3.");
    expect(outline(server.chatBodies().at(-1)!.messages).slice(1)).toEqual([
      "user: write the manual",
      "assistant: Answer 1.",
      "user: go",
      "assistant: Half of\n[cut off: cancelled by the user]",
      "user: Go on from where you stopped.",
    ]);
    await terminal.waitFor(AT_PROMPT);
    await leave(terminal);
  });

  it("a session that another process has is offered as a copy", async () => {
    const { place, server } = await savedPlace((_, index) => say(`Answer ${index}.`));
    const first = runInTerminal(place, ["--continue"]);
    await first.waitFor(AT_PROMPT);
    const second = runInTerminal(place, ["--continue"], { columns: 120 });
    await second.waitFor(/in use by process \d+\. Go on with a copy of it\?/);
    second.type("y");
    await second.waitFor(AT_PROMPT);
    second.type("and its index\r");
    await second.waitFor("Answer 2.");
    expect(outline(server.chatBodies().at(-1)!.messages).slice(1)).toEqual([
      "user: write the manual",
      "assistant: Answer 1.",
      "user: and its index",
    ]);
    await second.waitFor(AT_PROMPT);
    await leave(second);
    await leave(first);
  });

  it("an error that nobody caught gives the terminal back, shows where it was, and ends with 1", async () => {
    const { place } = await savedPlace([say("One."), say("Two.")]);
    const thrower = place.file("thrower.cjs", 'process.on("SIGUSR2", () => { throw new Error("boom"); });');
    const terminal = runInTerminal(place, [], { env: { NODE_OPTIONS: `--require=${thrower}` } });
    await terminal.waitFor(AT_PROMPT);
    terminal.kill("SIGUSR2");
    const { code, before, after, ...modes } = await terminal.ended;
    expect({ code, ...modes }).toMatchObject({ code: 1, cursorVisible: true, pasteMode: false });
    expect(after).toBe(before);
    expect(terminal.text()).toContain("mini-cc: Error: boom");
  });
});
