import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDesktopNotices, noticeSequence } from "../../src/cli/desktop-notice.js";
import { en } from "../../src/cli/messages/en.js";
import type { Config } from "../../src/config/schema.js";
import { turnEnd } from "./render/recorder.js";

function sentBy(
  config: Partial<Pick<Config, "bell" | "notify">>,
  tell: (notices: ReturnType<typeof createDesktopNotices>) => void,
  isDumb = false,
): string {
  let sent = "";
  const notices = createDesktopNotices({
    config: { bell: false, notify: "off", ...config },
    messages: en,
    folder: "/home/ann/parser",
    isDumb,
    send: (sequence) => (sent += sequence),
  });
  tell(notices);
  return sent;
}

describe("a notice for a user who looks elsewhere", () => {
  it.each<[Partial<Pick<Config, "bell" | "notify">>, string]>([
    [{}, ""],
    [{ bell: true }, "\x07"],
    [{ notify: "bell" }, "\x07"],
    [{ notify: "osc9" }, "\x1b]9;mini-cc parser: a question waits\x07"],
    [{ notify: "osc777", bell: true }, "\x1b]777;notify;mini-cc;parser: a question waits\x07"],
  ])("of a question is, with %j, %j", (config, sequence) => {
    expect(sentBy(config, (notices) => notices.question())).toBe(sequence);
  });

  it("of a turn comes only when it lasted long and was not stopped by the user", () => {
    const ended = (outcome: "done" | "cancelled" | "failed", lasted: number) =>
      sentBy({ notify: "osc9" }, (notices) => notices.turnEnded(turnEnd({ outcome }), lasted));
    expect(ended("done", 19_000)).toBe("");
    expect(ended("cancelled", 90_000)).toBe("");
    expect(ended("done", 90_000)).toBe("\x1b]9;mini-cc parser: done after 1 min 30 s\x07");
    expect(ended("failed", 41_000)).toBe("\x1b]9;mini-cc parser: stopped after 41 s\x07");
  });

  it("is a bell where no sequence is understood, and nothing where none is wanted", () => {
    expect(sentBy({ notify: "osc9" }, (notices) => notices.question(), true)).toBe("\x07");
    expect(sentBy({}, (notices) => notices.question(), true)).toBe("");
  });

  it("holds one sequence, whatever its text holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(noticeSequence("osc777", text, en)).toMatch(
          /^\x1b\]777;notify;mini-cc;[^\x00-\x1f\x7f-\x9f;]*\x07$/,
        );
      }),
    );
  });
});
