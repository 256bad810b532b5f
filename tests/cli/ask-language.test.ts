import { describe, expect, it } from "vitest";
import { call, fail, say } from "../../src/demo/reply.js";
import { askPlace } from "./ask-setup.js";

const CHINESE = /\p{Script=Han}/u;
const DENIED = [call("run_command", { command: "touch marker" }), say("No.")];
describe("the language", () => {
  it.each([
    ["the flag", ["--lang", "zh"], {}],
    ["MINI_CC_LANG", [], { MINI_CC_LANG: "zh" }],
    ["the locale", [], { LANG: "zh_CN.UTF-8" }],
    ["LC_ALL before LANG", [], { LC_ALL: "zh_TW.UTF-8", LANG: "en_US.UTF-8" }],
    ["the flag before MINI_CC_LANG", ["--lang", "zh"], { MINI_CC_LANG: "en" }],
    ["the flag before the locale", ["--lang=zh"], { LANG: "en_US.UTF-8" }],
  ])("is Chinese by %s", async (_name, flags, env) => {
    const { ask, place } = await askPlace({ replies: DENIED });
    const { code, stdout, stderr } = await ask(["hi", ...flags], { env });
    expect({ code, stdout }).toEqual({ code: 4, stdout: "No.\n" });
    expect(stderr).toMatch(CHINESE);
    const help = await place.run(["ask", "--help", ...flags], { env });
    expect(help.code).toBe(0);
    expect(help.stdout).toMatch(CHINESE);
    const mistake = await place.run(["ask", "--modle", ...flags], { env });
    expect(mistake).toMatchObject({ code: 2, stdout: "" });
    expect(mistake.stderr).toMatch(CHINESE);
  });

  it.each([
    ["the flag", ["--lang", "en"], { LANG: "zh_CN.UTF-8", MINI_CC_LANG: "zh" }],
    ["MINI_CC_LANG", [], { LANG: "zh_CN.UTF-8", MINI_CC_LANG: "en" }],
    ["the locale", ["--lang", "auto"], { LANG: "de_DE.UTF-8" }],
    ["no locale at all", [], { LANG: undefined }],
  ])("is English by %s", async (_name, flags, env) => {
    const { ask } = await askPlace({ replies: DENIED });
    const { code, stderr } = await ask(["hi", ...flags], { env });
    expect(code).toBe(4);
    expect(stderr).toContain("denied");
    expect(stderr).not.toMatch(CHINESE);
  });

  it("may come from the configuration", async () => {
    const { ask, place } = await askPlace({ replies: DENIED });
    place.file(".mini-cc.json", '{ "language": "zh" }');
    expect((await ask(["hi"])).stderr).toMatch(CHINESE);
  });

  it.each([
    ["the flag", ["--lang", "fr"], {}],
    ["the flag without a value", ["--lang"], {}],
    ["MINI_CC_LANG", [], { MINI_CC_LANG: "francais" }],
  ])("that does not exist, by %s, is a usage mistake", async (_name, flags, env) => {
    const { ask, place, server } = await askPlace({ replies: DENIED });
    const { code, stdout, stderr } = await ask(["hi", ...flags], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/lang/i);
    expect(server.requests).toEqual([]);
    expect(await place.run(["config", ...flags], { env })).toMatchObject({ code: 2, stdout: "" });
  });

  it("of the interface does not change what the model is sent", async () => {
    const { ask, server } = await askPlace({ replies: () => say("Hi.") });
    await ask(["hi", "--lang", "en"]);
    await ask(["hi", "--lang", "zh"]);
    const [english, chinese] = server.requests.filter(({ path }) => path === "/api/chat");
    expect(chinese!.text).toBe(english!.text);
  });

  it("is that of the frame around a failure, and of every part of a help text", async () => {
    const { ask, place } = await askPlace({ replies: [fail(500, "x")] });
    for (const args of [["hi"], ["hi", "--host", "127.0.0.1:1"], ["hi", "-m", "nowhere"]]) {
      const { stderr } = await ask([...args, "--lang", "zh"]);
      expect(stderr, args.join(" ")).toMatch(CHINESE);
    }
    for (const args of [[], ["ask"], ["config"], ["permissions"], ["permissions", "check"]]) {
      const { stdout } = await place.run([...args, "--help", "--lang", "zh"]);
      const described = stdout.split("\n").filter((line) => /^ {2}\S.* {2,}\S/.test(line));
      expect(described.length, args.join(" ")).toBeGreaterThan(3);
      for (const line of described) expect(line).toMatch(CHINESE);
    }
  });
});
