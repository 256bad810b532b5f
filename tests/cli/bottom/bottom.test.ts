import { describe, expect, it } from "vitest";
import { createBottom } from "../../../src/cli/bottom/bottom.js";
import { en } from "../../../src/cli/messages/en.js";
import { createScreen } from "../screen.js";

function setUp(columns = 40, rows = 12) {
  const screen = createScreen(columns, rows);
  const plain = (text: string) => text;
  const bottom = createBottom({
    output: screen.output,
    messages: en,
    styles: { spinner: plain },
  });
  return { screen, bottom };
}

const foot = { rows: ["› draft"], cursor: { row: 0, column: 7 } };

describe("the bottom of a session", () => {
  it("stands below all that is printed: live rows, spinner, editor", async () => {
    const { screen, bottom } = setUp();
    bottom.setFoot(foot);
    bottom.print("one", "two");
    bottom.write("thr");
    bottom.setLive(["live"]);
    bottom.progress.show("thinking", 41_000);
    bottom.write("ee");
    await screen.waitFor(/^one\ntwo\nthree\nlive\n. thinking … 41 s\n› draft$/);
    expect(screen.cursor()).toEqual({ row: 5, column: 7 });
    bottom.progress.hide();
    bottom.setLive([]);
    bottom.print("four");
    await screen.waitFor(/^one\ntwo\nthree\nfour\n› draft$/);
    bottom.leaveFoot("› draft sent");
    bottom.close();
    expect(await screen.lines()).toEqual(["one", "two", "three", "four", "› draft sent"]);
  });

  it("holds back what is printed while the terminal belongs to another program", async () => {
    const { screen, bottom } = setUp();
    bottom.setFoot(foot);
    bottom.print("one");
    bottom.hide();
    bottom.print("two");
    bottom.progress.show("thinking");
    await new Promise((resolve) => setTimeout(resolve, 150));
    screen.output.write("the other program\n");
    expect(await screen.lines()).toEqual(["one", "the other program"]);
    bottom.progress.hide();
    bottom.show();
    expect(await screen.lines()).toEqual(["one", "the other program", "two", "› draft"]);
    bottom.close();
  });

  it("fits the foot to a window of another size", async () => {
    const { screen, bottom } = setUp();
    const draw = () =>
      bottom.setFoot({ rows: [`${bottom.columns} columns`], cursor: { row: 0, column: 0 } }, draw);
    draw();
    bottom.print("one");
    bottom.flush();
    screen.resize(30, 12);
    await screen.waitFor(/^one\n30 columns$/);
    bottom.close();
  });

  it("shows nothing that comes after its end", async () => {
    const { screen, bottom } = setUp();
    bottom.print("one");
    bottom.close();
    bottom.print("two");
    bottom.progress.show("late");
    bottom.flush();
    expect(await screen.lines()).toEqual(["one"]);
    bottom.progress.hide();
  });
});
