import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf, unitsOf } from "../../../src/cli/editor/draft.js";
import { openPromptHistory } from "../../../src/cli/chat/prompt-history.js";

function place() {
  const stateFolder = mkdtempSync(join(tmpdir(), "mini-cc-history-"));
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }));
  const failures: string[] = [];
  const open = (workspaceRoot = "/project") =>
    openPromptHistory({ stateFolder, workspaceRoot, onFailure: (why) => failures.push(why) });
  const files = () =>
    readdirSync(join(stateFolder, "history")).map((name) => join(stateFolder, "history", name));
  return { stateFolder, open, files, failures };
}

const textsOf = (history: Awaited<ReturnType<typeof openPromptHistory>>) => history.entries().map(textOf);

describe("the history of a workspace", () => {
  it("is there in the next session, the newest first, and only its owner can read it", async () => {
    const { open, files } = place();
    const history = await open();
    for (const text of ["one", "two\nlines", "你好 👍"]) history.add(unitsOf(text));
    await history.saved();
    expect(textsOf(await open())).toEqual(["你好 👍", "two\nlines", "one"]);
    expect(files().map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
  });

  it("belongs to one workspace", async () => {
    const { open } = place();
    const history = await open("/project");
    history.add(unitsOf("here"));
    await history.saved();
    expect(textsOf(await open("/other"))).toEqual([]);
  });

  it("keeps no message twice in a row", async () => {
    const { open, files } = place();
    const history = await open();
    for (const text of ["a", "a", "b", "a"]) history.add(unitsOf(text));
    await history.saved();
    expect(textsOf(history)).toEqual(["a", "b", "a"]);
    expect(readFileSync(files()[0]!, "utf8").trim().split("\n")).toHaveLength(3);
  });

  it("keeps pasted text folded", async () => {
    const { open } = place();
    const history = await open();
    const units = [...unitsOf("see "), { pasted: "a\nb" }, { pasted: "c", label: "[c]" }];
    history.add(units);
    await history.saved();
    expect((await open()).entries()).toEqual([units]);
  });

  it("takes what several sessions add at once, and passes over lines that a crash has cut", async () => {
    const { open, files } = place();
    const sessions = await Promise.all([open(), open(), open()]);
    for (let index = 0; index < 30; index++) {
      sessions.forEach((session, which) => session.add(unitsOf(`${which} ${index} ${"x".repeat(500)}`)));
    }
    await Promise.all(sessions.map((session) => session.saved()));
    appendFileSync(files()[0]!, '["half of a mess');
    const texts = textsOf(await open());
    expect(texts).toHaveLength(90);
    expect(new Set(texts).size).toBe(90);
  });

  it("stays small, loses nothing that is new, and leaves no other file behind", async () => {
    const { open, files } = place();
    const [one, other] = [await open(), await open()];
    for (let index = 0; index < 150; index++) {
      one.add(unitsOf(`one ${index} ${"x".repeat(10_000)}`));
      other.add(unitsOf(`other ${index} ${"x".repeat(10_000)}`));
    }
    await Promise.all([one.saved(), other.saved()]);
    expect(files()).toHaveLength(1);
    expect(statSync(files()[0]!).size).toBeLessThan(1.2 * 1024 * 1024);
    expect(statSync(files()[0]!).mode & 0o777).toBe(0o600);
    const texts = textsOf(await open());
    for (const who of ["one", "other"]) {
      for (let index = 130; index < 150; index++) {
        expect(texts.some((text) => text.startsWith(`${who} ${index} `))).toBe(true);
      }
    }
  });

  it("says once that it cannot be kept, and works within the session", async () => {
    const { stateFolder, open, failures } = place();
    appendFileSync(join(stateFolder, "history"), "a file where the folder should be");
    const history = await open();
    history.add(unitsOf("a"));
    history.add(unitsOf("b"));
    await history.saved();
    expect(textsOf(history)).toEqual(["b", "a"]);
    expect(failures).toHaveLength(1);
  });
});
