import { parse, printParseErrorCode } from "jsonc-parser";
import type { ParseError } from "jsonc-parser";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getSystemErrorMap } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { config } from "../../../src/cli/messages/phrases-zh/config.js";
import { libraries } from "../../../src/cli/messages/phrases-zh/libraries.js";
import { model } from "../../../src/cli/messages/phrases-zh/model.js";
import { permissions } from "../../../src/cli/messages/phrases-zh/permissions.js";
import { programs } from "../../../src/cli/messages/phrases-zh/programs.js";
import { sessions } from "../../../src/cli/messages/phrases-zh/sessions.js";
import { surroundings } from "../../../src/cli/messages/phrases-zh/surroundings.js";
import { system } from "../../../src/cli/messages/phrases-zh/system.js";
import { tools } from "../../../src/cli/messages/phrases-zh/tools.js";
import { turns } from "../../../src/cli/messages/phrases-zh/turns.js";
import { translate } from "../../../src/cli/messages/translate-zh.js";
import { isInSource, isSaid, sourceTexts, toldTexts, toolFailures } from "./source-texts.js";
import type { SourceText } from "./source-texts.js";
import { UNTOLD_FILES, UNTOLD_TEXTS } from "./untold-texts.js";

/** Put together of parts that are too short to be looked for. */
const COMPOSED = [
  "old_text does not occur in {path} ({total:number} lines). Nothing was changed. Lines {from:number}-{to:number} of the file are:",
  "{files} and {more:number} more have changed",
  "{files} and {more:number} more are gone",
  "1 session ({size:number} MB)",
  "not used for {days:number} days, or beyond {size:number} MB in all",
];

const own = {
  ...permissions,
  ...programs,
  ...config,
  ...model,
  ...turns,
  ...sessions,
  ...surroundings,
  ...tools,
};
const all = { ...own, ...libraries, ...system };
const phrases = Object.keys(own);
const texts = sourceTexts();

describe("the Chinese phrases", () => {
  it("say every sentence of the source that a person reads", () => {
    const missing = toldTexts().filter(
      ({ file, text }) => !isUntold({ file, text }) && !isSaid(text, Object.keys(all)),
    );
    expect(missing).toEqual([]);
  });

  it("say the first line of every failure of a tool", () => {
    expect(toolFailures().length).toBeGreaterThan(20);
    expect(toolFailures().filter(({ text }) => !isSaid(text, phrases))).toEqual([]);
  });

  it("are all still in the source", () => {
    const told = texts.map(({ text }) => text);
    const gone = phrases.filter((phrase) => !COMPOSED.includes(phrase) && !isInSource(phrase, told));
    expect(gone).toEqual([]);
  });

  it("are wanted: what counts as untold is still there", () => {
    const source = join(import.meta.dirname, "../../../src");
    expect(UNTOLD_FILES.filter((file) => !existsSync(join(source, file)))).toEqual([]);
    const listed = Object.entries(UNTOLD_TEXTS).flatMap(([file, all]) => all.map((text) => ({ file, text })));
    const gone = listed.filter(
      ({ file, text }) => !texts.some((found) => found.file === file && found.text === text),
    );
    expect(gone).toEqual([]);
  });

  it("have the same values in both languages", () => {
    const names = (text: string) => [
      ...new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name]) => name)),
    ];
    const odd = Object.entries(all).filter(([english, chinese]) => {
      const [given, used] = [names(english), names(chinese)];
      return used.some((name) => !given.includes(name)) || /\{\w+:/.test(chinese);
    });
    expect(odd).toEqual([]);
  });

  it("are Chinese, with its punctuation and blanks between scripts", () => {
    const odd = Object.entries(all).flatMap(([english, chinese]) => {
      const problem = problemOf(english, chinese);
      return problem === undefined ? [] : [`${problem}: ${chinese}`];
    });
    expect(odd).toEqual([]);
  });

  it("have no subject in two tables", () => {
    const tables = [
      permissions,
      programs,
      config,
      libraries,
      model,
      turns,
      sessions,
      surroundings,
      tools,
      system,
    ];
    const keys = tables.flatMap((table) => Object.keys(table));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
});

describe("texts of libraries", () => {
  it("are known: every failure that a JSON parser tells", () => {
    const broken = [
      ...['{"a" 1}', '{"a":1 "b":2}', '{"a":', '{"a":1', "[1", "{a:1}", "?", "1 2", "{,}"],
      ...['"abc', "/* x", '"\\u12"', '"\\q"', '"\t"', "1.", "1e"],
    ];
    const names = broken.flatMap((text) => {
      const errors: ParseError[] = [];
      parse(text, errors);
      return errors.map(({ error }) => printParseErrorCode(error));
    });
    expect(new Set(names).size).toBeGreaterThan(9);
    const told = names.map((name) =>
      name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase(),
    );
    expect(told.filter((text) => translate.text(text) === text)).toEqual([]);
  });

  it("are known: a value of the wrong kind, size or choice", () => {
    const schema = z.object({
      a: z.number(),
      b: z.enum(["x", "y"]),
      c: z.number().max(2),
      d: z.boolean(),
      e: z.array(z.string()),
    });
    const { error } = schema.safeParse({ a: "1", b: "z", c: 3, d: null, e: {} });
    const told = (error?.issues ?? []).map(({ message }) => message.replace(/^Invalid (input|option): /, ""));
    expect(told.map(translate.text)).toEqual([
      "应为数字，实际是字符串",
      '可用的值为 "x"|"y"',
      "太大：数字不能大于 2",
      "应为布尔值（true 或 false），实际是空值（null）",
      "应为列表，实际是对象",
    ]);
  });

  it("are known: what the operating system reports, in the words of this Node", async () => {
    const words = new Map([...getSystemErrorMap().values()]);
    const odd = Object.keys(system).filter((phrase) => {
      const [, code = "", text = ""] = /^(E\w+): (.*?), \{call:word\}/.exec(phrase) ?? [];
      return code !== "" && words.has(code) && words.get(code) !== text;
    });
    expect(odd).toEqual([]);
    const error: unknown = await readFile("/nowhere/at/all").catch((thrown: unknown) => thrown);
    expect(translate.text(String(error).replace("Error: ", ""))).toBe(
      "没有这个文件或文件夹（ENOENT）：/nowhere/at/all",
    );
  });
});

function isUntold({ file, text }: SourceText): boolean {
  return UNTOLD_FILES.some((part) => file.startsWith(part)) || UNTOLD_TEXTS[file]?.includes(text) === true;
}

/** What a reader of Chinese would stumble over; commands and keys keep their own punctuation. */
function problemOf(english: string, chinese: string): string | undefined {
  // What is translated in turn is Chinese; any other value may be Latin.
  const isChinese = (name: string) => new RegExp(`\\{${name}:(known|phrase|reasons)\\}`).test(english);
  const text = chinese.replace(/\{(\w+)\}/g, (_, name: string) => (isChinese(name) ? "甲" : "x"));
  if (!/[\u4e00-\u9fff：]/.test(text)) return "no Chinese";
  if (/[\u4e00-\u9fff][,;:?!()](?!\/\/)/.test(text)) return "punctuation of English";
  if (/[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/.test(text)) return "no blank between scripts";
  return undefined;
}
