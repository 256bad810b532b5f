import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, fail, say } from "../../../src/demo/reply.js";
import { eventsOf, readEvents } from "../../helpers/event-schema.js";
import { askPlace } from "../ask-setup.js";

const CHINESE = /\p{Script=Han}/u;
/** Lines that are values alone: rows of JSON, names, commands, and lines of a configuration. */
const VALUE = /^\s*(?:[\w.[\]-]+ {2,}|[✓✗–!] \S+ {2,}(?:\/|Node |git version|ripgrep |\d))/;

const UNREADABLE = '{ "maxSteps": "x", "autoCompact": 3, "ollama": { "numCtx": -1, "keepAlive": "soon" } }';
const ODD = '{ "modle": "a", "sandbox": "off", "allowedCommands": ["a|b", "sh"], "deniedCommands": ["*"] }';

describe("what a person reads in Chinese", () => {
  it.each([
    ["a value that does not fit", UNREADABLE, ["config"]],
    ["a file that is no JSON", '{ "maxSteps": 3,, }', ["ask", "hi"]],
    ["keys and rules that have no effect", ODD, ["permissions", "check", "ls"]],
    ["a checked command", "{}", ["permissions", "check", "cd x && rm -rf / > y; $(z) < /dev/tcp/a/1"]],
    ["what the doctor finds", ODD, ["doctor", "--no-load"]],
    ["what the doctor cannot read", UNREADABLE, ["doctor"]],
    ["a model that is not installed", "{}", ["ask", "hi", "--model", "nowhere"]],
    ["a server that is not there", "{}", ["ask", "hi", "--host", "127.0.0.1:1"]],
    ["an address that is none", "{}", ["ask", "hi", "--host", "ftp://a"]],
    ["a folder that is not there", "{}", ["ask", "hi", "--cwd", "/nowhere"]],
    ["a session that is not there", "{}", ["ask", "hi", "--resume", "7"]],
    ["an option without its value", "{}", ["ask", "hi", "--model"]],
    ["an argument too many", "{}", ["doctor", "again"]],
  ])("%s is told without a line of English", async (_name, config, args) => {
    const { place, server } = await askPlace({ replies: [] });
    place.file(".mini-cc.json", config);
    const { stdout, stderr } = await place.run([...args, "--lang", "zh"]);
    const lines = `${stdout}${stderr}`.split("\n").filter((line) => line.trim() !== "" && !VALUE.test(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !CHINESE.test(line) && !line.includes(server.url))).toEqual([]);
  });

  it("holds the words of a server, a user and a file system as they came", async () => {
    const { ask } = await askPlace({ replies: [fail(500, "it is empty")] });
    const { stderr } = await ask(["hi", "--lang", "zh"]);
    expect(stderr).toContain("服务器返回 500：it is empty\n");
    const { place } = await askPlace({ replies: [] });
    mkdirSync(join(place.workspace, "it is empty"));
    writeFileSync(join(place.workspace, "it is empty/.mini-cc.json"), '{ "nmae": 1 }');
    const told = await place.run(["config", "--cwd", "it is empty", "--lang", "zh"]);
    expect(told.stderr).toContain("it is empty/.mini-cc.json:1:3：未知的键“nmae”");
  });

  it("stays in English where scripts read it, and in the records", async () => {
    const replies = [call("run_command", { command: "touch a" }), fail(500, "XML syntax error"), say("No.")];
    const { ask, place, server } = await askPlace({ replies });
    const { stdout, stderr } = await ask(["hi", "--lang", "zh", "--output-format", "stream-json"]);
    expect(stdout).toContain('no rule allows \\"touch a\\"');
    expect(stdout).not.toMatch(CHINESE);
    expect(stderr).toContain("没有规则允许“touch a”");
    expect(stderr).toContain("服务器无法解析模型的工具调用");
    for (const request of server.requests) expect(request.text).not.toMatch(CHINESE);
    const [session] = eventsOf(readEvents(stdout), "session");
    const exported = await place.run(["sessions", "export", session!.id, "--format", "json", "--lang", "zh"]);
    expect(exported.stdout).toContain("no rule allows");
    expect(exported.stdout).not.toMatch(CHINESE);
    const doctor = await place.run(["doctor", "--json", "--no-load", "--lang", "zh"]);
    expect(doctor.stdout).not.toMatch(CHINESE);
    const check = await place.run(["permissions", "check", "rm -rf /", "--json", "--lang", "zh"]);
    expect(check.stdout).not.toMatch(CHINESE);
  });

  it("is the language of the interface, while the model is told to answer in that of the message", async () => {
    const { ask, server } = await askPlace({ replies: () => say("Ja.") });
    await ask(["Hallo", "--lang", "zh"]);
    await ask(["-c", "你好", "--lang", "en"]);
    await ask(["-c", "Hi", "--lang", "zh"]);
    const systems = server.chatBodies().map(({ messages }) => messages[0]!);
    expect(systems.map(({ role }) => role)).toEqual(["system", "system", "system"]);
    expect(systems[0]!.content).toContain("Answer in the language of the user's last message.");
    expect(new Set(systems.map(({ content }) => content)).size).toBe(1);
    // Each request goes on where the one before it ended.
    const [first, second, third] = server
      .chatBodies()
      .map(({ messages }) => JSON.stringify(messages).slice(0, -1));
    expect(second!.startsWith(first!)).toBe(true);
    expect(third!.startsWith(second!)).toBe(true);
  });
});
