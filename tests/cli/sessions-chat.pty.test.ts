import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { say } from "../../src/demo/reply.js";
import { outline } from "../agent/setup.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import { storeOf } from "./saved-sessions.js";
import { AT_PROMPT, AT_QUESTION, exchange, leave } from "./session-terminal.js";

async function startSession() {
  const server = await scriptedOllama({ replies: (_request, index) => say(`Answer ${index}.`) });
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({ sandbox: "off", warmStart: false });
  const terminal = runInTerminal(place, []);
  await terminal.waitFor(AT_PROMPT);
  return { server, place, terminal };
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

describe("/fork", () => {
  it("goes on from the turn that is chosen, in a new session, and leaves the first as it was", async () => {
    const { server, place, terminal } = await startSession();
    await exchange(terminal, "/fork", "nothing of this session is saved yet");
    for (const [index, prompt] of ["one", "two", "three"].entries()) {
      await exchange(terminal, prompt, `Answer ${index}.`);
    }
    const [original] = await storeOf(place).files();
    const path = original?.path ?? "";
    const before = readFileSync(path, "utf8");
    await exchange(terminal, "/fork 7", "there is no turn 7: this session has 3 turns");
    await exchange(terminal, "/fork two", "there is no turn two");
    terminal.type("/fork\r");
    await terminal.waitFor(/after which turn\?[^]*1 {2}one[^]*3 {2}three/);
    terminal.type("\x1b[A\x1b[A\r");
    await terminal.waitFor(/goes on after turn 1, as session \S+\nsession \S+ stays as it was\n[^]*›$/);
    await exchange(terminal, "other two", "Answer 3.");
    expect(outline(server.chatBodies().at(-1)?.messages ?? []).slice(1)).toEqual([
      "user: one",
      "assistant: Answer 0.",
      "user: other two",
    ]);
    expect(readFileSync(path, "utf8")).toBe(before);
    const { stdout } = await place.run(["sessions", "list", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: [
        { turns: 2, parent: { id: original?.id, turns: 1 }, inUse: true },
        { turns: 3, inUse: false },
      ],
    });
    await leave(terminal);
    // The original can be gone on with.
    const resumed = runInTerminal(place, ["-r", original?.id ?? ""]);
    await resumed.waitFor(AT_PROMPT);
    await exchange(resumed, "four", "Answer 4.");
    await leave(resumed);
  });

  it("takes the number of a turn, and Escape leaves the list without a change", async () => {
    const { place, terminal } = await startSession();
    await exchange(terminal, "one", "Answer 0.");
    await exchange(terminal, "two", "Answer 1.");
    terminal.type("/fork\r");
    await terminal.waitFor(/after which turn\?/);
    terminal.type("\x1b");
    await terminal.waitFor((text) => AT_PROMPT.test(text));
    expect(await storeOf(place).files()).toHaveLength(1);
    await exchange(terminal, "/fork 1", "goes on after turn 1");
    expect(await storeOf(place).files()).toHaveLength(2);
    await leave(terminal);
  });
});
