import { describe, expect, it } from "vitest";
import { createPlace } from "../helpers/run-cli.js";
import { runInTerminal } from "../helpers/terminal.js";
import { end, reply, saveSession, storeOf, user } from "./saved-sessions.js";

const AT_QUESTION = /\n {2}\[n\]$/;
const LONG = [
  user("Count."),
  reply(Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n")),
  end,
];

describe("mini-cc sessions on a terminal", () => {
  it("show goes through $PAGER, which may end before it has read all", async () => {
    const place = createPlace();
    const id = saveSession(place, LONG);
    const terminal = runInTerminal(place, ["sessions", "show", id], {
      env: { PAGER: "head -n 9; echo the end" },
    });
    const { code, before, after } = await terminal.ended;
    expect(code).toBe(0);
    expect(after).toBe(before);
    expect(terminal.text()).toMatch(/session \S+\n[^]*› Count\.\nthe end$/);
  });

  it.each([["no-such-pager-at-all"], [""], ["cat"]])("show prints plainly with PAGER=%j", async (PAGER) => {
    const place = createPlace();
    const id = saveSession(place, LONG);
    const terminal = runInTerminal(place, ["sessions", "show", id], { env: { PAGER } });
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text()).toContain("line 199");
  });

  it("list keeps each session on one line of the terminal", async () => {
    const place = createPlace();
    saveSession(place, [user(`A very long prompt ${"that goes on ".repeat(20)}`)]);
    const terminal = runInTerminal(place, ["sessions"], { columns: 70 });
    expect((await terminal.ended).code).toBe(0);
    const lines = terminal.text().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/A very l.*…$/);
  });

  it("list says which session is in use, however narrow the terminal", async () => {
    const place = createPlace();
    const id = saveSession(place, [user(`A very long prompt ${"that goes on ".repeat(20)}`)]);
    const log = await storeOf(place).reopen(id);
    const terminal = runInTerminal(place, ["sessions"], { columns: 90 });
    expect((await terminal.ended).code).toBe(0);
    log.close();
    expect(terminal.text()).toContain(`(in use by process ${process.pid}) A v`);
  });

  it("search marks the words", async () => {
    const place = createPlace();
    saveSession(place, [user("Raise the retry limit."), end]);
    const terminal = runInTerminal(place, ["sessions", "search", "retry"]);
    await terminal.ended;
    expect(terminal.written()).toMatch(/the \x1b\[33m\x1b\[1mretry\x1b\[22m\x1b\[39m limit/);
    const plain = runInTerminal(place, ["sessions", "search", "retry", "--no-color"]);
    await plain.ended;
    expect(plain.written()).not.toContain("\x1b[");
  });

  it("delete asks, and deletes on yes alone", async () => {
    const place = createPlace();
    const id = saveSession(place, [user("Precious."), end]);
    for (const [key, code, left] of [
      ["n", 0, 1],
      ["\r", 0, 1],
      ["\x03", 130, 1],
      ["y", 0, 0],
    ] as const) {
      const terminal = runInTerminal(place, ["sessions", "delete", id.slice(0, 10)]);
      await terminal.waitFor(AT_QUESTION);
      expect(terminal.text()).toContain("Precious.");
      terminal.type(key);
      expect((await terminal.ended).code, JSON.stringify(key)).toBe(code);
      expect(await storeOf(place).files(), JSON.stringify(key)).toHaveLength(left);
    }
  });
});
