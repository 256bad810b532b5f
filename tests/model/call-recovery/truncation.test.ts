import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { SAMPLES, TOOLS, replyOf } from "./samples.js";

const CALLS = SAMPLES.filter((sample) => sample.expect.calls.length > 0);

describe("a reply that breaks off", () => {
  test.each(CALLS.map((sample) => [`${sample.id} ${sample.form}`, sample] as const))(
    "makes no call with a part of an argument, wherever it does: %s",
    (_, sample) => {
      for (let length = 0; length < sample.content.length; length++) {
        const content = sample.content.slice(0, length);
        const reply = replyOf({ ...sample, content });
        for (const call of recoverCalls({ ...reply, doneReason: "length" }, TOOLS).calls) {
          expect(sample.expect.calls, content).toContainEqual(call);
        }
        // A model that ended by itself may have left out what only the last mark would tell.
        for (const { name, args } of recoverCalls({ ...reply, doneReason: "stop" }, TOOLS).calls) {
          const isPart = sample.expect.calls.some(
            (whole) =>
              whole.name === name && Object.entries(args).every(([key, value]) => whole.args[key] === value),
          );
          expect(isPart, content).toBe(true);
        }
      }
    },
  );
});
