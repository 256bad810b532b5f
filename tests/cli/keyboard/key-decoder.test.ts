import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyDecoder } from "../../../src/cli/keyboard/key-decoder.js";

/** What comes out when all of it comes at once, and nothing follows. */
function decode(text: string): string[] {
  const decoder = createKeyDecoder();
  return [...decoder.write(text), ...decoder.flush()].map(nameOf);
}

function nameOf(event: ReturnType<ReturnType<typeof createKeyDecoder>["write"]>[number]): string {
  if (event.type === "key") return event.text === "" ? event.key : `"${event.text}"`;
  return event.type === "paste" ? `paste:${event.text}` : event.type;
}

const KEYS: readonly [string, string[]][] = [
  ["ab", ['"a"', '"b"']],
  ["é你", ['"é"', '"你"']],
  ["👩‍🚀", ['"👩‍🚀"']],
  ["\r", ["enter"]],
  ["\n", ["ctrl-j"]],
  ["\t", ["tab"]],
  ["\x7f", ["backspace"]],
  ["\b", ["ctrl-h"]],
  ["\x03\x04\x1a", ["ctrl-c", "ctrl-d", "ctrl-z"]],
  ["\x1f", ["ctrl-_"]],
  ["\x1b", ["escape"]],
  ["\x1b\x1b", ["escape", "escape"]],
  ["\x1bb\x1bf", ["alt-b", "alt-f"]],
  ["\x1b\r", ["alt-enter"]],
  ["\x1b\x7f", ["alt-backspace"]],
  ["\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]],
  ["\x1bOA\x1bOH\x1bOF", ["up", "home", "end"]],
  ["\x1b[1~\x1b[4~\x1b[3~\x1b[5~\x1b[6~", ["home", "end", "delete", "pageup", "pagedown"]],
  ["\x1b[1;5D\x1b[1;3C\x1b[3;5~", ["ctrl-left", "alt-right", "ctrl-delete"]],
  ["\x1b[Z", ["shift-tab"]],
  // The keyboard protocol of kitty.
  ["\x1b[13;2u\x1b[13;3u\x1b[27u", ["shift-enter", "alt-enter", "escape"]],
  ["\x1b[99;5u\x1b[106;5u\x1b[97;6u", ["ctrl-c", "ctrl-j", "ctrl-shift-a"]],
  ["\x1b[99;133u", ["ctrl-c"]],
  ["\x1b[127;5u", ["ctrl-backspace"]],
  ["\x1b[?1u", ["keyboard-protocol"]],
  // xterm's modifyOtherKeys.
  ["\x1b[27;2;13~", ["shift-enter"]],
  // Answers and keys that mean nothing here.
  ["\x1b[?62;4c\x1b]11;rgb:0/0/0\x07\x1b[25~a", ['"a"']],
  ["\x1b[200~a\r\nb\tc\x1b[201~d", ["paste:a\nb\tc", '"d"']],
  ["\x1b[200~\x1b[31mred\x1b[0m\x1b[201~", ["paste:red"]],
  ["\x1b[200~lost\x03", ["ctrl-c"]],
];

describe("the key decoder", () => {
  it.each(KEYS)("reads %j", (text, expected) => {
    expect(decode(text)).toEqual(expected);
  });

  it("gives the same however a text comes in pieces", () => {
    const whole = KEYS.map(([text]) => text)
      .filter((text) => !text.endsWith("\x1b") && !text.includes("lost"))
      .join("");
    const expected = decode(whole);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 20 }), (cuts) => {
        // A decoder of bytes stands before this one: characters come whole, graphemes need not.
        const places = [...new Set(cuts)]
          .sort((a, b) => a - b)
          .filter(
            (at) => !/[\ud800-\udbff\ud83d‍]/.test(whole[at - 1]!) && !/[\udc00-\udfff‍]/.test(whole[at]!),
          );
        const pieces = [0, ...places].map((from, index) => whole.slice(from, places[index]));
        const decoder = createKeyDecoder();
        const events = [...pieces.flatMap((piece) => decoder.write(piece)), ...decoder.flush()];
        expect(events.map(nameOf)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it("waits with an ESC until it is known to be a key", () => {
    const decoder = createKeyDecoder();
    expect(decoder.write("\x1b")).toEqual([]);
    expect(decoder.isOpen).toBe(true);
    expect(decoder.flush().map(nameOf)).toEqual(["escape"]);
    expect(decoder.isOpen).toBe(false);
    expect(decoder.write("[")).toHaveLength(1);
  });

  it("takes a large paste in pieces as one", () => {
    const decoder = createKeyDecoder();
    const lines = Array.from({ length: 500 }, (_, line) => `line ${line}`).join("\n");
    const pieces = `\x1b[200~${lines}\x1b[201~`.match(/[^]{1,1000}/g)!;
    expect(pieces.flatMap((piece) => decoder.write(piece))).toEqual([{ type: "paste", text: lines }]);
  });
});
