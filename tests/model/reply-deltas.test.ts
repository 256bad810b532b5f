import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatChunk } from "../../src/model/ollama-client.js";
import { createReplyDeltas } from "../../src/model/reply-deltas.js";
import type { Delta } from "../../src/model/reply-deltas.js";

const content = (text: string): ChatChunk => ({ message: { content: text } });
const thinking = (text: string): ChatChunk => ({ message: { content: "", thinking: text } });
const called = (name: string): ChatChunk => ({
  message: {
    content: "",
    tool_calls: [{ function: { name, arguments: { text: "<think>sample</think>" } } }],
  },
});

/** All pieces of a reply that came in these reads, those of one kind joined. */
function read(...groups: ChatChunk[][]): string[] {
  const deltas = createReplyDeltas();
  const joined: Delta[] = [];
  for (const delta of [...groups.flatMap((group) => deltas.take(group)), ...deltas.end()]) {
    const last = joined.at(-1);
    if (delta.kind !== "calls" && last?.kind === delta.kind) last.text += delta.text;
    else joined.push({ ...delta });
  }
  return joined.map((delta) =>
    delta.kind === "calls"
      ? `calls: ${delta.calls.map((call) => call.function?.name).join(", ")}`
      : `${delta.kind}: ${delta.text}`,
  );
}

describe("the pieces of a reply", () => {
  test("of one kind that one read brought are one", () => {
    const deltas = createReplyDeltas();
    expect(deltas.take([thinking("a"), thinking("b"), content("c"), content("d")])).toEqual([
      { kind: "thinking", text: "ab" },
      { kind: "text", text: "cd" },
    ]);
  });

  test("are alike whether the server parted the thinking or left it in the text", () => {
    const expected = ["thinking: plan", "text: Done.", "calls: write_file"];
    expect(read([thinking("plan"), content("Done."), called("write_file")])).toEqual(expected);
    expect(
      read([content("<think>pl")], [content("an</th"), content("ink>\n\nDone.")], [called("write_file")]),
    ).toEqual(expected);
  });

  test("hold the arguments of calls as they are, tags too", () => {
    const [delta] = createReplyDeltas().take([called("write_file")]);
    expect(delta).toEqual({
      kind: "calls",
      calls: [{ function: { name: "write_file", arguments: { text: "<think>sample</think>" } } }],
    });
  });

  test("that look like the beginning of a mark come out at the end", () => {
    expect(read([content("<thi")])).toEqual(["text: <thi"]);
    expect(read([content("[TH"), called("read_file")])).toEqual(["calls: read_file", "text: [TH"]);
  });

  test("of a reply that is all thinking hold no text", () => {
    expect(read([content("<think>plan")], [content(" on</think>")])).toEqual(["thinking: plan on"]);
    expect(read([content("<think>plan")])).toEqual(["thinking: plan"]);
  });

  test("are the same in however many reads they come", () => {
    const chunk = fc.oneof(
      fc.constantFrom("<think>", "</think>", "<thi", "nk>", "a", "\n", " ").map(content),
      fc.constant(thinking("t")),
      fc.constant(called("read_file")),
    );
    fc.assert(
      fc.property(fc.array(fc.array(chunk, { maxLength: 4 }), { maxLength: 6 }), (groups) => {
        expect(read(...groups)).toEqual(read(groups.flat()));
      }),
    );
  });
});
