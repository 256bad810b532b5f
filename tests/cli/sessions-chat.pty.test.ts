import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { say } from "../../src/demo/reply.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalRun } from "../helpers/terminal.js";
import { storeOf } from "./saved-sessions.js";

const AT_PROMPT = /(^|\n)›$/;
const AT_QUESTION = /\n {2}\[n\]$/;

async function startSession() {
  const server = await scriptedOllama({ replies: (_request, index) => say(`Answer ${index}.`) });
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({ sandbox: "off", warmStart: false });
  const terminal = runInTerminal(place, []);
  await terminal.waitFor(AT_PROMPT);
  return { server, place, terminal };
}

/** Sends a message and waits until what it says and the next prompt stand below it. */
async function exchange(terminal: TerminalRun, message: string, answer: string | RegExp): Promise<void> {
  terminal.type(`${message}\r`);
  await terminal.waitFor((text) => {
    const below = text.slice(text.lastIndexOf(`› ${message}\n`));
    return below !== text && below.search(answer) !== -1 && AT_PROMPT.test(below);
  });
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\x04");
  expect((await terminal.ended).code).toBe(0);
}

describe("/rename", () => {
  it("names the session in lists, also if it is given again", async () => {
    const { place, terminal } = await startSession();
    await exchange(terminal, "hello", "Answer 0.");
    await exchange(terminal, "/rename", "/rename TITLE");
    await exchange(terminal, "/rename First name", "now called: First name");
    await exchange(terminal, "/rename Better name", "now called: Better name");
    await exchange(terminal, "more", "Answer 1.");
    await leave(terminal);
    expect((await place.run(["sessions"])).stdout).toMatch(/ 2 .* Better name\n$/);
  });
});

describe("/export", () => {
  it("writes Markdown by default and JSON by name, and asks before it replaces a file", async () => {
    const { place, terminal } = await startSession();
    await exchange(terminal, "/export", "nothing of this session is saved yet");
    await exchange(terminal, "hello", "Answer 0.");
    await exchange(terminal, "/export", /wrote /);
    const [saved] = await storeOf(place).files();
    expect(place.text(`session-${saved?.id}.md`)).toMatch(/^# hello\n[^]*Answer 0\./);
    await exchange(terminal, "/export out.json", /wrote /);
    expect(JSON.parse(place.text("out.json"))).toMatchObject({ id: saved?.id, turns: [{ prompt: "hello" }] });

    place.file("mine.md", "precious");
    terminal.type("/export mine.md\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("n");
    await terminal.waitFor(/nothing was written[^]*›$/);
    expect(place.text("mine.md")).toBe("precious");
    terminal.type("/export mine.md\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("y");
    await terminal.waitFor(/wrote [^]*mine\.md[^]*›$/);
    expect(place.text("mine.md")).toContain("Answer 0.");
    await exchange(terminal, "/export no/folder.md", "cannot be written");
    expect(existsSync(join(place.workspace, "no"))).toBe(false);
    await leave(terminal);
  });
});
