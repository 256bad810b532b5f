import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { say } from "../../src/demo/reply.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import { AT_PROMPT, AT_QUESTION, exchange, leave } from "./session-terminal.js";

async function startSession(files: Record<string, string> = {}) {
  const server = await scriptedOllama({ replies: (_request, index) => say(`Answer ${index}.`) });
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({ sandbox: "off", warmStart: false });
  for (const [name, content] of Object.entries(files)) place.file(name, content);
  const terminal = runInTerminal(place, []);
  await terminal.waitFor(AT_PROMPT);
  const system = () => server.chatBodies().at(-1)?.messages[0]?.content ?? "";
  return { server, place, terminal, system };
}

describe("/memory", () => {
  it("shows the notes with their size; the banner names them", async () => {
    const { terminal } = await startSession({ "AGENTS.md": "Use tabs, never blanks.\n" });
    expect(terminal.text()).toContain("notes: AGENTS.md");
    await exchange(terminal, "/memory", /AGENTS\.md {2}\d+ tokens/);
    await leave(terminal);
  });

  it("add shows the change, writes on yes, and /reload tells the model in the same conversation", async () => {
    const { terminal, place, server, system } = await startSession({ "AGENTS.md": "- Use tabs.\n" });
    await exchange(terminal, "hello", "Answer 0.");
    terminal.type("/memory add Run make check before you are done.\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toContain("│ 2 + - Run make check before you are done.");
    expect(place.text("AGENTS.md")).toBe("- Use tabs.\n");
    terminal.type("y");
    await terminal.waitFor(/added to AGENTS\.md[^]*›$/);
    expect(place.text("AGENTS.md")).toBe("- Use tabs.\n- Run make check before you are done.\n");

    await exchange(terminal, "and now?", "Answer 1.");
    expect(system()).not.toContain("make check");
    await exchange(terminal, "/reload", /AGENTS\.md {2}\d+ tokens/);
    await exchange(terminal, "again", "Answer 2.");
    expect(system()).toContain("make check");
    const users = server
      .chatBodies()
      .at(-1)
      ?.messages.filter(({ role }) => role === "user");
    expect(users?.map(({ content }) => content)).toEqual(["hello", "and now?", "again"]);
    await exchange(terminal, "/reload", "have not changed");
    await leave(terminal);

    const before = system();
    const resumed = runInTerminal(place, ["-c"]);
    await resumed.waitFor(AT_PROMPT);
    expect(resumed.text()).not.toContain("have changed");
    await exchange(resumed, "resumed", "Answer 3.");
    expect(system()).toBe(before);
    await leave(resumed);
  });

  it("add makes AGENTS.md, and leaves everything alone on no", async () => {
    const { terminal, place } = await startSession();
    const path = join(place.workspace, "AGENTS.md");
    terminal.type("/memory add first\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("n");
    await terminal.waitFor(/nothing was added[^]*›$/);
    expect(existsSync(path)).toBe(false);
    terminal.type("/memory add first\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("\x03");
    await terminal.waitFor((text) => AT_PROMPT.test(text));
    expect(existsSync(path)).toBe(false);
    terminal.type("/memory add first\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("y");
    await terminal.waitFor(/added to AGENTS\.md[^]*›$/);
    expect(place.text("AGENTS.md")).toBe("- first\n");
    await leave(terminal);
  });

  it("/clear begins with the notes as they are then", async () => {
    const { terminal, place, system } = await startSession({ "AGENTS.md": "Old rule." });
    await exchange(terminal, "hello", "Answer 0.");
    writeFileSync(join(place.workspace, "AGENTS.md"), "New rule.");
    await exchange(terminal, "/clear", "new conversation");
    await exchange(terminal, "hello", "Answer 1.");
    expect(system()).toContain("New rule.");
    await leave(terminal);
  });
});

describe("mini-cc init on a terminal", () => {
  it("shows the notes that it would write and writes them on yes", async () => {
    const place = createPlace();
    place.file("Cargo.toml", "");
    const terminal = runInTerminal(place, ["init"]);
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toContain("│  8 + - `cargo test`");
    expect(existsSync(join(place.workspace, "AGENTS.md"))).toBe(false);
    terminal.type("y");
    const { code, before, after } = await terminal.ended;
    expect(code).toBe(0);
    expect(after).toBe(before);
    expect(place.text("AGENTS.md")).toContain("- `cargo test`");
  });

  it("writes the configuration alone on no", async () => {
    const place = createPlace();
    const terminal = runInTerminal(place, ["init"]);
    await terminal.waitFor(AT_QUESTION);
    terminal.type("\r");
    expect((await terminal.ended).code).toBe(0);
    expect(existsSync(join(place.workspace, ".mini-cc.json"))).toBe(true);
    expect(existsSync(join(place.workspace, "AGENTS.md"))).toBe(false);
  });
});
