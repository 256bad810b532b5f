import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { SAMPLES, TOOLS, replyOf } from "./samples.js";
import { cutAt, streamed } from "./streamed.js";

describe("a reply that streams", () => {
  test.each(SAMPLES.map((sample) => [`${sample.id} ${sample.form}`, sample] as const))(
    "comes to the same however it is cut: %s",
    (_, sample) => {
      const { calls, text, thinking, ...recovery } = recoverCalls(replyOf(sample), TOOLS);
      const expected = { calls, text, thinking, recovery };
      const check = (pieces: string[]) => {
        const found = streamed(
          pieces.map((piece) => ({ [sample.field]: piece })),
          TOOLS,
        );
        expect(found).toEqual(expected);
      };
      check(Array.from(sample.content));
      const place = fc.double({ min: 0, max: 1, noNaN: true });
      fc.assert(
        fc.property(fc.array(place, { maxLength: 12 }), (places) => check(cutAt(sample.content, places))),
        { numRuns: 40 },
      );
    },
  );
});
