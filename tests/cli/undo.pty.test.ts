import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../src/cli/messages/en.js";
import { zh } from "../../src/cli/messages/zh.js";
import { call, say } from "../../src/demo/reply.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalRun } from "../helpers/terminal.js";
import { AT_PROMPT, AT_QUESTION, exchange, leave } from "./session-terminal.js";

interface Session {
  server: ScriptedOllama;
  place: CliPlace;
  start: (...args: string[]) => Promise<TerminalRun>;
}

/** A workspace with two files, in which nothing is asked. */
async function makeSession(replies: ScriptedOllamaOptions["replies"], config: object = {}): Promise<Session> {
  const server = await scriptedOllama({ replies: replies ?? [] });
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({
    sandbox: "off",
    warmStart: false,
    permissionMode: "bypass",
    reflection: false,
    ...config,
  });
  place.file("a.txt", "alpha\nbeta\n");
  place.file("b.txt", "bravo\n");
  const start = async (...args: string[]) => {
    const terminal = runInTerminal(place, args);
    await terminal.waitFor(AT_PROMPT);
    return terminal;
  };
  return { server, place, start };
}

const edit = call("edit_file", { path: "a.txt", old_text: "beta", new_text: "BETA" });
const command = call("run_command", { command: "mv b.txt c.txt && echo new > n.txt && chmod 600 a.txt" });

describe("/undo, /redo and /diff on a terminal", () => {
  it("take back, bring again and show what turns changed, and the model is told", async () => {
    const { server, place, start } = await makeSession([
      edit,
      say("Edited."),
      command,
      say("Moved."),
      say("Ok."),
    ]);
    const terminal = await start();
    await exchange(terminal, "/undo", en.undo.nothing.undo);
    await exchange(terminal, "/diff", en.undo.noChanges);
    await exchange(terminal, "edit it", "Edited.");
    await exchange(terminal, "move it", "Moved.");
    const diff = await exchange(terminal, "/diff", "n.txt");
    expect(diff).toContain(en.undo.changesOfTurn("move it"));
    expect(diff).toMatch(
      /~ a\.txt \(mode 0644 → 0600\)\n- b\.txt\n {2}1 - bravo\n\+ c\.txt\n {2}1 \+ bravo\n\+ n\.txt\n {2}1 \+ new\n/,
    );
    const all = await exchange(terminal, "/diff session", "n.txt");
    expect(all).toContain(en.undo.changesOfSession(2));
    expect(all).toContain("2 - beta\n  2 + BETA\n");
    await exchange(terminal, "/diff nonsense", en.undo.usage);

    const first = await exchange(terminal, "/undo", en.undo.total.undo(4));
    expect(first).toContain(en.undo.done.undo("move it"));
    expect(first).toMatch(/ {2}~ a\.txt \(mode 0600 → 0644\)\n {2}\+ b\.txt\n {2}- c\.txt\n {2}- n\.txt\n/);
    expect(readdirSync(place.workspace).sort()).toEqual(["a.txt", "b.txt"]);
    expect(place.text("a.txt")).toBe("alpha\nBETA\n");
    await exchange(terminal, "/undo", en.undo.done.undo("edit it"));
    expect(place.text("a.txt")).toBe("alpha\nbeta\n");
    await exchange(terminal, "/redo", en.undo.done.redo("edit it"));
    expect(place.text("a.txt")).toBe("alpha\nBETA\n");
    await exchange(terminal, "/undo", en.undo.done.undo("edit it"));

    await exchange(terminal, "go on", "Ok.");
    const sent = server.chatBodies().at(-1)?.messages ?? [];
    expect(sent.at(-1)?.content).toMatch(
      /^go on\n\n\[The user undid what you changed for "move it": a\.txt, b\.txt,/,
    );
    expect(sent.at(-1)?.content).toContain('The user undid what you changed for "edit it": a.txt.');
    // What was said before keeps its bytes.
    expect(
      sent
        .filter(({ role }) => role === "user")
        .map(({ content }) => content)
        .slice(0, 2),
    ).toEqual(["edit it", "move it"]);
    await leave(terminal);
  });

  it("make the model read a file again before it edits what was undone", async () => {
    const stale = call("edit_file", { path: "a.txt", old_text: "BETA", new_text: "GAMMA" });
    const { server, place, start } = await makeSession([edit, say("Edited."), stale, say("So be it.")]);
    const terminal = await start();
    await exchange(terminal, "edit it", "Edited.");
    await exchange(terminal, "/undo", en.undo.done.undo("edit it"));
    await exchange(terminal, "again", "So be it.");
    expect(place.text("a.txt")).toBe("alpha\nbeta\n");
    expect(server.chatBodies().at(-1)?.messages.at(-1)?.role).toBe("tool");
    await leave(terminal);
  });

  it("ask where something else has changed a file since, and change nothing without a yes", async () => {
    const { place, start } = await makeSession([edit, say("Edited.")]);
    const terminal = await start();
    await exchange(terminal, "edit it", "Edited.");
    writeFileSync(join(place.workspace, "a.txt"), "mine\n");
    for (const [key, text] of [
      ["n", "mine\n"],
      ["\r", "mine\n"],
      ["\x03", "mine\n"],
      ["y", "alpha\nbeta\n"],
    ] as const) {
      terminal.type("/undo\r");
      await terminal.waitFor(AT_QUESTION);
      expect(terminal.text()).toMatch(
        /Undo all the same: edit it\?\n {2}│ 1 file has changed since[^]*│ {3}a\.txt\n/,
      );
      terminal.type(key);
      await terminal.waitFor((shown) => AT_PROMPT.test(shown));
      expect(place.text("a.txt")).toBe(text);
    }
    await exchange(terminal, "/redo", en.undo.done.redo("edit it"));
    expect(place.text("a.txt")).toBe("mine\n");
    await leave(terminal);
  });

  it("know what ask, and an earlier session, have changed", async () => {
    const { place, start } = await makeSession([edit, say("Edited."), command, say("Moved.")]);
    expect((await place.run(["ask", "edit it"])).code).toBe(0);
    const terminal = await start("-c");
    await exchange(terminal, "move it", "Moved.");
    await leave(terminal);
    const later = await start("-c", "--lang", "zh");
    await exchange(later, "/undo", zh.undo.done.undo("move it"));
    await exchange(later, "/undo", zh.undo.done.undo("edit it"));
    expect([place.text("a.txt"), place.text("b.txt")]).toEqual(["alpha\nbeta\n", "bravo\n"]);
    await leave(later);
    const last = await start("-c");
    await exchange(last, "/redo", en.undo.done.redo("edit it"));
    expect(place.text("a.txt")).toBe("alpha\nBETA\n");
    await leave(last);
  });

  it("say that undo is off, and keep nothing", async () => {
    const { place, start } = await makeSession([edit, say("Edited.")], { undo: false });
    const terminal = await start();
    await exchange(terminal, "edit it", "Edited.");
    await exchange(terminal, "/undo", en.undo.off);
    await exchange(terminal, "/diff", en.undo.off);
    expect(readdirSync(place.state)).not.toContain("undo");
    await leave(terminal);
  });

  it("show nothing of a file that could write to the terminal", async () => {
    const nasty = call("run_command", { command: "printf 'x\\033[2Jy\\n' > $'n\\033[31m.txt'" });
    const { start } = await makeSession([nasty, say("Done.")]);
    const terminal = await start();
    await exchange(terminal, "go", "Done.");
    await exchange(terminal, "/diff", "1 + xy");
    await exchange(terminal, "/undo", en.undo.total.undo(1));
    expect(terminal.written()).not.toMatch(/\x1b\[2J/);
    await leave(terminal);
  });
});
