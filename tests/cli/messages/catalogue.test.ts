import { describe, expect, it } from "vitest";
import { chooseLanguage, loadMessages } from "../../../src/cli/messages/catalogue.js";

function choose(environment: Record<string, string>, flag?: string, config?: string) {
  return chooseLanguage({ flag, config, environment });
}

describe("the language of the interface", () => {
  it("is what the flag says, before the variable, before the configuration, before the locale", () => {
    const environment = { MINI_CC_LANG: "en", LANG: "zh_CN.UTF-8" };
    expect(choose(environment, "zh", "en")).toBe("zh");
    expect(choose(environment, undefined, "zh")).toBe("en");
    expect(choose({ LANG: "en_GB.UTF-8" }, undefined, "zh")).toBe("zh");
    expect(choose({ LANG: "zh_CN.UTF-8" })).toBe("zh");
  });

  it("follows the locale for auto and for nothing, LC_ALL before LC_MESSAGES before LANG", () => {
    expect(choose({ MINI_CC_LANG: "en", LANG: "zh_TW" }, "auto")).toBe("zh");
    expect(choose({ LC_ALL: "C", LC_MESSAGES: "zh_CN", LANG: "zh_CN" })).toBe("en");
    expect(choose({ LC_ALL: "", LC_MESSAGES: "zh_CN", LANG: "en_US" })).toBe("zh");
    expect(choose({})).toBe("en");
    expect(choose({ LANG: "zhx_XX" })).toBe("en");
    // Where the locale cannot show it.
    expect(choose({ LANG: "zh_CN.GBK" })).toBe("en");
    expect(choose({ LANG: "zh_CN.GBK" }, "zh")).toBe("zh");
  });

  it("is refused with what it may be when it is unknown", () => {
    expect(() => choose({}, "fr")).toThrow('--lang cannot be "fr"');
    expect(() => choose({ MINI_CC_LANG: "fr" })).toThrow('MINI_CC_LANG cannot be "fr"');
  });
});

describe("the catalogues", () => {
  it("count correctly in English", async () => {
    const en = await loadMessages("en");
    expect(en.summary.changed(["a"])).toBe("changed 1 file: a");
    expect(en.summary.changed(["a", "b"])).toBe("changed 2 files: a, b");
    expect(en.tool.moreLines(1)).toBe("… 1 more line");
    expect(en.tool.moreLines(1234)).toBe("… 1,234 more lines");
  });

  it("tell durations in units that fit them", async () => {
    const { duration } = await loadMessages("en");
    expect([0, 1234, 59_900, 125_000].map(duration)).toEqual(["0 s", "1.2 s", "59 s", "2 min 5 s"]);
    expect((await loadMessages("zh")).duration(125_000)).toBe("2 分 5 秒");
  });

  it("say every string in Chinese with Chinese words or the same symbols", async () => {
    const shared = new Set<string>();
    const compare = (english: unknown, chinese: unknown, path: string): void => {
      if (path === "glyphs") return;
      if (typeof english === "string" && english !== "" && english === chinese) shared.add(path);
      if (typeof english !== "object" || english === null) return;
      for (const [key, value] of Object.entries(english)) {
        compare(value, (chinese as Record<string, unknown>)[key], path === "" ? key : `${path}.${key}`);
      }
    };
    compare(await loadMessages("en"), await loadMessages("zh"), "");
    expect([...shared].sort()).toEqual(["question.default", "sessions.columns.id"]);
  });
});
