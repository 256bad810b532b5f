import { describe, expect, it } from "vitest";
import { asciiMessages } from "../../src/cli/messages/ascii.js";
import { en } from "../../src/cli/messages/en.js";
import { titleOf } from "../../src/cli/commands/saved-session.js";
import { hasUnicode } from "../../src/cli/unicode.js";
import { createPlace } from "../helpers/run-cli.js";

describe("whether a terminal shows more than ASCII", () => {
  it.each<[string, Record<string, string>, boolean]>([
    ["no locale says anything", {}, true],
    ["the locale is UTF-8", { LANG: "en_GB.UTF-8" }, true],
    ["the locale is C.utf8", { LC_ALL: "C.utf8" }, true],
    ["the encoding has a modifier", { LANG: "de_DE.UTF-8@euro" }, true],
    ["the locale names no encoding", { LANG: "zh_CN" }, true],
    ["the locale is C", { LANG: "C" }, false],
    ["the locale is POSIX, before a LANG that is UTF-8", { LC_ALL: "POSIX", LANG: "en_GB.UTF-8" }, false],
    ["the locale of characters is Latin 1", { LC_CTYPE: "de_DE.ISO-8859-1", LANG: "en_GB.UTF-8" }, false],
    ["an empty LC_ALL counts as none", { LC_ALL: "", LANG: "en_GB.UTF-8" }, true],
    ["it is the console of Linux", { TERM: "linux", LANG: "en_GB.UTF-8" }, false],
  ])("where %s: %j → %s", (_name, environment, expected) => {
    expect(hasUnicode(environment)).toBe(expected);
  });

  it("is no longer so when the user says --ascii", () => {
    expect(hasUnicode({ LANG: "en_GB.UTF-8" }, { ascii: true })).toBe(false);
  });

  it("stays so where --ascii is a word behind --", async () => {
    const search = ["sessions", "search", "--limit", "none"];
    const run = (...args: string[]) => createPlace().run([...search, ...args]);
    expect((await run("--ascii", "word")).stderr).toContain("1, 2, 3, ...");
    expect((await run("--", "--ascii")).stderr).toContain("1, 2, 3, …");
  });
});

describe("the catalogue in ASCII", () => {
  const ascii = asciiMessages(en);

  it("has no other character, in a text, in a list and in what a text is made of", () => {
    const texts = (entry: unknown): string[] =>
      typeof entry === "string"
        ? [entry]
        : typeof entry === "object" && entry !== null
          ? Object.values(entry).flatMap(texts)
          : [];
    expect(texts(ascii).filter((text) => /[^\x00-\x7f\ufffd]/.test(text))).toEqual([]);
    expect(ascii.tool.moreLines(3)).toBe("... 3 more lines");
  });

  it("leaves what a text is given as it is", () => {
    expect(ascii.question.edit("a…b · c.txt")).toBe("Change a…b · c.txt?");
    expect(ascii.summary.changed(["→.ts", "b"])).toBe("changed 2 files: →.ts, b");
  });

  it("has a sign in ASCII for the line ends of a session's name", () => {
    const session = { title: undefined, firstPrompt: "one\ntwo" };
    expect(titleOf(session, ascii)).toBe("one \\n two");
    expect(titleOf(session, en)).toBe("one ⏎ two");
  });
});
