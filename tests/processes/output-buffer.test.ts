import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputBuffer } from "../../src/processes/output-buffer.js";
import type { KeptOutput } from "../../src/processes/output-buffer.js";

function keep(room: number, ...chunks: string[]): KeptOutput {
  const buffer = createOutputBuffer(room);
  for (const chunk of chunks) buffer.add(Buffer.from(chunk));
  return buffer.take();
}

const lineEnds = (text: string) => text.split("\n").length - 1;

describe("an output buffer", () => {
  it("keeps the beginning and the end of any output and counts the rest", () => {
    const chunk = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "\u{1F600}"), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), fc.integer({ min: 10, max: 200 }), (chunks, room) => {
        const { head, tail, omitted, tailLine } = keep(room, ...chunks);
        const all = Buffer.from(chunks.join(""));
        expect(head.length + tail.length).toBeLessThanOrEqual(room);
        expect(head.length + tail.length + omitted).toBe(all.length);
        expect(all.subarray(0, head.length).equals(head)).toBe(true);
        expect(all.subarray(all.length - tail.length).equals(tail)).toBe(true);
        expect(tailLine).toBe(lineEnds(all.toString("latin1")) - lineEnds(tail.toString("latin1")));
        if (all.length <= room) expect(omitted).toBe(0);
      }),
    );
  });

  it("begins anew after its output was taken", () => {
    const buffer = createOutputBuffer(100);
    for (const text of ["first", "second"]) {
      buffer.add(Buffer.from(text));
      expect(buffer.take()).toMatchObject({ head: Buffer.from(text.slice(0, 30)), omitted: 0 });
    }
  });

  it("cuts at line ends where lines are short", () => {
    const { head, tail } = keep(1_000, "some line\n".repeat(1_000));
    expect([head, tail].map((part) => part.toString().endsWith("\n"))).toEqual([true, true]);
    expect(tail.toString().startsWith("some line\n")).toBe(true);
  });

  it("cuts within a line that is long", () => {
    const { head, tail } = keep(10_000, "x".repeat(100_000));
    expect([head.length, tail.length]).toEqual([3_000, 7_000]);
  });
});

describe("what an output buffer keeps of errors", () => {
  const filler = (count: number) =>
    Array.from({ length: count }, (_, at) => `compiled file ${at}\n`).join("");
  const text = ({ notable }: KeptOutput) => notable.map(({ line, bytes }) => `${line}: ${bytes.toString()}`);

  it("is the line of the error, its number, and the two lines after it", () => {
    const middle = "src/a.c:12: error: expected ;\n   12 | int x\n      |      ^\n";
    const kept = keep(10_000, filler(1_000), middle, filler(2_000));
    expect(text(kept)).toEqual([
      "1000: src/a.c:12: error: expected ;",
      "1001:    12 | int x",
      "1002:       |      ^",
    ]);
  });

  it("does not depend on where the output was cut into chunks", () => {
    const whole = `${filler(1_000)}TypeError: x is not a function\n    at f (a.js:1)\n${filler(2_000)}`;
    const expected = text(keep(10_000, whole));
    expect(expected[0]).toBe("1000: TypeError: x is not a function");
    for (const size of [1, 7, 1_000]) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.slice(at * size, (at + 1) * size),
      );
      expect(text(keep(10_000, ...chunks))).toEqual(expected);
    }
  });

  it.each(["0 errors, 0 warnings", "Tests: no failures", "everything went well"])("is not %s", (line) => {
    expect(text(keep(10_000, filler(1_000), `${line}\n`, filler(2_000)))).toEqual([]);
  });

  it("is bounded, holds equal lines once, and leaves room for errors after any number of warnings", () => {
    const warnings = Array.from({ length: 20_000 }, (_, at) => `warning: unused variable v${at}\n`).join("");
    const kept = keep(10_000, warnings, "error: no such thing\n".repeat(500), filler(2_000));
    const size = kept.notable.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(size).toBeLessThanOrEqual(2_000);
    expect(text(kept).filter((line) => line.includes("error"))).toEqual(["20000: error: no such thing"]);
    expect(kept.notable.length).toBeGreaterThan(10);
  });

  it("does not repeat what head and tail show", () => {
    expect(keep(10_000, "error: one\n", filler(3_000), "error: two\n").notable).toEqual([]);
  });
});
