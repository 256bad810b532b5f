import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDecoder, createOutputBuffer } from "../../src/processes/output-buffer.js";

describe("an output buffer", () => {
  it("keeps the beginning and the end of any output and counts the rest", () => {
    const chunk = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "\u{1F600}"), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), fc.integer({ min: 10, max: 200 }), (chunks, room) => {
        const buffer = createOutputBuffer(room);
        for (const text of chunks) buffer.add(text);
        const { head, tail, omitted } = buffer.take();
        const all = chunks.join("");
        expect(head.length + tail.length).toBeLessThanOrEqual(room);
        expect(head.length + tail.length + omitted).toBe(all.length);
        expect(all.startsWith(head)).toBe(true);
        expect(all.endsWith(tail)).toBe(true);
        expect(head + tail).not.toMatch(/\p{Surrogate}/u);
        if (all.length <= room * 0.7) expect(head + tail).toBe(all);
      }),
    );
  });

  it("begins anew after its output was taken", () => {
    const buffer = createOutputBuffer(100);
    buffer.add("first");
    expect(buffer.take()).toEqual({ head: "first", tail: "", omitted: 0 });
    buffer.add("second");
    expect(buffer.take()).toEqual({ head: "second", tail: "", omitted: 0 });
  });
});

describe("a decoder", () => {
  it("gives the same text however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        let decoded = "";
        const decoder = createDecoder((part) => (decoded += part));
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += size) decoder.write(bytes.subarray(at, at + size));
        decoder.end();
        expect(decoded).toBe(text);
      }),
    );
  });
});
