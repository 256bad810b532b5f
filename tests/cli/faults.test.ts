import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../src/demo/chat-request.js";
import { call, calls, fail, say, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { expectValidConversation } from "../agent/setup.js";
import { translate } from "../../src/cli/messages/translate-zh.js";
import { eventsOf, readEvents, readResult } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";
import { FAULTS } from "./fault-table.js";

const EVENTS = ["--output-format", "stream-json"];

describe("what a model gets wrong", () => {
  it.each(FAULTS)("$name", async (row) => {
    const { name, prompt, args = [], model, files = {}, replies, says = {}, differs = {}, after = {} } = row;
    const { ask, place, server } = await askPlace({ models: [{ name: "scripted", ...model }], replies });
    for (const [path, text] of Object.entries(files)) place.file(path, text);
    const { code, stdout, stderr } = await ask([prompt, ...args, ...EVENTS]);

    const events = readEvents(stdout);
    const [end] = eventsOf(events, "turn-end");
    const outcome = row.error === undefined ? "done" : row.exit === 5 ? "limit" : "failed";
    expect({ exit: code, outcome: end!.outcome, error: end!.error?.code, text: end!.text }).toEqual({
      exit: row.exit,
      outcome,
      error: row.error,
      text: row.answer,
    });
    expect(eventsOf(events, "notice").map((notice) => notice.code)).toEqual(row.notices);
    for (const { text } of eventsOf(events, "notice")) expect(stderr).toContain(text);
    if (row.told) expect(stderr).toMatch(row.told);
    if (end!.error) expect(stderr).toContain(end!.error.message);
    const { message, hint } = end!.error ?? {};
    for (const told of [...eventsOf(events, "notice").map(({ text }) => text), message, hint]) {
      if (told !== undefined) expect(translate.text(told)).not.toBe(told);
    }
    expect(stderr).not.toMatch(/^\s+at |undefined|no response/m);

    const bodies = server.chatBodies();
    expect(bodies, name).toHaveLength(row.usual + row.extra);
    for (const [index, text] of Object.entries(says)) {
      expect(bodies[Number(index)]?.messages.at(-1)?.content).toMatch(text);
    }
    for (const [index, field] of Object.entries(differs)) {
      const [first, other] = [bodies[0]!, bodies[Number(index)]!].map((body) => settingsOf(body));
      expect(other![field]).not.toEqual(first![field]);
      expect({ ...other, [field]: 0 }).toEqual({ ...first, [field]: 0 });
    }
    const chats = server.requests.filter(({ path }) => path === "/api/chat");
    expect(chats.flatMap(({ aborted }, index) => (aborted ? [index] : []))).toEqual(row.aborted ?? []);
    expect(server.openRequests).toBe(0);
    expectGrowing(bodies);
    for (const [path, text] of Object.entries(after)) {
      if (text === null) expect(existsSync(join(place.workspace, path))).toBe(false);
      else expect(place.text(path)).toBe(text);
    }
  });

  it("leaves a conversation that the next prompt can use, whatever it was", async () => {
    const faults: Reply[] = [
      say([], { outputTokens: 40 }),
      say("<think>plan</think>"),
      fail(500, "error parsing tool call: raw='ls', err=invalid character"),
      say("I have fixed the bug in a.txt."),
    ];
    for (const fault of faults) {
      const { ask, server } = await askPlace({
        replies: ({ messages }) => (messages.at(-1)?.content === "And now?" ? say("Here.") : fault),
      });
      await ask(["Fix the bug in a.txt."]);
      expect(await ask(["-c", "And now?"])).toMatchObject({ code: 0, stdout: "Here.\n" });
      expectValidConversation(server.chatBodies().at(-1)!.messages);
    }
  });

  it("never asks more than six times in a turn, and once a reply at most", async () => {
    const lost = say([], { outputTokens: 40 });
    const announced = say("The file is missing. I will create it now.");
    const script = [announced, lost, announced, lost, fail(500, "XML syntax error"), say("<think>x</think>")];
    const { ask, server } = await askPlace({
      replies: (_, index) =>
        index % 2 === 1 && index < 12
          ? call("list_files", { path: ".", pattern: `*.${index}` })
          : (script[index / 2] ?? say([], { outputTokens: 1 })),
    });
    const { stdout } = await ask(["Make a.txt.", "--protocol", "native", ...EVENTS]);
    const asked = eventsOf(readEvents(stdout), "notice").filter(({ code }) => code.startsWith("reply-"));
    expect(asked.length).toBeLessThanOrEqual(6);
    const users = server
      .chatBodies()
      .at(-1)!
      .messages.filter(({ role }) => role === "user");
    expect(users.length).toBeLessThanOrEqual(7);
  });
});

describe("four causes", () => {
  it("are told in four different messages, each with the next step", async () => {
    const causes: [Reply, string[]][] = [
      [say([], { outputTokens: 0 }), []],
      [say("<think>plan</think>"), []],
      [fail(500, "error parsing tool call: raw='ls', err=invalid character"), []],
      [
        fail(
          400,
          "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
        ),
        [],
      ],
    ];
    const errors: { code: string; message: string; hint?: string | undefined }[] = [];
    for (const [reply] of causes) {
      const { ask } = await askPlace({ replies: () => reply });
      const { code, stdout, stderr } = await ask(["hi", "--output-format", "json"]);
      expect(code).toBe(1);
      const { error } = readResult(stdout);
      expect(stderr).toContain(error!.hint);
      errors.push(error!);
    }
    expect(errors.map(({ code }) => code)).toEqual([
      "reply-empty",
      "reply-thinking-only",
      "model-output",
      "context-overflow",
    ]);
    expect(new Set(errors.map(({ message }) => message)).size).toBe(4);
    expect(new Set(errors.map(({ hint }) => hint)).size).toBe(4);
  });

  it("leave the request and the raw reply in the debug file", async () => {
    const { ask, place } = await askPlace({ replies: [say([], { outputTokens: 40 }), say("Done.")] });
    const { stderr } = await ask(["hi", "--debug"]);
    const folder = /recorded in (\S+)/.exec(stderr)?.[1] ?? "";
    expect(folder).toContain(place.state);
    const { readdirSync, readFileSync } = await import("node:fs");
    const [file = ""] = readdirSync(folder);
    const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
    const kinds = lines.map((line) => Object.keys(JSON.parse(line) as object).at(-1));
    expect(kinds.filter((kind) => kind === "request")).toHaveLength(2);
    expect(kinds).toContain("reply");
  });
});

describe("what only looks wrong is left alone", () => {
  const ANSWERS: [string, string, string][] = [
    ["a question to the user", "Fix the bug.", "There are two of them. Which one shall I fix?"],
    ["an offer", "Fix the bug.", "There is no bug. If you want, I will add a test."],
    ["an explanation", "Explain how to add a test.", "First, I create a file. Then I will write the test."],
    ["a plan", "Plan the fix.", "1. Read the file.\n2. I will edit it.\n3. Let me run the tests."],
    ["an answer to a question", "Did you fix the bug?", "I have fixed the bug in a.txt."],
    ["a text that was asked for", "Write a haiku about files.", "I have written it:\n\nOld file, quiet disk"],
    ["a table", "Make a table.", `| a | b |\n|---|---|\n${"|   |   |\n".repeat(200)}`],
    ["a short answer", "Fix it.", "It works as it is."],
  ];
  it.each(ANSWERS)("%s", async (_, prompt, answer) => {
    const { ask, server, place } = await askPlace({ replies: [say(answer)] });
    place.file("a.txt", "one\n");
    expect(await ask([prompt])).toEqual({
      code: 0,
      signal: null,
      stdout: `${answer.trimEnd()}\n`,
      stderr: "",
    });
    expect(server.chatBodies()).toHaveLength(1);
  });

  it("a plan in plan mode", async () => {
    const { ask, server } = await askPlace({ replies: [say("I will edit a.txt.")] });
    expect(await ask(["Fix the bug.", "--permission-mode", "plan"])).toMatchObject({
      code: 0,
      stdout: "I will edit a.txt.\n",
    });
    expect(server.chatBodies()).toHaveLength(1);
  });
});

describe("standard output", () => {
  it("holds the last answer once, whatever was said before it was asked again", async () => {
    const { ask } = await askPlace({
      replies: [
        say("I have fixed the bug in a.txt."),
        say([], { outputTokens: 40 }),
        call("write_file", { path: "a.txt", content: "x\n" }),
        say("a.txt is fixed."),
      ],
    });
    const { code, stdout } = await ask(["Fix the bug in a.txt.", "--permission-mode", "accept-edits"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "a.txt is fixed.\n" });
  });

  it("holds both parts of an answer that was cut, as one", async () => {
    const { ask } = await askPlace({
      replies: [say("One, two,", { doneReason: "length" }), say(" three.")],
    });
    expect(await ask(["Count."])).toMatchObject({ code: 0, stdout: "One, two, three.\n" });
  });
});

describe("failures that repeat", () => {
  it("are thought over, which is told with its cost, unless the configuration says no", async () => {
    const miss = (index: number) =>
      call("edit_file", { path: "a.txt", old_text: `nowhere ${index}`, new_text: "x" });
    for (const reflection of [true, false]) {
      const { ask, place, server } = await askPlace({
        models: [{ name: "scripted", capabilities: ["completion", "tools", "thinking"] }],
        replies: [miss(0), miss(1), think("Hm.", say("The text is not there."))],
      });
      place.file("a.txt", "one\n");
      place.userConfig({ reflection });
      const { stdout, stderr } = await ask(["Fix a.txt.", "--permission-mode", "accept-edits", ...EVENTS]);
      const codes = eventsOf(readEvents(stdout), "notice").map(({ code }) => code);
      const bodies = server.chatBodies();
      expect(codes).toEqual(reflection ? ["reflection", "reflection-cost"] : []);
      expect(bodies[2]!.think).toBe(reflection);
      expect(bodies[2]!.messages.at(-1)!.content.includes("has failed twice")).toBe(reflection);
      expect(/reflection on edit_file took \d+ tokens and \d/.test(stderr)).toBe(reflection);
    }
  });
});

describe("several calls in one reply", () => {
  it("that are the same do not end the turn before the model has read an answer", async () => {
    const read = call("read_file", { path: "a.txt" });
    const { ask, place } = await askPlace({ replies: [calls(read, read, read, read, read), say("Done.")] });
    place.file("a.txt", "one\n");
    expect(await ask(["What is in a.txt?"])).toMatchObject({ code: 0, stdout: "Done.\n" });
  });
});

function settingsOf({ think, options, tools }: ChatRequest) {
  const { temperature, ...others } = options ?? {};
  return { think, temperature, others, tools };
}

/** Each request begins with the messages of the one before; a reply that was forgotten was never sent. */
function expectGrowing(bodies: readonly ChatRequest[]): void {
  for (const [index, { messages }] of bodies.slice(1).entries()) {
    const before = bodies[index]!.messages;
    expect(messages.slice(0, before.length)).toEqual(before);
    expectValidConversation(messages);
  }
}
