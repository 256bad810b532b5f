import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, calls, say } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { expectValidConversation } from "../agent/setup.js";
import { eventsOf, readEvents, readResult } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

const EVENTS = ["--output-format", "stream-json"];
const JSON_FORMAT = ["--output-format", "json"];

/** What the tools answered, as the newest request tells the model. */
function toolResults(server: ScriptedOllama): string[] {
  const messages = server.chatBodies().at(-1)?.messages ?? [];
  return messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
}

/** Leaves a mark if it is run. */
const TOUCH = call("run_command", { command: "touch marker" });
const EDIT = call("write_file", { path: "marker", content: "x\n" });
const END = say("That is all.");

describe("a task in a project", () => {
  it("lists, searches, reads, edits, writes and runs, and the evidence is right", async () => {
    const { ask, place, server } = await askPlace({
      replies: [
        calls(call("list_files", { path: "." }), call("search_code", { pattern: "a - b" })),
        call("read_file", { path: "src/sum.mjs" }),
        call("run_command", { command: "node check.mjs" }),
        call("edit_file", { path: "src/sum.mjs", old_text: "a - b", new_text: "a + b" }),
        call("write_file", { path: "docs/notes.md", content: "# Notes\n" }),
        call("run_command", { command: "node check.mjs" }),
        say("The sum is right now."),
      ],
    });
    place.file("src/sum.mjs", "export const sum = (a, b) => a - b;\n");
    place.file(
      "check.mjs",
      'import { sum } from "./src/sum.mjs";\nconsole.log("sum", sum(2, 2));\nprocess.exit(sum(2, 2) === 4 ? 0 : 7);\n',
    );
    const flags = ["--permission-mode", "accept-edits", "--allow", "node check.mjs"];
    const { code, stdout } = await ask(["mend the sum", ...flags, ...EVENTS]);
    expect(code).toBe(0);
    expect(place.text("src/sum.mjs")).toBe("export const sum = (a, b) => a + b;\n");
    expect(place.text("docs/notes.md")).toBe("# Notes\n");

    const events = readEvents(stdout);
    expect(events.at(-1)).toMatchObject({
      outcome: "done",
      text: "The sum is right now.",
      usage: { steps: 7 },
      changedFiles: ["src/sum.mjs", "docs/notes.md"],
      commands: [
        { command: "node check.mjs", exitCode: 7 },
        { command: "node check.mjs", exitCode: 0 },
      ],
      denied: [],
    });
    const starts = eventsOf(events, "tool-start");
    expect(starts[3]).toMatchObject({ tool: "run_command", args: { command: "node check.mjs" } });
    const ends = eventsOf(events, "tool-end");
    // Reads of one reply run together, so that the first two may end in any order.
    expect(ends.map(({ tool, status }) => `${tool} ${status}`).sort()).toEqual([
      "edit_file ok",
      "list_files ok",
      "read_file ok",
      "run_command ok",
      "run_command ok",
      "search_code ok",
      "write_file ok",
    ]);
    expect(ends[4]!.diff).toMatch(/^-export const sum .* a - b;\n\+export const sum .* a \+ b;$/m);
    expect(ends[5]!.diff).toContain("+# Notes");
    const live = eventsOf(events, "tool-output").filter(({ id }) => id === starts[3]!.id);
    expect(live.map(({ text }) => text).join("")).toBe("sum 0\n");
    expect(eventsOf(events, "permission").map(({ verdict, by }) => `${verdict} ${by}`)).toEqual([
      "allow rule",
      "allow rule",
      "allow rule",
      "allow rule",
      "allow mode",
      "allow mode",
      "allow rule",
    ]);

    const [list, search, read, firstRun, , , secondRun] = toolResults(server);
    expect(list).toMatch(/src/);
    expect(search).toMatch(/src\/sum\.mjs/);
    expect(read).toContain("a - b");
    expect(firstRun).toMatch(/exit code 7[^]*sum 0/i);
    expect(secondRun).toMatch(/exit code 0[^]*sum 4/i);
    for (const { messages } of server.chatBodies()) expectValidConversation(messages);
    // Requests only grow, so that the server reads nothing twice.
    const texts = server.requests.filter(({ path }) => path === "/api/chat").map(({ text }) => text);
    texts.slice(1).forEach((text, index) => expect(text.startsWith(texts[index]!.slice(0, -2))).toBe(true));
  });

  it("tells the evidence on standard error in text", async () => {
    const { ask, place } = await askPlace({ replies: [EDIT, TOUCH, END] });
    const { code, stdout, stderr } = await ask([
      "go",
      "--permission-mode",
      "accept-edits",
      "--allow",
      "touch",
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "That is all.\n" });
    expect(stderr).toMatch(/1 file.*marker/);
    expect(stderr).toMatch(/touch marker.*exit code 0/);
    expect(place.text("marker")).toBe("x\n");
  });

  it("works in the folder that --cwd names", async () => {
    const { ask, place } = await askPlace({
      replies: [call("run_command", { command: "pwd" }), EDIT, END],
    });
    place.file("sub dir/keep", "");
    const { code, stdout } = await ask(
      ["go", "-C", "sub dir", "--permission-mode", "accept-edits", ...EVENTS],
      {},
    );
    expect(code).toBe(0);
    const events = readEvents(stdout);
    expect(events[0]).toMatchObject({ cwd: join(place.workspace, "sub dir") });
    expect(eventsOf(events, "tool-end")[0]!.output).toContain(join(place.workspace, "sub dir"));
    expect(place.text("sub dir/marker")).toBe("x\n");
  });

  it("answers an unknown tool and wrong arguments so that the model can go on", async () => {
    const { ask, server } = await askPlace({
      replies: [call("find_bugs", { where: "here" }), call("read_file", { lines: 7 }), END],
    });
    const { code, stdout } = await ask(["go", ...EVENTS]);
    expect(code).toBe(0);
    const [unknown, wrong] = eventsOf(readEvents(stdout), "tool-end");
    expect(unknown).toMatchObject({ tool: "find_bugs", status: "error" });
    expect(unknown!.output).toMatch(/read_file.*run_command/);
    expect(wrong).toMatchObject({ tool: "read_file", status: "error" });
    expect(wrong!.output).toContain('"path"');
    expectValidConversation(server.chatBodies().at(-1)!.messages);
  });
});

describe("without a terminal", () => {
  it.each<[string, Reply]>([
    ["a command", TOUCH],
    ["a change of a file", EDIT],
  ])("%s that would be asked about is not done, and everybody is told", async (_name, reply) => {
    const { ask, place, server } = await askPlace({ replies: [reply, END] });
    const { code, stdout, stderr } = await ask(["go", ...EVENTS]);
    expect(code).toBe(4);
    expect(existsSync(join(place.workspace, "marker"))).toBe(false);
    expect(toolResults(server)).toEqual([expect.stringMatching(/approval and nobody can be asked: \w/)]);
    const events = readEvents(stdout);
    expect(eventsOf(events, "permission")).toMatchObject([{ verdict: "deny", by: "nobody" }]);
    expect(events.at(-1)).toMatchObject({
      outcome: "done",
      denied: [{ because: expect.stringMatching(/\w/) as string }],
    });
    expect(stderr).toContain("marker");
    expect(stderr).toMatch(/--allow|--permission-mode accept-edits/);
  });

  it("a read outside the workspace is not done", async () => {
    const { ask, place, server } = await askPlace({
      replies: [call("read_file", { path: "../home/secret.txt" }), END],
    });
    place.file("../home/secret.txt", "the secret");
    expect(await ask(["go"])).toMatchObject({ code: 4 });
    expect(JSON.stringify(server.chatBodies())).not.toContain("the secret");
  });
});

describe("the rules", () => {
  it("let reading commands run as long as no file names allowedCommands", async () => {
    const { ask, place } = await askPlace({
      replies: (_request, index) =>
        index % 2 === 0 ? call("run_command", { command: "cat notes.txt" }) : END,
    });
    place.file("notes.txt", "hello");
    const byDefault = await ask(["go", ...JSON_FORMAT]);
    expect(byDefault.code).toBe(0);
    expect(readResult(byDefault.stdout).commands).toEqual([{ command: "cat notes.txt", exitCode: 0 }]);
    place.userConfig({ allowedCommands: [] });
    expect(await ask(["go"])).toMatchObject({ code: 4 });
    expect(await ask(["go", "--allow", "cat"])).toMatchObject({ code: 0 });
  });

  it("a denied prefix beats whatever allows it, and the reason reaches the model", async () => {
    const { ask, place, server } = await askPlace({ replies: (_request, index) => [TOUCH, END][index % 2]! });
    place.file(".mini-cc.json", '{ "deniedCommands": ["touch"] }');
    for (const flags of [
      ["--allow", "touch"],
      ["--permission-mode", "bypass"],
    ]) {
      const { code, stdout } = await ask(["go", ...flags, ...EVENTS]);
      expect(code).toBe(0);
      expect(eventsOf(readEvents(stdout), "permission")).toMatchObject([{ verdict: "deny", by: "rule" }]);
      expect(toolResults(server)).toEqual([expect.stringMatching(/^Not allowed: .*touch/)]);
    }
    expect(existsSync(join(place.workspace, "marker"))).toBe(false);
  });

  it("a prefix speaks of one simple command", async () => {
    const { ask, place } = await askPlace({
      replies: [
        calls(
          call("run_command", { command: "echo a && touch marker" }),
          call("run_command", { command: "echo $(touch marker)" }),
          call("run_command", { command: "echo a > marker" }),
          call("run_command", { command: "echox" }),
        ),
        END,
      ],
    });
    const { code, stdout } = await ask(["go", "--allow", "echo", ...EVENTS]);
    expect(code).toBe(4);
    expect(eventsOf(readEvents(stdout), "tool-end").map(({ status }) => status)).toEqual(
      Array(4).fill("denied"),
    );
    expect(existsSync(join(place.workspace, "marker"))).toBe(false);
  });
});

describe("the modes", () => {
  it("plan reads, and refuses the rest whatever allows it", async () => {
    const { ask, place, server } = await askPlace({
      replies: [calls(call("run_command", { command: "cat notes.txt" }), TOUCH, EDIT), END],
    });
    place.file("notes.txt", "hello");
    const { code, stdout } = await ask(["go", "--permission-mode", "plan", "--allow", "touch", ...EVENTS]);
    expect(code).toBe(0);
    expect(eventsOf(readEvents(stdout), "tool-end").map(({ status }) => status)).toEqual([
      "ok",
      "denied",
      "denied",
    ]);
    expect(toolResults(server).slice(1)).toEqual(Array(2).fill(expect.stringContaining("plan")));
    expect(existsSync(join(place.workspace, "marker"))).toBe(false);
  });

  it("accept-edits still asks about protected names and about commands", async () => {
    const { ask, place } = await askPlace({
      replies: [calls(EDIT, TOUCH, call("write_file", { path: ".env", content: "KEY=1\n" })), END],
    });
    const { code, stdout } = await ask(["go", "--permission-mode", "accept-edits", ...EVENTS]);
    expect(code).toBe(4);
    const statuses = eventsOf(readEvents(stdout), "tool-end").map(({ status }) => status);
    expect(statuses).toEqual(["ok", "denied", "denied"]);
    expect(existsSync(join(place.workspace, ".env"))).toBe(false);
  });

  it("bypass asks nothing, says so, and still refuses what decides over what runs", async () => {
    const protectedFiles = [".git/config", ".git/hooks/post-commit", ".mini-cc.json", "../outside.txt"];
    const { ask, place } = await askPlace({
      replies: [
        calls(
          TOUCH,
          call("run_command", { command: "touch second && echo done" }),
          ...protectedFiles.map((path) => call("write_file", { path, content: "x" })),
        ),
        END,
      ],
    });
    const { code, stdout, stderr } = await ask(["go", "--permission-mode", "bypass", ...EVENTS]);
    expect(code).toBe(0);
    const statuses = eventsOf(readEvents(stdout), "tool-end").map(({ status }) => status);
    expect(statuses).toEqual(["ok", "ok", ...Array<string>(4).fill("denied")]);
    expect(existsSync(join(place.workspace, "second"))).toBe(true);
    for (const path of protectedFiles) expect(existsSync(join(place.workspace, path)), path).toBe(false);
    expect(stderr).toMatch(/bypass/i);
  });

  it.each([
    "rm -rf /",
    "rm -rf ~",
    "cd / && rm -rf *",
    "bash -c 'rm -rf /etc'",
    "dd if=/dev/zero of=/dev/sda",
  ])("bypass refuses %s", async (command) => {
    const { place } = await askPlace({});
    const checked = await place.run([
      "permissions",
      "check",
      command,
      "--json",
      "--permission-mode",
      "bypass",
      "--allow",
      "rm",
    ]);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({ verdict: "deny" });
  });
});

describe("a project file that nobody has trusted", () => {
  const PROJECT = '{ "allowedCommands": ["ls", "touch"], "permissionMode": "accept-edits" }';
  const replies = (_request: unknown, index: number) => [TOUCH, END][index % 2]!;

  it("widens nothing until it is trusted, and nothing again once it has changed", async () => {
    const { ask, place } = await askPlace({ replies });
    const marker = join(place.workspace, "marker");
    place.file(".mini-cc.json", PROJECT);
    const before = await ask(["go"]);
    expect(before.code).toBe(4);
    expect(before.stderr.match(/mini-cc trust/g)).toHaveLength(1);
    expect(existsSync(marker)).toBe(false);

    const trusted = await place.run(["trust"]);
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).toContain("touch");
    expect(trusted.stdout).toContain("accept-edits");
    const after = await ask(["go"]);
    expect(after.code).toBe(0);
    expect(after.stderr).not.toContain("mini-cc trust");
    expect(existsSync(marker)).toBe(true);

    place.file(".mini-cc.json", `${PROJECT}\n`);
    const changed = await ask(["go"]);
    expect(changed.code).toBe(4);
    expect(changed.stderr).toContain("mini-cc trust");
  });

  it("tells stream-json of it as a notice", async () => {
    const { ask, place } = await askPlace({ replies });
    place.file(".mini-cc.json", PROJECT);
    const notices = eventsOf(readEvents((await ask(["go", ...EVENTS])).stdout), "notice");
    expect(notices).toMatchObject([
      { level: "warning", text: expect.stringContaining("mini-cc trust") as string },
    ]);
  });

  it("is not trusted any more after trust --revoke", async () => {
    const { ask, place } = await askPlace({ replies });
    place.file(".mini-cc.json", PROJECT);
    expect(await place.run(["trust"])).toMatchObject({ code: 0 });
    expect(await ask(["go"])).toMatchObject({ code: 0 });
    expect(await place.run(["trust", "--revoke"])).toMatchObject({ code: 0 });
    expect(await ask(["go"])).toMatchObject({ code: 4 });
  });

  it("still tightens: denials, plan and reading commands count at once, without a notice", async () => {
    const { ask, place } = await askPlace({
      replies: [calls(call("run_command", { command: "ls" }), TOUCH), END],
    });
    place.file(
      ".mini-cc.json",
      '{ "allowedCommands": ["ls"], "deniedCommands": ["git push"], "permissionMode": "plan" }',
    );
    const { code, stdout, stderr } = await ask(["go", "--allow", "touch", ...EVENTS]);
    expect(code).toBe(0);
    expect(stderr).not.toContain("mini-cc trust");
    const events = readEvents(stdout);
    expect(eventsOf(events, "tool-end").map(({ status }) => status)).toEqual(["ok", "denied"]);
    expect(eventsOf(events, "permission")[1]).toMatchObject({ by: "mode" });
  });

  it("never names the server, not even when it is trusted", async () => {
    const decoy = await askPlace({});
    const { ask, place, server } = await askPlace({ replies: [END, END] }, { OLLAMA_HOST: undefined });
    place.userConfig({ ollama: { host: server.url } });
    place.file(".mini-cc.json", JSON.stringify({ ollama: { host: decoy.server.url }, sandbox: "off" }));
    for (const command of [[], ["trust"]]) {
      if (command.length > 0) expect(await place.run(command)).toMatchObject({ code: 0 });
      const { code, stderr } = await ask(["go"]);
      expect(code).toBe(0);
      expect(stderr).toContain("ollama.host");
    }
    expect(decoy.server.requests).toEqual([]);
    expect(server.chatBodies()).toHaveLength(2);
  });
});
