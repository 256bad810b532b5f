import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { en } from "../../../src/cli/messages/en.js";
import { createProgress } from "../../../src/cli/render/progress.js";
import { createScreen } from "../screen.js";

function setUp(columns?: number) {
  const screen = createScreen(columns);
  const progress = createProgress({ stream: screen.output, messages: en, colourLevel: 0 });
  return { screen, progress };
}

describe("the progress line", () => {
  it("shows what is going on and for how long, and leaves nothing behind", async () => {
    const { screen, progress } = setUp();
    progress.show("reading the prompt", 41_000);
    await screen.waitFor("reading the prompt … 41 s");
    progress.show("thinking", 75_000);
    await screen.waitFor("thinking … 1 min 15 s");
    progress.hide();
    expect(await screen.lines()).toEqual([""]);
  });

  it("stays away while it is paused, and comes back with what is going on then", async () => {
    const { screen, progress } = setUp();
    progress.show("one");
    await screen.waitFor("one");
    progress.pause();
    progress.show("two");
    screen.output.write("a question");
    await sleep(200);
    expect(await screen.lines()).toEqual(["a question"]);
    screen.output.write("\n");
    progress.resume();
    await screen.waitFor(/a question\n. two/);
    progress.hide();
  });

  it("shows nothing if it was hidden before it could be drawn", async () => {
    const { screen, progress } = setUp();
    progress.show("too late");
    progress.hide();
    await sleep(200);
    expect(screen.written()).toBe("");
  });

  it("keeps to one line of a narrow terminal", async () => {
    const { screen, progress } = setUp(40);
    progress.show(`running run_command ${"x".repeat(200)}`, 5000);
    await screen.waitFor("… 5 s");
    expect(await screen.lines()).toHaveLength(1);
    progress.hide();
  });

  it("never hides the cursor nor colours when colours are off", async () => {
    const { screen, progress } = setUp();
    progress.show("working");
    await screen.waitFor("working");
    progress.hide();
    expect(screen.written()).not.toMatch(/\x1b\[\?25|\x1b\[\d*m/);
  });
});
