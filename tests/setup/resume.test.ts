import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { conversationFrom } from "../../src/agent/conversation.js";
import type { ChatMessage } from "../../src/demo/chat-request.js";
import { toWireMessages } from "../../src/model/wire-messages.js";
import type { SessionRecord } from "../../src/sessions/records.js";
import { createSessionStore } from "../../src/sessions/session-store.js";
import { resumedRecord, resumeSession } from "../../src/setup/resume.js";
import { hashOf } from "../../src/tools/text-file.js";
import { expectValidConversation } from "../agent/setup.js";

const AT = "2026-03-04T05:06:07.000Z";
const SESSION = { type: "session" as const, id: "s", model: "m", cwd: "/w", contextWindow: 1, version: "0" };

const user = (text: string): SessionRecord => ({ type: "user", at: AT, text });
const reply = (text: string, ...calls: { id: string; name: string; args: object }[]): SessionRecord => ({
  type: "assistant",
  text,
  calls: calls.map((call) => ({ ...call, args: { ...call.args } })),
  promptTokens: 1,
  outputTokens: 1,
});
const prepared = (id: string, tool: string, args: object): SessionRecord => ({
  type: "call-prepared",
  id,
  tool,
  args,
});
const started = (id: string, effect: "read" | "change"): SessionRecord => ({
  type: "call-started",
  id,
  effect,
});
const finished = (id: string, more: object = {}): SessionRecord => ({
  type: "call-finished",
  id,
  status: "ok",
  output: `result of ${id}`,
  ...more,
});
const end: SessionRecord = { type: "turn-end", at: AT, outcome: "done" };

function makePlace() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-resume-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const failures: string[] = [];
  const store = createSessionStore({
    folder: join(root, "sessions"),
    workspaceRoot: workspace,
    onFailure: (message) => failures.push(message),
  });
  const file = (name: string, content: string) => {
    writeFileSync(join(workspace, name), content);
    return { path: join(workspace, name), hash: hashOf(Buffer.from(content)) };
  };
  const write = (...records: SessionRecord[]) => {
    const log = store.create();
    for (const record of [{ ...SESSION, v: 1, at: AT }, ...records]) log.append(record);
    log.close();
    return log.id;
  };
  /** Opens the latest session and leaves it, as a program does that tells what it found. */
  const resume = async () => {
    const resumed = await resumeSession(store, (await store.latest()) ?? "", workspace);
    resumed.log.append(resumedRecord(resumed, SESSION));
    resumed.log.close();
    return resumed;
  };
  const pathOf = async (id: string) => (await store.list()).find((one) => one.id === id)?.path ?? "";
  return { workspace, store, failures, file, write, resume, pathOf };
}

const codes = ({ notices }: { notices: { code: string }[] }) => notices.map(({ code }) => code);
const texts = ({ notices }: { notices: { text: string }[] }) => notices.map(({ text }) => text).join("\n");
const wire = (records: readonly SessionRecord[]): ChatMessage[] => [
  { role: "system", content: "" },
  ...(toWireMessages(conversationFrom(records)) as ChatMessage[]),
];

describe("a session that was stopped", () => {
  test("between two turns has nothing to tell", async () => {
    const { write, resume } = makePlace();
    write(user("Hi."), reply("Hello."), end);
    const { notices, note, records } = await resume();
    expect({ notices, note }).toEqual({ notices: [], note: undefined });
    expect(records).toHaveLength(4);
  });

  test("in a command tells that it may have taken effect, once, and the model is told so for good", async () => {
    const { write, resume, store } = makePlace();
    const command = { command: "npm publish" };
    const id = write(
      user("Publish it."),
      reply(
        "",
        { id: "c1", name: "read_file", args: { path: "a" } },
        { id: "c2", name: "bash", args: command },
        { id: "c3", name: "read_file", args: { path: "b" } },
      ),
      prepared("c1", "read_file", { path: "a" }),
      started("c1", "read"),
      finished("c1"),
      prepared("c2", "run_command", command),
      started("c2", "change"),
    );
    const first = await resume();
    expect(codes(first)).toEqual(["call-unknown"]);
    expect(texts(first)).toMatch(/run_command \(npm publish\): it may have taken effect; check before/);
    const messages = wire(first.records);
    expectValidConversation(messages);
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      "result of c1",
      expect.stringContaining("may have taken effect. Check before doing it again") as string,
      expect.stringContaining("Not run") as string,
    ]);
    const { records } = await store.read(id);
    expect(records.slice(-4)).toMatchObject([
      { type: "call-finished", id: "c2", status: "unknown" },
      { type: "call-finished", id: "c3", status: "cancelled" },
      { type: "turn-end", outcome: "failed", error: { code: "interrupted" } },
      { type: "resumed" },
    ]);
    const second = await resume();
    expect(second.notices).toEqual([]);
    expect(wire(second.records)).toEqual(messages);
  });

  test.each([
    ["before the first word", [user("Go.")]],
    [
      "while the model wrote after a call",
      [user("Go."), reply("", { id: "c", name: "t", args: {} }), finished("c")],
    ],
    ["while it read", [user("Go."), reply("", { id: "c", name: "t", args: {} }), started("c", "read")]],
  ])("%s tells that the turn did not end, once", async (_, records) => {
    const { write, resume } = makePlace();
    write(user("Before."), reply("Yes."), end, ...records);
    const first = await resume();
    expect(codes(first)).toEqual(["turn-interrupted"]);
    expectValidConversation([...wire(first.records), { role: "user", content: "Go on." }]);
    expect(await resume()).toMatchObject({ notices: [] });
  });
});

describe("files that the model knows", () => {
  const readBy = (...files: object[]) => [
    user("Read."),
    reply("", { id: "c1", name: "read_file", args: {} }),
    finished("c1", { files }),
    reply("Done."),
    end,
  ];

  test("and that changed meanwhile are told to the user at once and to the model with the next prompt", async () => {
    const { workspace, file, write, resume, store } = makePlace();
    const [a, b, c] = [file("a.ts", "1"), file("b.ts", "1"), file("c.ts", "1")];
    const id = write(...readBy(a, b, c));
    file("a.ts", "2");
    rmSync(b.path);
    const { notices, note, memory } = await resume();
    expect(notices).toMatchObject([
      { code: "files-changed", text: "since then a.ts has changed; b.ts is gone" },
    ]);
    expect(note?.text).toContain("a.ts has changed; b.ts is gone. Read them again");
    expect(memory.compare(c.path, c.hash)).toBe("as-seen");
    expect(memory.compare(a.path, hashOf(Buffer.from("2")))).toBe("changed");
    expect(memory.compare(join(workspace, "d.ts"), "x")).toBe("unread");

    // Told with a prompt, it is not told again; a further change is.
    const log = await store.reopen(id);
    log.append({ type: "user", at: AT, text: "Go on.", note: note!.text, files: note!.files });
    log.append(reply("Yes."));
    log.append(end);
    log.close();
    expect(await resume()).toMatchObject({ notices: [], note: undefined });
    file("b.ts", "back");
    const again = await resume();
    expect(again.note?.text).toContain("b.ts has changed");
    expect(again.memory.compare(a.path, hashOf(Buffer.from("2")))).toBe("changed");
  });

  test("are compared with what was seen last, also if the model itself wrote it", async () => {
    const { file, write, resume } = makePlace();
    const before = file("a.ts", "1");
    const after = file("a.ts", "2");
    write(...readBy(before), ...readBy(after));
    expect(await resume()).toMatchObject({ notices: [], note: undefined });
  });

  test("are named up to twenty", async () => {
    const { file, write, resume } = makePlace();
    const files = Array.from({ length: 30 }, (_, index) => file(`${index}.ts`, "1"));
    write(...readBy(...files));
    for (const { path } of files) writeFileSync(path, "2");
    expect((await resume()).note?.text).toMatch(/19\.ts and 10 more have changed\./);
  });
});

describe("a file of a session", () => {
  test("with lines that cannot be read, or of a newer version, says so once", async () => {
    const { write, resume, pathOf } = makePlace();
    const path = await pathOf(write(user("Hi."), reply("Hello."), end));
    appendFileSync(path, '{"type":"novelty"}\n{"type":"us');
    expect(codes(await resume())).toEqual(["session-damaged", "session-newer"]);
    expect(codes(await resume())).toEqual([]);
    appendFileSync(path, "oops\n{}\n");
    const again = await resume();
    expect(codes(again)).toEqual(["session-damaged"]);
    expect(texts(again)).toContain("2 lines");
    expect(readFileSync(path, "utf8")).toContain('{"type":"novelty"}\n{"type":"us\n');
  });

  const TURNS: SessionRecord[] = [
    user("One\u2028."),
    reply("", { id: "c1", name: "t", args: { x: "\ud83d" } }, { id: "c2", name: "t", args: {} }),
    prepared("c1", "t", {}),
    started("c1", "change"),
    finished("c1", { files: [{ path: "/nowhere/a", hash: null }] }),
    finished("c2"),
    reply("Done."),
    end,
    user("Two."),
    { ...(reply("Half") as object), cut: "cut off" } as SessionRecord,
    { type: "turn-end", at: AT, outcome: "cancelled" },
    {
      type: "compaction",
      at: AT,
      tokensBefore: 2,
      tokensAfter: 1,
      messages: [{ role: "user", text: "One." }],
    },
    user("Three."),
    reply("", { id: "c3", name: "t", args: {} }),
    started("c3", "change"),
    finished("c3"),
    reply("Done."),
    end,
  ];

  test("opens wherever it ends, with all turns before, and goes on", async () => {
    const { write, resume, pathOf, store } = makePlace();
    const id = write(...TURNS);
    const path = await pathOf(id);
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (size) => {
        writeFileSync(path, whole.subarray(0, size));
        const { records } = await resume();
        expectValidConversation(wire(records));
        const log = await store.reopen(id);
        log.append(user("Go on."));
        log.close();
        const after = await store.read(id);
        expectValidConversation([...wire(records), { role: "user", content: "Go on." }]);
        expect(after.records.at(-1)).toEqual(user("Go on."));
        const prompts = whole.subarray(0, size).toString("utf8").split("\n").slice(0, -1);
        const before = prompts.filter((line) => line.startsWith('{"type":"user"')).length;
        expect(after.records.filter(({ type }) => type === "user").length).toBeGreaterThanOrEqual(before + 1);
      }),
      { numRuns: 150, seed: 3 },
    );
  });

  test("opens with any one line damaged", async () => {
    const { write, resume, pathOf } = makePlace();
    const path = await pathOf(write(...TURNS));
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    await fc.assert(
      fc.asyncProperty(
        fc.nat(lines.length - 1),
        fc.oneof(
          fc.constantFrom("", "{}", "null", "\u0000\u0000", "[", '{"type":"user"}'),
          fc.string({ unit: "binary" }),
        ),
        async (index, damage) => {
          writeFileSync(path, `${lines.with(index, damage.replaceAll("\n", " ")).join("\n")}\n`);
          const { records } = await resume();
          expectValidConversation(wire(records));
          const prompts = records.filter(({ type }) => type === "user").length;
          expect(prompts).toBe(lines[index]!.startsWith('{"type":"user"') ? 2 : 3);
        },
      ),
      { numRuns: 150, seed: 4 },
    );
  });

  test("of 20 MB with lines of 5 MB comes back exactly", async () => {
    const { write, resume, pathOf } = makePlace();
    const odd = "0123456789 äöü \u2028\u2029\u0085\ud83d\u0000\n".repeat(160_000);
    const turns = [0, 1, 2].flatMap((index) => [user(`${index} ${odd}`), reply(odd.slice(index)), end]);
    const path = await pathOf(write(...turns));
    expect(readFileSync(path).length).toBeGreaterThan(20_000_000);
    const { records } = await resume();
    expect(records.slice(1).map((record) => ("text" in record ? record.text : ""))).toEqual(
      turns.map((record) => ("text" in record ? record.text : "")),
    );
  });
});
