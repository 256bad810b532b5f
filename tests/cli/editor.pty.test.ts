import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../src/cli/messages/en.js";
import { call, say, silence } from "../../src/demo/reply.js";
import type { ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal, shellInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions } from "../helpers/terminal.js";
import { AT_PROMPT, leave } from "./session-terminal.js";

async function startSession(script: ScriptedOllamaOptions, options: TerminalOptions = {}) {
  const server = await scriptedOllama(script);
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({ sandbox: "off", warmStart: false });
  const again = async () => {
    const terminal = runInTerminal(place, [], options);
    await terminal.waitFor(AT_PROMPT);
    return terminal;
  };
  const lastSent = () => server.chatBodies().at(-1)?.messages.at(-1)?.content;
  return { server, place, terminal: await again(), again, lastSent };
}

describe("the editor on a terminal", () => {
  it("folds a paste of 500 lines in view and sends it whole, as one message", async () => {
    const { terminal, server, lastSent } = await startSession({ replies: [say("Read.")] });
    const lines = Array.from({ length: 500 }, (_, line) => `line ${line} with some words`);
    terminal.type(`look: \x1b[200~${lines.join("\r")}\x1b[201~`);
    await terminal.waitFor(/› look: \[pasted 500 lines\]$/);
    terminal.type("\r");
    await terminal.waitFor(/› look: \[pasted 500 lines\]\n[^]*Read\.[^]*\n›$/);
    expect(lastSent()).toBe(`look: ${lines.join("\n")}`);
    expect(server.chatBodies()).toHaveLength(1);
    await leave(terminal);
  });

  it("edits several lines with the usual keys, and finds them again in the next session", async () => {
    const { terminal, again, lastSent } = await startSession({ replies: [say("One."), say("Two.")] });
    // Shift-Enter as kitty and xterm report it, Alt-Enter, Ctrl-J.
    terminal.type("a\x1b[13;2ub\x1b[27;2;13~c\x1b\rd\ne");
    await terminal.waitFor(/› a\n {2}b\n {2}c\n {2}d\n {2}e$/);
    terminal.type("\x1b[A\x1b[A\x01X\x05Y\r");
    await terminal.waitFor(/One\.[^]*\n›$/);
    expect(lastSent()).toBe("a\nb\nXcY\nd\ne");
    await leave(terminal);

    const next = await again();
    next.type("\x12xc");
    await next.waitFor(/XcY[^]*search: xc/);
    next.type("\r");
    await next.waitFor(/› a\n {2}b\n {2}XcY\n {2}d\n {2}e$/);
    next.type("\r");
    await next.waitFor(/Two\.[^]*\n›$/);
    expect(lastSent()).toBe("a\nb\nXcY\nd\ne");
    await leave(next);
  });

  it("gives wide characters their room, also when the window changes in the middle", async () => {
    const { terminal, lastSent } = await startSession({ replies: [say("好的。")] }, { columns: 40 });
    terminal.type("把所有的测试都改成中文名字，然后再运行一遍");
    await terminal.waitFor(/› 把所有的测试都改成中文名字，然后再运\n {2}行一遍$/);
    terminal.resize(24, 50);
    await terminal.waitFor(/› 把所有的测试都改成中\n {2}文名字，然后再运行一\n {2}遍$/);
    terminal.resize(60, 50);
    await terminal.waitFor(/\n› 把所有的测试都改成中文名字，然后再运行一遍$/);
    terminal.type("\x1b[D\x1b[D吧\r");
    await terminal.waitFor(/好的。[^]*\n›$/);
    expect(lastSent()).toBe("把所有的测试都改成中文名字，然后再运行吧一遍");
    await leave(terminal);
  });

  it("completes the names of files by git's rules and sends what is in them", async () => {
    const { terminal, place, lastSent } = await startSession({ replies: [say("Read.")] });
    place.file(".gitignore", "ignored.ts\n");
    place.file("ignored.ts", "");
    place.file("src/parser.ts", "export const parser = 1;\n");
    terminal.type("see @");
    await terminal.waitFor(/see @\n[^]*src\/parser\.ts/);
    expect(terminal.text()).not.toContain("ignored.ts");
    terminal.type("prs\t");
    await terminal.waitFor(/› see @src\/parser\.ts$/);
    terminal.type("please\r");
    await terminal.waitFor(/› see @src\/parser\.ts please\n[^]*Read\.[^]*\n›$/);
    expect(lastSent()).toBe(
      "see @src/parser.ts please\n\nsrc/parser.ts lines 1-1 of 1\nexport const parser = 1;",
    );
    await leave(terminal);
  });

  it("hands over what is typed while a command runs, after its result and before the next request", async () => {
    const { terminal, server, place } = await startSession({
      replies: [call("run_command", { command: "until [ -e go ]; do sleep 0.1; done" }), say("Done.")],
    });
    terminal.type("wait for it\r");
    await terminal.waitFor(/\n {2}\[n\]$/);
    terminal.type("y");
    await terminal.waitFor(/\$ [^\n]* … \d[^]*› Esc stops/);
    terminal.type("and use tabs\r");
    await terminal.waitFor(/waiting: and use tabs/);
    place.file("go", "");
    await terminal.waitFor(/› and use tabs\n[^]*Done\.[^]*\n›$/);
    expect(terminal.text()).not.toContain("waiting:");
    const sent = server.chatBodies().at(-1)?.messages.slice(1);
    expect(sent?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(sent?.at(-1)?.content).toBe("and use tabs");
    await leave(terminal);
  });

  it("stops the turn on Esc and keeps the draft", async () => {
    const { terminal, server } = await startSession({ replies: [silence()] });
    terminal.type("go\r");
    await terminal.waitFor(/reading [\d,]+ tokens/);
    terminal.type("half a thou");
    await terminal.waitFor(/› half a thou$/);
    terminal.type("\x1b");
    await terminal.waitFor(new RegExp(`${en.chat.cancelled}[^]*› half a thou$`));
    await server.waitFor(({ openRequests }) => openRequests === 0);
    terminal.type("\x03");
    await terminal.waitFor(AT_PROMPT);
    await leave(terminal);
  });

  it("writes a long message in the user's editor", async () => {
    const { terminal, place, lastSent } = await startSession(
      { replies: [say("Read.")] },
      { env: { EDITOR: "sh ./editor.sh" } },
    );
    place.file(
      "editor.sh",
      'cat "$1" > seen; stty -a | grep -c "[^-]icanon" > cooked; printf "one\\ntwo\\n" > "$1"\n',
    );
    terminal.type("draft\x07");
    await terminal.waitFor(/› one\n {2}two$/);
    expect(place.text("seen")).toBe("draft\n");
    expect(place.text("cooked")).toBe("1\n");
    terminal.type("\r");
    await terminal.waitFor(/Read\.[^]*\n›$/);
    expect(lastSent()).toBe("one\ntwo");
    await leave(terminal);
  });

  it("loses nothing that was typed before it was ready", async () => {
    const server = await scriptedOllama({ replies: [say("Hello.")] });
    const place = createPlace({ OLLAMA_HOST: server.url });
    place.userConfig({ sandbox: "off", warmStart: false });
    const terminal = runInTerminal(place, []);
    terminal.type("early bird\rand mo");
    await terminal.waitFor(/› early bird\n[^]*Hello\.[^]*\n› and mo$/);
    expect(server.chatBodies().at(-1)?.messages.at(-1)?.content).toBe("early bird");
    terminal.type("\x03");
    await terminal.waitFor(AT_PROMPT);
    await leave(terminal);
  });

  it("writes few bytes for a key", async () => {
    const { terminal } = await startSession({});
    terminal.type("hello");
    await terminal.waitFor(/› hello$/);
    const before = terminal.written().length;
    for (const key of " world") {
      terminal.type(key);
      await terminal.waitFor((text) => text.trimEnd().endsWith(key) || key === " ");
    }
    await terminal.waitFor(/› hello world$/);
    expect(terminal.written().length - before).toBe(" world".length);
    terminal.type("\x03");
    await terminal.waitFor(AT_PROMPT);
    await leave(terminal);
  });
});

describe("Ctrl-Z", () => {
  it("gives the terminal to the shell as it was, and fg brings everything back", async () => {
    const server = await scriptedOllama({ replies: [say("Hello.")] });
    const place = createPlace({ OLLAMA_HOST: server.url });
    place.userConfig({ sandbox: "off", warmStart: false });
    const shell = shellInTerminal(place);
    await shell.waitFor(/\$ $|\$$/);
    shell.type("stty -g > before; mini-cc\r");
    await shell.waitFor(AT_PROMPT);
    shell.type("half a thou");
    await shell.waitFor(/› half a thou$/);
    shell.type("\x1a");
    await shell.waitFor(/Stopped[^]*\$$/);
    shell.type("stty -g > stopped; fg\r");
    await shell.waitFor(/fg[^]*› half a thou$/);
    shell.type("ght\r");
    await shell.waitFor(/› half a thought\n[^]*Hello\.[^]*\n›$/);
    shell.type("\x04");
    await shell.waitFor(/\n›\n[^]*\$$|\$$/);
    shell.type("stty -g > after; exit\r");
    await shell.ended;
    const states = ["before", "stopped", "after"].map((name) =>
      readFileSync(join(place.workspace, name), "utf8"),
    );
    expect(new Set(states).size).toBe(1);
  });
});

describe("a stop that was not told before", () => {
  it("leaves a session that works when it goes on", async () => {
    const { terminal, lastSent } = await startSession({ replies: [say("Hello.")] });
    terminal.type("half a");
    await terminal.waitFor(/› half a$/);
    terminal.kill("SIGSTOP");
    terminal.kill("SIGCONT");
    terminal.type(" thought");
    await terminal.waitFor(/› half a thought$/);
    terminal.type("\r");
    await terminal.waitFor(/Hello\.[^]*\n›$/);
    expect(lastSent()).toBe("half a thought");
    await leave(terminal);
  });
});

describe("an error that nobody caught", () => {
  it("gives the terminal back as it was", async () => {
    const server = await scriptedOllama({});
    const place = createPlace({ OLLAMA_HOST: server.url });
    place.userConfig({ sandbox: "off", warmStart: false });
    const preload = join(place.home, "throw.cjs");
    writeFileSync(preload, 'process.on("SIGUSR2", () => { throw new Error("nobody caught this"); });');
    const terminal = runInTerminal(place, [], { env: { NODE_OPTIONS: `--require ${preload}` } });
    await terminal.waitFor(AT_PROMPT);
    terminal.kill("SIGUSR2");
    const end = await terminal.ended;
    expect(terminal.text()).toContain("nobody caught this");
    expect(end).toMatchObject({ after: end.before, cursorVisible: true, pasteMode: false });
    expect(end.code).not.toBe(0);
  });
});
