import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../src/cli/messages/en.js";
import { call, say } from "../../src/demo/reply.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions } from "../helpers/terminal.js";
import { askPlace } from "./ask-setup.js";
import { AT_PROMPT, AT_QUESTION, leave } from "./session-terminal.js";

const ANSWER = [
  "## Result",
  "The **first** rows are long enough to be broken into several rows on any terminal that is narrow, and 中文也一样。",
  "",
  "- `one` item",
  "- another",
  "  1. below it",
  "",
  "```ts",
  "const answer = 42; // yes",
  "```",
  "",
  "| Name | Size |",
  "|------|-----:|",
  "| a    |    1 |",
  "",
  "Last words.",
].join("\n");

const BELOW_THE_TEXT = [
  "• one item",
  "• another",
  "  1. below it",
  "",
  "ts",
  "const answer = 42; // yes",
  "",
];
const TABLE = ["Name │ Size", "─────┼─────", "a    │    1", "", "Last words."];

const WIDE = [
  "Result",
  "The first rows are long enough to be broken into several rows on any terminal",
  "that is narrow, and 中文也一样。",
  "",
  ...BELOW_THE_TEXT,
  ...TABLE,
].join("\n");

/** Milliseconds between two pieces, long enough for a resize: what is drawn meanwhile is drawn for another width. */
const QUIET = 200;

/** In pieces of so many characters. */
function pieces(text: string, length: number): string[] {
  return text.match(new RegExp(`[^]{1,${length}}`, "gu")) ?? [];
}

describe("Markdown in a session on a terminal", () => {
  async function session(chunks: readonly string[], options: TerminalOptions & { chunkDelay?: number } = {}) {
    const server = await scriptedOllama({
      replies: () => say(chunks, { chunkDelay: options.chunkDelay ?? 2 }),
    });
    const place = createPlace({ OLLAMA_HOST: server.url });
    place.userConfig({ sandbox: "off", warmStart: false });
    const terminal = runInTerminal(place, [], options);
    await terminal.waitFor(AT_PROMPT);
    terminal.type("go\r");
    return terminal;
  }

  it.each([1, 3, 17])("is shown the same in pieces of %i", async (length) => {
    const terminal = await session(pieces(ANSWER, length));
    await terminal.waitFor(/Last words\.[^]*\n›$/);
    await leave(terminal);
    expect(terminal.text()).toContain(`› go\n\n${WIDE}\n\n`);
  });

  it("has colours in its code", async () => {
    const terminal = await session(pieces(ANSWER, 5));
    await terminal.waitFor(/Last words\.[^]*\n›$/);
    // They are loaded by now.
    terminal.type("again\r");
    await terminal.waitFor(/› again\n[^]*Last words\.[^]*\n›$/);
    await leave(terminal);
    expect(terminal.written()).toMatch(/\x1b\[35mconst\x1b\[/);
  });

  it("goes on in the new width after a resize in the middle", async () => {
    const long = "word ".repeat(40).trim();
    const text = `First ${long}.\n\nSecond ${long}.\n\n- item ${long}\n\nThe end.`;
    const terminal = await session(pieces(text, 40), { chunkDelay: QUIET });
    await terminal.waitFor("Second word");
    terminal.resize(40, 50);
    await terminal.waitFor(/The end\.[^]*\n›$/);
    await leave(terminal);
    const shown = terminal.text();
    const count = (pattern: RegExp) => shown.match(pattern)?.length;
    expect(count(/word/g)).toBe(120);
    expect([count(/First/g), count(/Second/g), count(/• item/g), count(/The end\./g)]).toEqual([1, 1, 1, 1]);
    const item = shown.slice(shown.indexOf("• item"), shown.indexOf("The end.")).trimEnd().split("\n");
    expect(item[0]).toBe("• item word word word word word word");
    expect(item.slice(1).every((line) => line.startsWith("  word") && line.length < 40)).toBe(true);
  });

  it("has its marks where there is no colour, and comes line by line where nothing may move", async () => {
    const plain = await session(pieces("## A\n`b` **c**\n\n- d\n", 2), { env: { NO_COLOR: "1" } });
    await plain.waitFor(/d\n[^]*\n›$/);
    await leave(plain);
    expect(plain.text()).toContain("\n## A\n`b` c\n\n• d\n");
    expect(plain.written()).not.toMatch(/\x1b\[[\d;]*m/);

    const dumb = await session(pieces(ANSWER, 5), { env: { TERM: "dumb" } });
    await dumb.waitFor(/Last words\.[^]*\n›$/);
    await leave(dumb);
    expect(dumb.written()).not.toContain("\x1b");
    expect(dumb.text()).toContain("\n```ts\nconst answer = 42; // yes\n```\n");
    expect(dumb.written().match(/Last words/g)).toHaveLength(1);
  });
});

describe("Markdown of ask on a terminal", () => {
  it("is shown as in a session; a spinner and a question stand in between", async () => {
    const touch = call("run_command", { command: "touch a" }, { text: "I **make** it.\n" });
    const { place } = await askPlace({ replies: [touch, say(pieces(ANSWER, 7), { chunkDelay: 2 })] });
    const terminal = runInTerminal(place, ["ask", "make a"]);
    await terminal.waitFor(AT_QUESTION);
    terminal.type("y");
    const { code, before, after } = await terminal.ended;
    expect({ code, after }).toEqual({ code: 0, after: before });
    expect(terminal.text()).toContain(`\n${WIDE}\n`);
    expect(terminal.text()).toMatch(/^I make it\.\n/);
    expect(terminal.text()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });

  it("is fitted to another width in the middle", async () => {
    const { place } = await askPlace({
      replies: [say(pieces(`${"word ".repeat(100)}end`, 60), { chunkDelay: QUIET })],
    });
    const terminal = runInTerminal(place, ["ask", "write"]);
    await terminal.waitFor("word word");
    terminal.resize(30, 50);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text().match(/word/g)).toHaveLength(100);
    expect(terminal.text()).toMatch(/(?:\n(?:word ){5}word){3}\n.*end\n/);
  });

  it("stays as the model wrote it in a file, also when the rest is on a terminal", async () => {
    const { place } = await askPlace({ replies: [say(pieces(ANSWER, 7))] });
    const stdout = join(place.home, "answer");
    const terminal = runInTerminal(place, ["ask", "write"], { stdout });
    expect((await terminal.ended).code).toBe(0);
    expect(readFileSync(stdout, "utf8")).toBe(`${ANSWER}\n`);
  });

  it.each([
    ["--plain", ["ask", "--plain", "write"], {}],
    ["a dumb terminal", ["ask", "write"], { TERM: "dumb" }],
  ])("comes line by line with %s", async (_what, args, env) => {
    const { place } = await askPlace({ replies: [say(pieces(ANSWER, 7))] });
    const terminal = runInTerminal(place, args, { env });
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.written()).not.toContain("\x1b");
    expect(terminal.text()).toContain("## Result\nThe first rows");
    expect(terminal.text()).toMatch(/• `one` item\n• another\n {2}1\. below it\n\n```ts\n/);
  });
});

describe("the demo on a terminal", () => {
  it("shows its answer as Markdown, and its evidence below", async () => {
    const terminal = runInTerminal(createPlace(), ["demo"]);
    const { code, before, after } = await terminal.ended;
    expect({ code, after }).toEqual({ code: 0, after: before });
    const shown = terminal.text();
    expect(shown).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    expect(shown.split(en.demo.evidence)).toHaveLength(2);
    expect(shown.endsWith(en.demo.passed)).toBe(true);
  });
});
