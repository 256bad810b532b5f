import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import { AT_PROMPT } from "./session-terminal.js";

describe("settings that commands of a session change", () => {
  it("count from the next request on, and the conversation goes on", async () => {
    const write = call("write_file", { path: "a.txt", content: "text\n" });
    const server = await scriptedOllama({
      models: [{ name: "thinker:1b", capabilities: ["completion", "tools", "thinking"] }],
      replies: [
        say("One."),
        say("Two."),
        write,
        say("Three."),
        call("run_command", { command: "touch b" }),
        say("Four."),
      ],
    });
    const place = createPlace({ OLLAMA_HOST: server.url });
    place.userConfig({ sandbox: "off", warmStart: false });
    const terminal = runInTerminal(place, ["--model", "thinker:1b"], { columns: 160 });
    await terminal.waitFor(AT_PROMPT);
    const exchange = async (message: string, shown: RegExp) => {
      terminal.type(`${message}\r`);
      await terminal.waitFor((text) => {
        const below = text.slice(text.lastIndexOf(`› ${message}\n`));
        return below !== text && shown.test(below) && AT_PROMPT.test(below);
      });
    };
    const chats = () => server.chatBodies().filter(({ messages }) => messages.length > 0);

    await exchange("first", /One\./);
    await exchange("/think on", /thinking: on/);
    await exchange("/debug", /recorded in .*\.jsonl/);
    await exchange("second", /Two\./);
    expect(chats().map(({ think }) => think)).toEqual([false, true]);
    expect(
      chats()[1]
        ?.messages.map(({ content }) => content)
        .slice(1),
    ).toEqual(["first", "One.", "second"]);
    expect(chats()[1]?.messages.slice(0, 3)).toEqual([...(chats()[0]?.messages ?? []), expect.anything()]);
    const file = /recorded in (\S+\.jsonl)/.exec(terminal.text())?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toContain("second");
    await exchange("/debug off", /nothing is recorded/);

    await exchange("/mode accept-edits", /mode: accept-edits/);
    await exchange("third", /Three\./);
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("text\n");
    expect(readFileSync(file, "utf8")).not.toContain("third");

    terminal.type("fourth\r");
    await terminal.waitFor(/\n {2}\[n\]$/);
    terminal.type("a");
    await terminal.waitFor(/Four\.[^]*\n›$/);
    await exchange("/permissions", /mode: accept-edits\n[^]*touch b {2}\(this session\)/);
    await exchange("/mode acept-edits", /Did you mean "accept-edits"\?/);
    terminal.type("/mode\r");
    await terminal.waitFor(/› accept-edits[^]*↑↓/);
    terminal.type("\x1b[B\r");
    await terminal.waitFor(/mode: plan\n\n›$/);
    await exchange("/doctor", /thinker:1b[^]*sandbox/i);
    terminal.type("\x04");
    expect((await terminal.ended).code).toBe(0);
  });
});
