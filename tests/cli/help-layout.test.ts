import { describe, expect, it } from "vitest";
import { widthOf } from "../../src/cli/render/terminal.js";
import { createPlace } from "../helpers/run-cli.js";

const CHINESE = /\p{Script=Han}/u;

describe("help in Chinese", () => {
  it.each([[[]], [["ask"]], [["models", "show"]], [["sessions", "export"]], [["permissions", "check"]]])(
    "of %j has no heading in English, and lines that a terminal of 80 columns can show",
    async (command) => {
      const { code, stdout } = await createPlace().run([...command, "--help", "--lang", "zh"]);
      expect(code).toBe(0);
      expect(stdout).toContain("用法：");
      expect(stdout).not.toMatch(/\b(?:Usage|Options|Arguments|Commands|default|options|command)\b[:\]]/);
      const lines = stdout.split("\n").filter((line) => CHINESE.test(line));
      for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(80);
      // What an option does begins in one column.
      const columns = lines.flatMap((line) => /^ {2}-\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? []);
      expect(new Set(columns).size).toBe(1);
      // No line begins with a sign that closes.
      for (const line of lines) expect(line).not.toMatch(/^\s*[，。；：、！？）”]/);
    },
  );
});
