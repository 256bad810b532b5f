import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { say } from "../../src/demo/reply.js";
import type { SessionRecord } from "../../src/sessions/records.js";
import { createPlace } from "../helpers/run-cli.js";
import { askPlace } from "./ask-setup.js";
import { AT, end, reply, saveSession, storeOf, user } from "./saved-sessions.js";

const EVIL = "\x1b]0;title\x07\x1b[31mred\u202e";

/** A session with a bit of everything. */
const WORK: SessionRecord[] = [
  user(`Raise the retry limit\nin client.ts ${EVIL}`),
  reply(
    "I run the tests.",
    { id: "c1", name: "run_command", args: { command: `npm test ${EVIL}` } },
    { id: "c2", name: "edit_file", args: { path: "client.ts", old_text: "3\n", new_text: "```5\n" } },
    { id: "c3", name: "run_command", args: { command: "git push" } },
  ),
  { type: "call-started", id: "c1", effect: "change" },
  {
    type: "call-finished",
    id: "c1",
    status: "ok",
    output: `${"line\n".repeat(30)}1 failed ${EVIL}`,
    command: { command: "npm test", exitCode: 1 },
  },
  { type: "permission", id: "c2", verdict: "deny", by: "user", because: "leave that file alone" },
  { type: "call-finished", id: "c2", status: "denied", output: "no" },
  { type: "call-started", id: "c3", effect: "change" },
  reply("useless"),
  { type: "retried", because: "empty" },
  reply("The limit is 3."),
  end,
  { type: "compaction", at: AT, tokensBefore: 2000, tokensAfter: 100, messages: [] },
  user("数据库连接失败，为什么？"),
  { ...reply("Because"), cut: "cut off: cancelled by the user" } as SessionRecord,
  { type: "turn-end", at: AT, outcome: "cancelled" },
];

const listed = z.object({
  sessions: z.array(
    z.looseObject({
      id: z.string(),
      turns: z.number(),
      cwd: z.string(),
      inUse: z.boolean(),
      bytes: z.number(),
    }),
  ),
});

describe("mini-cc sessions", () => {
  it("lists those of this folder with title, age, model, turns and size, the one used last first", async () => {
    const place = createPlace();
    const first = saveSession(place, [user("Explain the parser."), end]);
    const second = saveSession(place, [...WORK, { type: "title", at: AT, text: "Retry limits" }]);
    saveSession(place, [user("Elsewhere.")], join(place.home, "other"));
    for (const args of [["sessions"], ["sessions", "list"]]) {
      const { code, stdout, stderr } = await place.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const [head, ...rows] = stdout.trimEnd().split("\n");
      expect(head).toMatch(/^ID +USED +TURNS +SIZE +MODEL +TITLE$/);
      expect(rows).toEqual([
        expect.stringMatching(new RegExp(`^${second} +just now +2 +\\d+ kB +qwen3:8b +Retry limits$`)),
        expect.stringMatching(
          new RegExp(`^${first} +just now +1 +\\d+ kB +qwen3:8b +Explain the parser\\.$`),
        ),
      ]);
    }
  });

  it("lists those of every folder with --all, and as JSON", async () => {
    const place = createPlace();
    const elsewhere = join(place.home, "other");
    const ids = [saveSession(place, WORK), saveSession(place, [user("Elsewhere.")], elsewhere)];
    const { stdout } = await place.run(["sessions", "--all"]);
    for (const text of [...ids, place.workspace, elsewhere]) expect(stdout).toContain(text);
    const json = await place.run(["sessions", "list", "--all", "--json"]);
    const { sessions } = listed.parse(JSON.parse(json.stdout));
    expect(sessions.map(({ id, turns, cwd }) => ({ id, turns, cwd })).reverse()).toEqual([
      { id: ids[0], turns: 2, cwd: place.workspace },
      { id: ids[1], turns: 1, cwd: elsewhere },
    ]);
  });

  it("says so where there are none", async () => {
    const place = createPlace();
    expect(await place.run(["sessions"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("--all") as string,
    });
    expect(JSON.parse((await place.run(["sessions", "--json"])).stdout)).toEqual({ sessions: [] });
  });

  it.each([
    [["sessions", "show"]],
    [["sessions", "show", "x", "y"]],
    [["sessions", "search"]],
    [["sessions", "search", "x", "--limit", "0"]],
    [["sessions", "export", "x", "--format", "pdf"]],
    [["sessions", "shw"]],
    [["sessions", "delete"]],
  ])("refuses a mistake with exit 2: %j", async (args) => {
    const { code, stdout, stderr } = await createPlace().run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("mini-cc");
  });

  it.each(["show", "export", "delete"])(
    "%s names what to do if there is no such session, or several",
    async (part) => {
      const place = createPlace();
      const missing = await place.run(
        ["sessions", part, "nothing", "--yes"].slice(0, part === "delete" ? 4 : 3),
      );
      expect(missing).toMatchObject({ code: 2, stdout: "" });
      expect(missing.stderr).toContain("mini-cc sessions --all");
      const ids = [saveSession(place, WORK), saveSession(place, WORK)];
      const several = await place.run(["sessions", part, "2", "--yes"].slice(0, part === "delete" ? 4 : 3));
      expect(several).toMatchObject({ code: 2, stdout: "" });
      for (const id of ids) expect(several.stderr).toContain(id);
      expect((await storeOf(place).files()).length).toBe(2);
    },
  );
});

describe("mini-cc sessions show", () => {
  it("prints plainly without a terminal: turns, answers, calls with their ends, nothing that was asked again", async () => {
    const place = createPlace({ PAGER: "false" });
    const id = saveSession(place, WORK);
    const { code, stdout, stderr } = await place.run(["sessions", "show", id.slice(0, 12)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toMatch(/\x1b|\x07|\u202e|useless/);
    for (const text of [
      "› Raise the retry limit\n  in client.ts red",
      "✓ $ npm test red  exit code 1",
      "more lines",
      "✗ edit client.ts  denied: leave that file alone",
      "✗ $ git push  started, but not finished",
      "The limit is 3.",
      "2,000 tokens became 100",
      "› 数据库连接失败，为什么？",
      "[cut off: cancelled by the user]",
      "stopped by the user",
    ]) {
      expect(stdout).toContain(text);
    }
  });

  it("shows what can be read of a damaged file, and says what could not", async () => {
    const place = createPlace();
    const id = saveSession(place, WORK);
    const [file] = await storeOf(place).files();
    appendFileSync(file?.path ?? "", '{"type":"novelty"}\nhalf a li');
    const { stdout } = await place.run(["sessions", "show", id]);
    expect(stdout).toContain("The limit is 3.");
    expect(stdout).toMatch(/1 damaged line left out\n1 record of a newer version left out/);
  });

  it("is quiet if its reader goes away", async () => {
    const place = createPlace();
    const id = saveSession(place, [user("Count."), reply("line\n".repeat(500_000)), end]);
    const running = place.start(["sessions", "show", id]);
    await running.waitForOutput("session");
    running.child.stdout?.destroy();
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("finds a session of another folder only with --all", async () => {
    const place = createPlace();
    const id = saveSession(place, WORK, join(place.home, "other"));
    expect(await place.run(["sessions", "show", id])).toMatchObject({ code: 2 });
    expect(await place.run(["sessions", "show", id, "--all"])).toMatchObject({ code: 0 });
  });
});

describe("mini-cc sessions export", () => {
  it("prints Markdown with everything, fenced so that no content ends its block", async () => {
    const place = createPlace();
    const id = saveSession(place, [...WORK, { type: "title", at: AT, text: "Retry limits" }]);
    const { code, stdout, stderr } = await place.run(["sessions", "export", id]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^# Retry limits\n/);
    expect(stdout).toContain("> Raise the retry limit\n> in client.ts red");
    expect(stdout).toContain("line\n".repeat(30));
    expect(stdout).toContain("````\n```5\n````");
    expect(stdout).toContain("## Turn 2");
    expect(stdout).not.toMatch(/\x1b|\u202e/);
  });

  it("prints JSON with the texts as they were", async () => {
    const place = createPlace();
    const id = saveSession(place, WORK);
    const { stdout } = await place.run(["sessions", "export", id, "--format", "json"]);
    expect(stdout).not.toMatch(/\x1b|\u202e/);
    const exported: unknown = JSON.parse(stdout);
    expect(exported).toMatchObject({
      id,
      cwd: place.workspace,
      model: "qwen3:8b",
      turns: [
        {
          number: 1,
          prompt: `Raise the retry limit\nin client.ts ${EVIL}`,
          outcome: "done",
          entries: [
            { kind: "reply", text: "I run the tests." },
            { kind: "call", tool: "run_command", status: "ok", command: { exitCode: 1 } },
            { kind: "call", tool: "edit_file", status: "denied" },
            { kind: "call", status: "unfinished" },
            { kind: "reply", text: "The limit is 3." },
            { kind: "compaction" },
          ],
        },
        { number: 2, outcome: "cancelled" },
      ],
    });
  });

  it("writes to a file and says so on standard error alone", async () => {
    const place = createPlace();
    const id = saveSession(place, WORK);
    const path = place.file("out.md", "old");
    const { code, stdout, stderr } = await place.run(["sessions", "export", id, "-o", "out.md"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(path);
    expect(place.text("out.md")).toMatch(/^# Raise the retry limit/);
    const failed = await place.run(["sessions", "export", id, "-o", "missing/out.md"]);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toContain(join("missing", "out.md"));
  });
});

describe("mini-cc sessions search", () => {
  it("shows session, turn and excerpt of each turn that holds all words, the newest first", async () => {
    const place = createPlace();
    const first = saveSession(place, WORK);
    const second = saveSession(place, [user("No limit here."), end, user("A RETRY without limits."), end]);
    saveSession(place, [user("retry limit elsewhere")], join(place.home, "other"));
    const { code, stdout, stderr } = await place.run(["sessions", "search", "retry", "LIMIT"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringContaining(second),
      "  Turn 2, prompt: A RETRY without limits.",
      expect.stringContaining(first),
      expect.stringMatching(/^ {2}Turn 1, prompt: Raise the retry limit in client\.ts red$/),
    ]);
    const all = await place.run(["sessions", "search", "retry limit", "--all"]);
    expect(all.stdout).toContain("retry limit elsewhere");
  });

  it("finds Chinese text without blanks, and gives offsets of the words as JSON", async () => {
    const place = createPlace();
    const id = saveSession(place, WORK);
    const { stdout } = await place.run(["sessions", "search", "连接失败", "--json"]);
    const { hits } = z
      .object({
        hits: z.array(z.looseObject({ excerpt: z.string(), marks: z.array(z.tuple([z.int(), z.int()])) })),
      })
      .parse(JSON.parse(stdout));
    expect(hits).toMatchObject([{ session: id, turn: 2, place: "prompt" }]);
    expect(hits[0]?.marks.map(([from, to]) => hits[0]?.excerpt.slice(from, to))).toEqual(["连接失败"]);
  });

  it("stops at the limit and says so; without a hit it says that", async () => {
    const place = createPlace();
    saveSession(
      place,
      [1, 2, 3].map((number) => user(`needle ${number}`)),
    );
    const { stdout, stderr } = await place.run(["sessions", "search", "needle", "-n", "2"]);
    expect(stdout.match(/Turn \d/g)).toEqual(["Turn 3", "Turn 2"]);
    expect(stderr).toContain("--limit");
    const none = await place.run(["sessions", "search", "absent", "words"]);
    expect(none).toMatchObject({ code: 0, stdout: "" });
    expect(none.stderr).toContain("absent words");
  });
});

describe("mini-cc sessions delete", () => {
  it("needs --yes where nobody can be asked, and then deletes that one alone", async () => {
    const place = createPlace();
    const [id, other] = [saveSession(place, WORK), saveSession(place, WORK)];
    const refused = await place.run(["sessions", "delete", id], { stdin: "y\n" });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--yes");
    expect(await place.run(["sessions", "delete", id, "--yes"])).toMatchObject({ code: 0, stderr: "" });
    expect((await storeOf(place).files()).map((file) => file.id)).toEqual([other]);
  });

  it("deletes what was recorded of its requests, too", async () => {
    const { ask, place } = await askPlace({ replies: [say("Hello.")] });
    const { stdout } = await ask(["hi", "--debug", "--output-format", "json"]);
    const { id } = JSON.parse(stdout) as { id: string };
    const record = join(place.state, "debug", `${id}.jsonl`);
    expect(existsSync(record)).toBe(true);
    await place.run(["sessions", "delete", id, "--yes"], { cwd: place.workspace });
    expect(existsSync(record)).toBe(false);
  });

  it("leaves a session alone that a process is writing", async () => {
    const place = createPlace();
    const id = saveSession(place, WORK);
    const log = await storeOf(place).reopen(id);
    const { code, stdout, stderr } = await place.run(["sessions", "delete", id, "--yes"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`in use by process ${process.pid}`);
    expect((await place.run(["sessions"])).stdout).toContain(`(in use by process ${process.pid})`);
    log.close();
    const [file] = await storeOf(place).files();
    expect(readFileSync(file?.path ?? "", "utf8")).toContain("Raise");
    await place.run(["sessions", "delete", id, "--yes"]);
    expect(existsSync(file?.path ?? "")).toBe(false);
  });
});
