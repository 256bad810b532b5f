import { describe, expect, it } from "vitest";
import { call, say, silence, think } from "../../src/demo/reply.js";
import type { MessageReply } from "../../src/demo/reply.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions } from "../helpers/terminal.js";
import { AT_PROMPT, exchange, leave } from "./session-terminal.js";

const THINKER = { name: "thinker:7b", capabilities: ["completion", "tools", "thinking"] };

async function startSession(
  replies: readonly MessageReply[],
  args: readonly string[] = [],
  options: TerminalOptions = {},
) {
  const server = await scriptedOllama({ models: [THINKER], replies });
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({ sandbox: "off", warmStart: false, permissionMode: "bypass", ollama: { think: "on" } });
  place.file(".git/HEAD", "ref: refs/heads/topic\n");
  const terminal = runInTerminal(place, args, options);
  await terminal.waitFor(AT_PROMPT);
  return { place, terminal };
}

/** Says so, and goes on when the file `go` is there. */
const waits = call("run_command", {
  command: "for i in 1 2 3 4 5 6 7 8; do echo line $i; done; until [ -e go ]; do sleep 0.1; done; exit 0",
});

describe("a turn on a terminal", () => {
  it("shows what is thought while it comes, and one line of it afterwards", async () => {
    const { terminal } = await startSession([
      think(["The user ", "asks for ", "a word."], { ...say("Word."), chunkDelay: 300 }),
    ]);
    terminal.type("one word\r");
    await terminal.waitFor(/\n {2}The user asks for\n. thinking/);
    await terminal.waitFor(/\n· thought for \d[^\n]*\n\nWord\.\n[^]*\n›$/);
    expect(terminal.text()).not.toContain("The user asks for");
    await leave(terminal);
  });

  it("shows the end of what a command says while it runs, and counts its lines afterwards", async () => {
    const { place, terminal } = await startSession([waits, say("Done.")]);
    terminal.type("run it\r");
    await terminal.waitFor(/\n {2}line 3\n[^]*\n {2}line 8\n. \$ for i in/);
    expect(terminal.text()).not.toContain("line 2\n");
    place.file("go", "");
    await terminal.waitFor(/✓ \$ for i in [^\n]*8 lines of output[^\n]*\n[^]*Done\.[^]*\n›$/);
    expect(terminal.text()).not.toContain("line 8\n");
    expect(terminal.text()).toMatch(/\nran for i in [^\n]* \(exit code 0\)\n[\d,]+ tokens in/);
    await leave(terminal);
  });

  it("keeps its live rows whole when the window gets narrower", async () => {
    const { place, terminal } = await startSession([waits, say("Done.")]);
    terminal.type("run it\r");
    await terminal.waitFor(/\n {2}line 8\n. \$ for i in/);
    terminal.resize(44, 50);
    terminal.resize(100, 50);
    place.file("go", "");
    await terminal.waitFor(/Done\.[^]*\n›$/);
    expect(terminal.text()).not.toMatch(/\n {2}line \d|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    expect(terminal.status()).toContain("bypass");
    await leave(terminal);
  });

  it("says what was not run since it was changed", async () => {
    const write = call("write_file", { path: "a.mjs", content: "export const a = 1;\n" });
    const { terminal } = await startSession([write, say("Written.")]);
    const shown = await exchange(terminal, "write it", "Written.");
    expect(shown).toContain("✓ create a.mjs +1 −0\n  1 + export const a = 1;\n");
    expect(shown).toContain("changed 1 file: a.mjs +1 −0 · nothing was run after the last change\n");
    await leave(terminal);
  });

  it("names model, window, mode, folder and branch, as they are after each command", async () => {
    const { place, terminal } = await startSession([say("Hello.")], [], { columns: 160 });
    expect(terminal.status()).toMatch(
      /^thinker:7b · \d+ % of 32k · bypass · no sandbox · \S*\/workspace · on topic$/,
    );
    await exchange(terminal, "/mode plan", "mode: plan");
    await expect.poll(() => terminal.status()).toContain(" · plan · ");
    place.file(".git/HEAD", "ref: refs/heads/other\n");
    await exchange(terminal, "hi", "Hello.");
    await expect.poll(() => terminal.status()).toContain(" · on other");
    await leave(terminal);
    expect(terminal.text()).not.toContain("on other");
  });

  it("draws no status, no thinking and no live rows where nothing may move", async () => {
    const { terminal } = await startSession([think("Hm, a word.", say("Word.")), silence()], ["--plain"]);
    terminal.type("one word\r");
    await terminal.waitFor(/Word\.\n[^]*›$/);
    expect(terminal.text()).toMatch(/\n· thought for \d/);
    expect(terminal.text()).not.toContain("Hm, a word");
    expect(terminal.status()).toBe("");
    await leave(terminal);
  });
});
