import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBottom } from "../../../src/cli/bottom/bottom.js";
import { createLazyHighlighter } from "../../../src/cli/markdown/highlighter.js";
import { en } from "../../../src/cli/messages/en.js";
import { createMarkdownView } from "../../../src/cli/render/markdown-view.js";
import { createScreen } from "../screen.js";

const ANSWER = [
  "# Title",
  "Some **bold words** and `code` in a text that is long enough to need more than one row of the screen.",
  "",
  ...Array.from({ length: 12 }, (_, index) => `${index + 1}. item *number* ${index + 1} 中文`),
  "",
  "```ts",
  ...Array.from({ length: 12 }, (_, index) => `const x${index} = "some text";`),
  "```",
  "",
  "| a | b |",
  "|---|---|",
  ...Array.from({ length: 30 }, (_, index) => `| ${"x".repeat(index)} | ${index} |`),
  "",
  "The end: **not closed",
].join("\n");

function open(columns: number, rows: number) {
  const screen = createScreen(columns, rows);
  const plain = (text: string) => text;
  const bottom = createBottom({
    output: screen.output,
    messages: en,
    styles: { spinner: plain },
  });
  const view = createMarkdownView({
    bottom,
    traits: { colourLevel: 1, unicode: true },
    highlighter: createLazyHighlighter(),
    onBegin: () => undefined,
  });
  bottom.setFoot({ rows: ["›"], cursor: { row: 0, column: 0 } });
  return { screen, bottom, view };
}

/** What the screen shows in the end, with what has scrolled away. */
async function shownOf(parts: readonly string[], rows = 12): Promise<string[]> {
  const { screen, bottom, view } = open(50, rows);
  for (const part of parts) {
    view.write(part);
    bottom.flush();
  }
  view.end();
  bottom.close();
  return screen.lines();
}

describe("an answer on a screen", () => {
  it("shows in the end what the whole shows at once, whatever it came in, also where it has scrolled", async () => {
    const whole = await shownOf([ANSWER], 200);
    expect(whole.slice(0, 6)).toEqual([
      "Title",
      "Some bold words and code in a text that is long",
      "enough to need more than one row of the screen.",
      "",
      "1. item number 1 中文",
      "2. item number 2 中文",
    ]);
    expect(whole.at(-1)).toBe("The end: **not closed");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
        async (lengths) => {
          const parts: string[] = [];
          for (let at = 0; at < ANSWER.length;) {
            const length = lengths[parts.length % lengths.length] ?? 1;
            parts.push(ANSWER.slice(at, at + length));
            at += length;
          }
          expect(await shownOf(parts)).toEqual(whole);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("shows every word at once, above the prompt, and closes what is open", async () => {
    const { screen, bottom, view } = open(40, 12);
    view.write("Some **bo");
    await sleep(50);
    expect(await screen.lines()).toEqual(["Some bo", "›"]);
    view.write("ld** text\n\n- one\n- tw");
    await sleep(50);
    expect(await screen.lines()).toEqual(["Some bold text", "", "• one", "• tw", "›"]);
    bottom.close();
  });

  it("fits what is open to another width of the window", async () => {
    const { screen, bottom, view } = open(60, 12);
    view.write("Some words that are still being written, and then some more of them");
    await sleep(50);
    screen.resize(30, 12);
    await sleep(50);
    expect(await screen.lines()).toEqual([
      "Some words that are still",
      "being written, and then some",
      "more of them",
      "›",
    ]);
    view.write(".\n\nNext.");
    view.end();
    bottom.flush();
    expect((await screen.lines()).slice(0, 5)).toEqual([
      "Some words that are still",
      "being written, and then some",
      "more of them.",
      "",
      "Next.",
    ]);
    bottom.close();
  });

  it("gives a long line of code as one, however it came", async () => {
    const { screen, bottom, view } = open(40, 30);
    const line = "x".repeat(5000);
    for (let at = 0; at < line.length; at += 500) {
      view.write(at === 0 ? `\`\`\`\n${line.slice(0, 500)}` : line.slice(at, at + 500));
      bottom.flush();
    }
    view.write("\n```\ndone");
    view.end();
    bottom.close();
    expect((await screen.lines()).join("")).toBe(`${line}done`);
  });
});
