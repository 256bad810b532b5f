import { describe, expect, it } from "vitest";
import type { TerminalEvent } from "../../../src/cli/keyboard/key-events.js";
import { createTerminalInput } from "../../../src/cli/keyboard/terminal-input.js";
import { createKeyboard, createScreen } from "../screen.js";

function setUp(keysOf?: string) {
  const screen = createScreen();
  const keyboard = createKeyboard();
  const input = createTerminalInput({ input: keyboard, output: screen.output, animated: true, keysOf });
  const events: string[] = [];
  const note = (event: TerminalEvent) => {
    events.push(event.type === "key" ? event.key : event.type === "paste" ? `paste:${event.text}` : "end");
  };
  const typed = () => new Promise((resolve) => setImmediate(resolve));
  return { screen, keyboard, input, events, note, typed };
}

describe("the keyboard of a terminal", () => {
  it("is in raw mode while somebody reads, and given back as it was", () => {
    const { screen, keyboard, input, note } = setUp();
    const release = input.read(note);
    expect(keyboard.isRaw).toBe(true);
    expect(screen.written()).toBe("\x1b[?2004h");
    release();
    expect(keyboard.isRaw).toBe(false);
    expect(screen.written()).toBe("\x1b[?2004h\x1b[?2004l");
  });

  it("asks for keys with their modifiers, switches them on when the terminal answers, and off in the end", async () => {
    const { screen, keyboard, input, events, note, typed } = setUp("xterm-256color");
    const release = input.read(note);
    expect(screen.written()).toBe("\x1b[?2004h\x1b[>4;1m\x1b[?u");
    keyboard.write("\x1b[?0u");
    keyboard.write("\x1b[?0ua");
    await typed();
    expect(screen.written()).toBe("\x1b[?2004h\x1b[>4;1m\x1b[?u\x1b[>1u");
    expect(events).toEqual(["a"]);
    release();
    expect(screen.written().endsWith("\x1b[<u\x1b[>4m\x1b[?2004l")).toBe(true);
  });

  it("sends to a terminal that is no xterm what all of them pass over", () => {
    const { screen, input, note } = setUp("linux");
    input.read(note)();
    expect(screen.written()).toBe("\x1b[?2004h\x1b[?u\x1b[?2004l");
  });

  it("goes to the latest reader, and back", async () => {
    const { keyboard, input, events, note, typed } = setUp();
    const first = input.read(note);
    const second = input.read((event) => event.type === "key" && events.push(`second ${event.key}`));
    keyboard.write("a");
    await typed();
    second();
    keyboard.write("b");
    await typed();
    first();
    expect(events).toEqual(["second a", "b"]);
  });

  it("can be lent to another program, whose keys are none of ours", async () => {
    const { keyboard, input, events, note, typed } = setUp();
    const release = input.read(note);
    const takeBack = input.lend();
    expect(keyboard.isRaw).toBe(false);
    expect(keyboard.isPaused()).toBe(true);
    takeBack();
    expect(keyboard.isRaw).toBe(true);
    keyboard.write("a");
    await typed();
    release();
    expect(events).toEqual(["a"]);
  });

  it("takes an ESC for the key when nothing follows it", async () => {
    const { keyboard, input, events, note } = setUp();
    const release = input.read(note);
    keyboard.write("\x1b");
    await expect.poll(() => events).toEqual(["escape"]);
    keyboard.write("\x1b[");
    keyboard.write("A");
    await expect.poll(() => events).toEqual(["escape", "up"]);
    release();
  });

  it.each<[string, string, string[]]>([
    ["Ctrl-J, alone", "\n", ["ctrl-j"]],
    ["a line that a program sends", "ab\n", ["a", "b", "enter"]],
    ["lines pasted without paste mode", "a\nb\nc\n", ["paste:a\nb\nc", "enter"]],
    ["Enter in a chunk of fast keys", "a\rb", ["a", "enter", "b"]],
    ["a paste whose line end is the end of the chunk", "\x1b[200~a\n", []],
  ])("tells %s", async (_what, text, expected) => {
    const { keyboard, input, events, note, typed } = setUp();
    const release = input.read(note);
    await input.settle();
    keyboard.write(text);
    await typed();
    release();
    expect(events).toEqual(expected);
  });

  it("takes LF for Enter in what was typed before it was in raw mode", async () => {
    const { keyboard, input, events, note } = setUp();
    keyboard.write("a\nb");
    const release = input.read(note);
    await input.settle();
    release();
    expect(events).toEqual(["a", "enter", "b"]);
  });

  it("tells every reader when there is no more, also one that comes later", async () => {
    const { keyboard, input, events, note } = setUp();
    input.read(note);
    input.read(note);
    keyboard.end();
    await expect.poll(() => events).toEqual(["end", "end"]);
    input.read(note);
    await expect.poll(() => events).toEqual(["end", "end", "end"]);
  });
});
