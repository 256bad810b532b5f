import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../src/cli/messages/en.js";
import { call, say, silence, think } from "../../src/demo/reply.js";
import type { MessageReply } from "../../src/demo/reply.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions, TerminalRun } from "../helpers/terminal.js";
import { AT_PROMPT, AT_QUESTION, exchange, leave } from "./session-terminal.js";

interface Session {
  server: ScriptedOllama;
  place: CliPlace;
  terminal: TerminalRun;
  /** Another process in the same place, at its first prompt. */
  again: () => Promise<TerminalRun>;
}

/** A session on a terminal, at its first prompt. */
async function startSession(
  script: ScriptedOllamaOptions,
  options: TerminalOptions & { args?: readonly string[] } = {},
): Promise<Session> {
  const server = await scriptedOllama(script);
  const place = createPlace({ OLLAMA_HOST: server.url });
  // Without a sandbox a command's process ids are the machine's own; without the warm-up only prompts are requests.
  place.userConfig({ sandbox: "off", warmStart: false });
  const again = async () => {
    const terminal = runInTerminal(place, options.args ?? [], options);
    await terminal.waitFor(AT_PROMPT);
    return terminal;
  };
  return { server, place, terminal: await again(), again };
}

const run = (command: string, more?: MessageReply) => call("run_command", { command }, more);

/** The last message of the last request. */
const lastSent = (server: ScriptedOllama) => server.chatBodies().at(-1)?.messages.at(-1);

/** Waits until the process is gone; one that has been ended stays for a moment, until the system has taken note. */
async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => existsProcess(pid), { timeout: 10_000 }).toBe(false);
}

function existsProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("an interactive session on a terminal", () => {
  it("answers one prompt after another, each with a spinner before it", async () => {
    const replies = ["One.", "Two.", "Three."].map((text) => think("Hm.", say(text)));
    const { server, terminal } = await startSession({ replies });
    await exchange(terminal, "first", "One.");
    await exchange(terminal, "second", "Two.");
    await exchange(terminal, "/help", "/clear");
    await exchange(terminal, "third", "Three.");
    expect(terminal.text()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|\n\n\n/);
    await leave(terminal);
    const users = server
      .chatBodies()
      .at(-1)
      ?.messages.filter(({ role }) => role === "user");
    expect(users?.map(({ content }) => content)).toEqual(["first", "second", "third"]);
  });

  it("takes pasted lines as one message, and shows them", async () => {
    const { server, terminal } = await startSession({ replies: [say("Got it.")] });
    terminal.type("see: \x1b[200~a\r\n\tb 你好\rc\x1b[201~");
    await terminal.waitFor(/› see: a\n +b 你好\n {2}c$/);
    terminal.type("\r");
    await terminal.waitFor(/Got it\.[^]*\n›$/);
    expect(lastSent(server)?.content).toBe("see: a\n\tb 你好\nc");
    await leave(terminal);
  });

  it("goes on with the conversation after /model, and forgets it after /clear", async () => {
    const { server, terminal } = await startSession(
      { models: [{ name: "small:1b" }, { name: "large:7b" }], replies: [say("A."), say("B."), say("C.")] },
      { args: ["--model", "small:1b"] },
    );
    await exchange(terminal, "first", "A.");
    await exchange(terminal, "/model lage:7b", 'Did you mean "large:7b"?');
    await exchange(terminal, "/model large:7b", "model: large:7b");
    await exchange(terminal, "second", "B.");
    await exchange(terminal, "/clear", en.chat.cleared);
    await exchange(terminal, "third", "C.");
    await leave(terminal);
    const sent = server
      .chatBodies()
      .filter(({ messages }) => messages.length > 0)
      .map(({ model, messages }) => [model, ...messages.slice(1).map(({ content }) => content)]);
    expect(sent).toEqual([
      ["small:1b", "first"],
      ["large:7b", "first", "A.", "second"],
      ["large:7b", "third"],
    ]);
  });

  it("names the command that a mistyped one is nearest to, and sends nothing", async () => {
    const { server, terminal } = await startSession({});
    await exchange(terminal, "/hepl", 'unknown command "/hepl". Did you mean "/help"?');
    await leave(terminal);
    expect(server.chatBodies().filter(({ messages }) => messages.length > 0)).toEqual([]);
  });

  it("keeps the spinner on one line when the window gets narrower, and the prompt when it gets wider", async () => {
    const { terminal } = await startSession({ replies: [think("Hm.", silence())] });
    terminal.type("go\r");
    await terminal.waitFor(/reading [\d,]+ tokens/);
    terminal.resize(24, 50);
    await terminal.waitFor(/… \d s/);
    terminal.resize(200, 50);
    terminal.type("\x03");
    await terminal.waitFor(/stopped[^]*\n›$/);
    expect(terminal.text()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    await leave(terminal);
  });

  it("sends no colour with NO_COLOR, and no sequence at all to a dumb terminal", async () => {
    const script = { replies: [think("Hm.", run("touch a")), say("Done.")] };
    const plain = await startSession(script, { env: { NO_COLOR: "1" } });
    plain.terminal.type("go\r");
    await plain.terminal.waitFor(AT_QUESTION);
    plain.terminal.type("y");
    await plain.terminal.waitFor(/Done\.[^]*\n›$/);
    await leave(plain.terminal);
    expect(plain.terminal.written()).not.toMatch(/\x1b\[[\d;]*m/);

    const dumb = await startSession(script, { env: { TERM: "dumb" } });
    dumb.terminal.type("go\r");
    await dumb.terminal.waitFor(AT_QUESTION);
    dumb.terminal.type("y");
    await dumb.terminal.waitFor(/Done\.[^]*\n›$/);
    await leave(dumb.terminal);
    expect(dumb.terminal.written()).not.toContain("\x1b");
  });
});

describe("a model that is not installed", () => {
  const missing = async () => {
    const server = await scriptedOllama({
      models: [],
      pullable: [{ name: "new:1b" }],
      replies: [say("Hello.")],
    });
    const place = createPlace({ OLLAMA_HOST: server.url });
    place.userConfig({ warmStart: false });
    const terminal = runInTerminal(place, ["--model", "new:1b"]);
    await terminal.waitFor(en.models.offerPull("new:1b"));
    return { server, terminal };
  };

  it("is pulled when the user wants, and the session begins", async () => {
    const { server, terminal } = await missing();
    terminal.type("y");
    await terminal.waitFor(AT_PROMPT);
    expect(server.requests.some(({ path }) => path === "/api/pull")).toBe(true);
    await exchange(terminal, "Hi", "Hello.");
    await leave(terminal);
  });

  it("is left alone otherwise, and what to type is said", async () => {
    const { server, terminal } = await missing();
    terminal.type("\r");
    const { code } = await terminal.ended;
    expect(code).toBe(3);
    expect(terminal.text()).toContain("ollama pull new:1b");
    expect(server.requests.some(({ path }) => path === "/api/pull")).toBe(false);
  });
});

describe("a question on a terminal", () => {
  it("lets one command run and not another, and tells the model why", async () => {
    const replies = [run("touch one"), run("touch two"), say("Understood.")];
    const { server, place, terminal } = await startSession({ replies });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toContain("  │ touch one\n");
    expect(existsSync(join(place.workspace, "one"))).toBe(false);
    terminal.type("y");
    await terminal.waitFor((text) => text.includes("  │ touch two\n") && AT_QUESTION.test(text));
    terminal.type("n");
    await terminal.waitFor(en.question.reason);
    terminal.type("use mkdir instead\r");
    await terminal.waitFor(/✓ \$ touch one[^]*✗ \$ touch two {2}declined[^]*Understood\.[^]*\n›$/);
    expect(lastSent(server)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("use mkdir instead") as string,
    });
    expect(readdirSync(place.workspace)).toEqual(["one"]);
    await leave(terminal);
  });

  it("shows the change of a file in full, and makes it only after yes", async () => {
    const edit = call("edit_file", { path: "a.txt", old_text: "beta", new_text: "BETA" });
    const { place, terminal } = await startSession({ replies: [edit, say("No."), edit, say("Yes.")] });
    place.file("a.txt", "alpha\nbeta\n");
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toMatch(/Change a\.txt\?.*\n {2}│ 1 {3}alpha\n {2}│ 2 - beta\n {2}│ 2 \+ BETA\n/);
    terminal.type("\r");
    await terminal.waitFor(/No\.[^]*\n›$/);
    expect(place.text("a.txt")).toBe("alpha\nbeta\n");
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("y");
    await terminal.waitFor(/Yes\.[^]*\n›$/);
    expect(place.text("a.txt")).toBe("alpha\nBETA\n");
    await leave(terminal);
  });

  it('keeps the rule that it showed until the end of the session after "a"', async () => {
    const replies = [
      run("touch one"),
      run("touch one two"),
      say("Done."),
      run("touch one three"),
      say("End."),
    ];
    const { place, terminal, again } = await startSession({ replies });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toContain(`  ${en.question.remember("touch one")}\n`);
    terminal.type("a");
    await terminal.waitFor(/Done\.[^]*\n›$/);
    expect(readdirSync(place.workspace).sort()).toEqual(["one", "two"]);
    await leave(terminal);

    const next = await again();
    next.type("go\r");
    await next.waitFor(AT_QUESTION);
    next.type("\r");
    await next.waitFor(/End\.[^]*\n›$/);
    expect(existsSync(join(place.workspace, "three"))).toBe(false);
    await leave(next);
  });

  it('keeps the rule that it showed for this project after "p", outside the project', async () => {
    const replies = [
      run("touch one && touch two"),
      say("Done."),
      run("touch one && touch two"),
      run("touch three"),
    ];
    const { place, terminal, again } = await startSession({ replies });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toContain(`  ${en.question.rememberLine("touch one && touch two")}\n`);
    terminal.type("p");
    await terminal.waitFor(/Done\.[^]*\n›$/);
    expect(readdirSync(place.workspace).sort()).toEqual(["one", "two"]);
    await leave(terminal);

    const next = await again();
    next.type("go\r");
    await next.waitFor(AT_QUESTION);
    expect(next.text()).toMatch(/✓ \$ touch one && touch two\n[^]*│ touch three\n/);
    next.type("\x03");
    await next.waitFor(/stopped[^]*\n›$/);
    await leave(next);
  });

  it("shows what a command hides, and lets none of its lines pass for the question", async () => {
    const spoof = "\x1b[2J\x1b[1;1H\r\n  y once · n no\n  [n] yes, once\u202e\u200b";
    const { terminal } = await startSession({ replies: [run(`touch a #${spoof}`), say("Done.")] });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    expect(terminal.text()).toMatch(
      /^mini-cc [^]*\n {2}│ touch a #\\x1b\[2J\\x1b\[1;1H\\r\n {2}│ {3}y once · n no\n {2}│ {3}\[n\] yes, once\\u202e\\u200b\n/,
    );
    terminal.type("\r");
    await terminal.waitFor(/Done\.[^]*\n›$/);
    expect(terminal.written()).not.toMatch(/\x1b\[2J|\x1b\[1;1H|\u202e|\u200b/);
    await leave(terminal);
  });

  it("takes nothing as an answer that was typed before it came up", async () => {
    let ask: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const { place, terminal } = await startSession({
      replies: async (_request, index) => {
        if (index > 0) return say("Done.");
        await asked;
        return run("touch a");
      },
    });
    terminal.type("go\r");
    await terminal.waitFor(/reading [\d,]+ tokens/);
    terminal.type("yap");
    ask?.();
    await terminal.waitFor(AT_QUESTION);
    terminal.type("\r");
    await terminal.waitFor(/declined[^]*Done\.[^]*\n› yap$/);
    expect(readdirSync(place.workspace)).toEqual([]);
    terminal.type("\x03");
    await terminal.waitFor(/\n\n›$/);
    await leave(terminal);
  });
});

describe("Ctrl-C in a turn", () => {
  it.each<[string, MessageReply, string | RegExp]>([
    ["before the first byte", silence(), /reading [\d,]+ tokens/],
    ["while it thinks", think(["Let ", "me ", "see"], { stallAfter: 2 }), en.progress.thinking],
    ["while it writes", say(["Once ", "upon ", "a"], { stallAfter: 2 }), "Once upon"],
  ])("cancels it %s; the next prompt works", async (_phase, reply, shown) => {
    const thinker = { name: "thinker", capabilities: ["completion", "tools", "thinking"] };
    const { server, terminal } = await startSession({ models: [thinker], replies: [reply, say("Hello.")] });
    terminal.type("go\r");
    await terminal.waitFor(shown);
    await server.waitFor(({ openRequests }) => openRequests === 1);
    terminal.type("\x03");
    await terminal.waitFor((text) => text.includes(en.chat.cancelled) && AT_PROMPT.test(text));
    await server.waitFor(({ openRequests }) => openRequests === 0);
    await exchange(terminal, "again", "Hello.");
    await leave(terminal);
  });

  it("ends the command that runs, with what it had started; the next prompt works", async () => {
    const command = "sleep 300 & echo $! > pid; echo started; wait";
    const { server, place, terminal } = await startSession({ replies: [run(command), say("Hello.")] });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("y");
    await terminal.waitFor("  started\n");
    terminal.type("\x03");
    await terminal.waitFor((text) => text.includes(en.chat.cancelled) && AT_PROMPT.test(text));
    await expectGone(Number(place.text("pid")));
    await exchange(terminal, "again", "Hello.");
    expect(server.chatBodies().at(-1)?.messages).toContainEqual(
      expect.objectContaining({ role: "tool", content: expect.stringContaining("started") as string }),
    );
    await leave(terminal);
  });

  it("at a question cancels it and runs nothing; the next prompt works", async () => {
    const { place, terminal } = await startSession({ replies: [run("touch a"), say("Hello.")] });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("\x03");
    await terminal.waitFor((text) => text.includes(en.chat.cancelled) && AT_PROMPT.test(text));
    expect(readdirSync(place.workspace)).toEqual([]);
    await exchange(terminal, "again", "Hello.");
    await leave(terminal);
  });
});

describe("leaving", () => {
  it.each<[string, number, (terminal: TerminalRun) => void]>([
    ["Ctrl-D", 0, ({ type }) => type("\x04")],
    ["/exit", 0, ({ type }) => type("/exit\r")],
    ["Ctrl-C twice", 0, ({ type }) => type("\x03\x03")],
    ["SIGINT", 130, ({ kill }) => kill("SIGINT")],
    ["SIGTERM", 130, ({ kill }) => kill("SIGTERM")],
    ["SIGHUP", 130, ({ kill }) => kill("SIGHUP")],
  ])("by %s gives the terminal back as it was", async (_way, code, go) => {
    const { terminal } = await startSession({ replies: [say("Hello.")] });
    await exchange(terminal, "hi", "Hello.");
    expect(terminal.written()).toContain("\x1b[?2004h");
    go(terminal);
    const end = await terminal.ended;
    expect(end).toEqual({
      code,
      before: end.before,
      after: end.before,
      cursorVisible: true,
      pasteMode: false,
    });
  });

  it.each<[string, (terminal: TerminalRun) => void]>([
    ["Ctrl-C twice", ({ type }) => type("\x03\x03")],
    ["SIGTERM", ({ kill }) => kill("SIGTERM")],
    ["SIGHUP", ({ kill }) => kill("SIGHUP")],
  ])("by %s ends a running command first, and gives the terminal back", async (_way, go) => {
    const command = "sleep 300 & echo $! > pid; echo started; wait";
    const { server, place, terminal } = await startSession({ replies: [run(command), say("Never.")] });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.type("y");
    await terminal.waitFor("  started\n");
    go(terminal);
    const end = await terminal.ended;
    expect(end).toMatchObject({ after: end.before, cursorVisible: true, pasteMode: false });
    await expectGone(Number(place.text("pid")));
    expect(server.chatBodies().filter(({ messages }) => messages.length > 0)).toHaveLength(1);
  });

  it("by SIGTERM at a question runs nothing", async () => {
    const { place, terminal } = await startSession({ replies: [run("touch a")] });
    terminal.type("go\r");
    await terminal.waitFor(AT_QUESTION);
    terminal.kill("SIGTERM");
    const end = await terminal.ended;
    expect(end).toMatchObject({ code: 130, after: end.before, cursorVisible: true, pasteMode: false });
    expect(readdirSync(place.workspace)).toEqual([]);
  });
});
