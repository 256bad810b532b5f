import { describe, expect, it } from "vitest";
import { firstSteps as english } from "../../src/cli/messages/first-steps-en.js";
import { firstSteps as chinese } from "../../src/cli/messages/first-steps-zh.js";
import { say } from "../../src/demo/reply.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { runInTerminal } from "../helpers/terminal.js";
import { askPlace } from "./ask-setup.js";
import { AT_PROMPT, exchange, leave } from "./session-terminal.js";

const PROJECT = { "package.json": '{ "scripts": { "test": "vitest" } }', "README.md": "# Sums\n" };

async function newcomer(files: Record<string, string>): Promise<CliPlace> {
  const { place } = await askPlace({ replies: () => say("Hello.") });
  place.userConfig({ warmStart: false });
  for (const [path, content] of Object.entries(files)) place.file(path, content);
  return place;
}

async function begin(place: CliPlace, args: readonly string[] = []) {
  const terminal = runInTerminal(place, args);
  await terminal.waitFor(AT_PROMPT);
  return terminal;
}

describe("the first session in a folder", () => {
  it.each([
    ["an empty folder", {}, english.inEmptyFolder],
    ["a project", PROJECT, [english.explain, english.runTests("npm test"), english.about("README.md")]],
    [
      "a repository without tests",
      { ".git/HEAD": "ref: refs/heads/main\n", "main.c": "int main;\n" },
      [english.explain, english.writeTest, english.review],
    ],
  ])("offers three things that fit %s", async (_name, files, offered) => {
    const terminal = await begin(await newcomer(files));
    expect(terminal.text()).toContain(
      [`\n${english.title}`, ...offered.map((prompt) => `  ${prompt}`)].join("\n"),
    );
    await leave(terminal);
  });

  it("offers them in Chinese", async () => {
    const terminal = await begin(await newcomer(PROJECT), ["--lang", "zh"]);
    expect(terminal.text()).toContain(`${chinese.title}\n  ${chinese.explain}\n`);
    await leave(terminal);
  });

  it("offers them until there was a turn, and never again in that folder", async () => {
    const place = await newcomer(PROJECT);
    await leave(await begin(place));
    const second = await begin(place);
    expect(second.text()).toContain(english.title);
    await exchange(second, "hi", "Hello.");
    await leave(second);
    for (const args of [[], ["-c"]]) {
      const later = await begin(place, args);
      expect(later.text()).not.toContain(english.title);
      await leave(later);
    }
  });
});
