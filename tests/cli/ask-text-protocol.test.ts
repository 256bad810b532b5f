import { describe, expect, it } from "vitest";
import { call, fail, say, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import type { ScriptedModel } from "../../src/demo/scripted-models.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { eventsOf, readEvents, readResult } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

const EVENTS = ["--output-format", "stream-json"];
const PLAIN: ScriptedModel = { name: "scripted", capabilities: ["completion"] };
const END = say("Done.");
const LOST = say([], { outputTokens: 40 });

const READ = say('I look.\n\n<call tool="read_file">\npath: notes.txt\n</call>');

interface WireMessage {
  role: string;
  content: string;
  [key: string]: unknown;
}

function messagesOf(server: ScriptedOllama, index = -1): WireMessage[] {
  return (server.chatBodies().at(index)?.messages ?? []) as unknown as WireMessage[];
}

/** The requests as they came: without tools, nobody speaks twice in a row, and each begins with the one before. */
function expectTextRequests(server: ScriptedOllama, from = 0): void {
  const texts = server.requests.filter(({ path }) => path === "/api/chat").map(({ text }) => text);
  for (const body of server.chatBodies().slice(from)) {
    expect(body).not.toHaveProperty("tools");
    const messages = body.messages as unknown as WireMessage[];
    messages.forEach((message, index) => {
      expect(Object.keys(message).sort()).toEqual(["content", "role"]);
      expect(message.role).toBe(index === 0 ? "system" : index % 2 === 1 ? "user" : "assistant");
    });
  }
  const inText = texts.slice(from);
  inText.slice(1).forEach((text, index) => {
    const before = inText[index]!.replace(/"\}\]\}$/, "");
    expect(text.startsWith(before)).toBe(true);
  });
}

describe("a model without tools", () => {
  it("does a whole task: finds, reads, edits, writes, runs a test, answers", async () => {
    const page = '<p class="x">"a" \\ b</p>\n<content>\n</content>\n```\n$&\n';
    const { ask, place, server } = await askPlace({
      models: [PLAIN],
      replies: [
        say('<call tool="search_code">\npattern: a - b\n</call>\n<call tool="list_files">\npath: .\n</call>'),
        say(
          '<think>\nI could call <call tool="run_command">command: touch wrong</call>.\n</think>\n\nI read it.\n<call tool="read_file">\npath: sum.mjs\n</call>',
        ),
        say(
          'I mend it.\n\n<call tool="edit_file">\npath: sum.mjs\n<old_text>\n  return a - b;\n</old_text>\n<new_text>\n  return a + b;\n</new_text>\n</call>',
        ),
        say(
          `<call tool="write_file">\npath: page.html\n<content>\n${page}</content>\n</call>\n\n<tool_response>\nCreated.\n</tool_response>\nAll is done.`,
        ),
        say('<call tool="run_command">\n<command>\nnode check.mjs && \\\n  echo "fine"\n</command>\n</call>'),
        say("The sum is right now."),
      ],
    });
    const source = "export function sum(a, b) {\n  return a - b;\n}\n";
    place.file("sum.mjs", source);
    place.file("check.mjs", 'import { sum } from "./sum.mjs";\nprocess.exit(sum(2, 2) === 4 ? 0 : 7);\n');
    const { code, stdout } = await ask([
      "mend the sum",
      "--permission-mode=accept-edits",
      "--allow=node check.mjs",
      "--allow=echo",
      ...EVENTS,
    ]);
    expect(code).toBe(0);
    expect(place.text("sum.mjs")).toBe(source.replace("-", "+"));
    expect(place.text("page.html")).toBe(page);

    const events = readEvents(stdout);
    expect(events.at(-1)).toMatchObject({
      outcome: "done",
      text: "The sum is right now.",
      changedFiles: ["sum.mjs", "page.html"],
      commands: [{ exitCode: 0 }],
    });
    const forms = eventsOf(events, "model-end").map(({ recovered }) => recovered);
    expect(forms).toEqual([...Array<string>(5).fill("text-protocol"), undefined]);
    const said = eventsOf(events, "text-delta").map(({ text }) => text);
    expect(said.join("")).not.toMatch(/<call|tool_response|All is done/);
    expect(eventsOf(events, "notice")).toMatchObject([
      { code: "text-protocol", text: expect.stringContaining("does not support tools") as string },
    ]);

    expectTextRequests(server);
    const [system, user, first, results] = messagesOf(server);
    expect(system?.content).toMatch(/<call tool="edit_file">[^]*\nrun_command: /);
    expect(user?.content).toContain("mend the sum");
    expect(first?.content).toBe(
      '<call tool="search_code">\npattern: a - b\n</call>\n<call tool="list_files">\npath: .\n</call>',
    );
    // The results of one reply are one message.
    expect(results?.content).toMatch(
      /^<tool_response>\nsearch_code:\n[^]*sum\.mjs[^]*<\/tool_response>\n\n<tool_response>\nlist_files:\n[^]*<\/tool_response>$/,
    );
  });

  it("is asked in the same words in the next session, and by --protocol text", async () => {
    const { ask, place, server } = await askPlace({
      models: [PLAIN, { name: "able" }],
      replies: (_request, index) => [READ, END][index % 2]!,
    });
    place.file("notes.txt", "hello\n");
    await ask(["go", "-m", "scripted"]);
    await ask(["go", "-m", "able", "--protocol", "text"]);
    const [first, , second] = server.chatBodies();
    expect(second?.messages).toEqual(first?.messages);
    expect(second).not.toHaveProperty("tools");
    place.userConfig({ protocol: "text" });
    expect((await ask(["go", "-m", "able"])).code).toBe(0);
    expect(server.chatBodies().at(-1)).not.toHaveProperty("tools");
  });

  it("is chosen behind all that have tools", async () => {
    const { ask } = await askPlace({
      models: [
        { ...PLAIN, name: "plain:9b", size: 900 },
        { name: "able:3b", size: 300 },
      ],
      replies: () => END,
    });
    expect(readResult((await ask(["hi", "--output-format", "json"])).stdout).model).toBe("able:3b");
  });

  it("makes no call that breaks off, and is told to write less", async () => {
    const cut = say('<call tool="write_file">\npath: a.txt\n<content>\nhalf a', { doneReason: "length" });
    const { ask, place, server } = await askPlace({ models: [PLAIN], replies: [cut, END] });
    const { code, stdout } = await ask(["go", "--permission-mode", "accept-edits", ...EVENTS]);
    expect(code).toBe(0);
    expect(() => place.text("a.txt")).toThrow();
    expect(eventsOf(readEvents(stdout), "notice")).toMatchObject([
      { code: "text-protocol" },
      { code: "reply-truncated-call" },
    ]);
    expect(server.chatBodies()).toHaveLength(2);
  });

  it("is told that a call in a code fence was not run, and makes it", async () => {
    const prose = "The notes say it all. They are short. I would read them. Then I would answer.";
    const shown = say(`${prose}\n\n\`\`\`\n<call tool="read_file">\npath: notes.txt\n</call>\n\`\`\``);
    const { ask, place, server } = await askPlace({ models: [PLAIN], replies: [shown, READ, END] });
    place.file("notes.txt", "hello\n");
    expect(await ask(["go"])).toMatchObject({ code: 0 });
    expect(messagesOf(server, 1).at(-1)?.content).toMatch(/^read_file was not run, since .* code fence/);
    expect(messagesOf(server).at(-1)?.content).toContain("hello");
    expectTextRequests(server);
  });

  it("goes on with a saved session, in which the calls stand as real ones", async () => {
    const { ask, place, server } = await askPlace({
      models: [PLAIN],
      replies: (_request, index) => [READ, END][index % 2]!,
    });
    place.file("notes.txt", "hello\n");
    await ask(["first"]);
    expect((await ask(["second", "-c"])).code).toBe(0);
    expect(messagesOf(server)[2]?.content).toBe(
      'I look.\n\n<call tool="read_file">\npath: notes.txt\n</call>',
    );
    expectTextRequests(server);
  });

  it("has what stands in its thinking field never run", async () => {
    const { ask, place } = await askPlace({
      models: [{ ...PLAIN, capabilities: ["completion", "thinking"] }],
      replies: [
        think('<call tool="write_file">\npath: a.txt\n<content>\na\n</content>\n</call>', say("No need.")),
      ],
    });
    const { code, stdout } = await ask(["go", "--think", "on", "--permission-mode", "accept-edits"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "No need.\n" });
    expect(() => place.text("a.txt")).toThrow();
  });
});

describe("calls travel as text from here on", () => {
  const turned = { code: "text-protocol", level: "warning" };

  it("if the server refuses tools, though it did not say so before", async () => {
    const refusing = (then: readonly Reply[]) => {
      let next = 0;
      return (request: { tools?: unknown }) =>
        request.tools === undefined
          ? then[next++]!
          : fail(400, "registry.ollama.ai/library/scripted does not support tools");
    };
    const { ask, place, server } = await askPlace({ replies: refusing([READ, END]) });
    place.file("notes.txt", "hello\n");
    const { code, stdout } = await ask(["go", ...EVENTS]);
    expect(code).toBe(0);
    expect(eventsOf(readEvents(stdout), "notice")).toMatchObject([turned]);
    expect(server.chatBodies()).toHaveLength(3);
    expectTextRequests(server, 1);

    const native = await askPlace({ replies: refusing([READ, END]) });
    const refused = await native.ask(["go", "--protocol", "native", "--output-format", "json"]);
    expect(refused.code).toBe(3);
    expect(readResult(refused.stdout).error).toMatchObject({
      code: "no-tools",
      hint: expect.stringMatching(/leave out --protocol native/i) as string,
    });
    expect(native.server.chatBodies()).toHaveLength(1);
  });

  it("if a call is swallowed twice, and the turn goes on", async () => {
    const { ask, place, server } = await askPlace({
      replies: [call("list_files", { path: "." }), LOST, LOST, READ, END, END],
    });
    place.file("notes.txt", "hello\n");
    const { code, stdout } = await ask(["go", ...EVENTS]);
    expect(code).toBe(0);
    const notices = eventsOf(readEvents(stdout), "notice");
    expect(notices).toMatchObject([{ code: "reply-swallowed-call" }, turned]);
    expect(server.chatBodies().map((body) => body.tools !== undefined)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expectTextRequests(server, 3);
    expect(messagesOf(server)[2]?.content).toBe('<call tool="list_files">\npath: .\n</call>');
    expect(messagesOf(server, 3).at(-1)?.content).toContain("<call tool=");

    // A session that goes on remembers it.
    const again = await ask(["more", "-c", ...EVENTS]);
    expect(again.code).toBe(0);
    expect(eventsOf(readEvents(again.stdout), "notice")).toMatchObject([turned]);
    expectTextRequests(server, 3);
    const native = await ask(["more", "-c", "--protocol", "native"]);
    expect(native.code).toBe(1);
    expect(server.chatBodies().at(-1)?.tools).toBeDefined();
  });

  it("never with --protocol native", async () => {
    const { ask, server } = await askPlace({ replies: () => LOST });
    expect((await ask(["go", "--protocol", "native"])).code).toBe(1);
    for (const body of server.chatBodies()) expect(body.tools).toBeDefined();
  });

  it("if the server could not read three calls", async () => {
    const unreadable = fail(500, "XML syntax error on line 3: element <parameter> closed by </function>");
    const { ask, place, server } = await askPlace({
      replies: [unreadable, unreadable, unreadable, READ, END],
    });
    place.file("notes.txt", "hello\n");
    const { code, stdout } = await ask(["go", ...EVENTS]);
    expect(code).toBe(0);
    expect(eventsOf(readEvents(stdout), "notice").at(-1)).toMatchObject(turned);
    expectTextRequests(server, 3);
  });

  it("not because calls arrived as text and were read", async () => {
    const leaked = (path: string) => say(`{"name": "read_file", "arguments": {"path": "${path}"}}`);
    const { ask, server } = await askPlace({ replies: [...Array.from("abcde", leaked), END] });
    const { stdout } = await ask(["go", ...EVENTS]);
    expect(eventsOf(readEvents(stdout), "notice")).toEqual([]);
    for (const body of server.chatBodies()) expect(body.tools).toBeDefined();
  });
});

describe("a model that the server takes for a thinking one", () => {
  it("and then refuses to let think is asked again without, once, also in the next request", async () => {
    const { ask, server } = await askPlace({
      models: [{ ...PLAIN, capabilities: ["completion", "tools", "thinking"] }],
      replies: (request, index) =>
        request.think === true
          ? fail(400, '"scripted" does not support thinking')
          : [END, call("list_files", { path: "." }), END][index]!,
    });
    const { code, stdout } = await ask(["go", "--think", "on", ...EVENTS]);
    expect(code).toBe(0);
    expect(eventsOf(readEvents(stdout), "notice")).toMatchObject([{ code: "no-thinking" }]);
    expect(server.chatBodies().map((body) => body.think)).toEqual([true, undefined, undefined]);
  });
});
