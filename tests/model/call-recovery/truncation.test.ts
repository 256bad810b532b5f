import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { SAMPLES, TOOLS, replyOf } from "./samples.js";

const CALLS = SAMPLES.filter((sample) => sample.expect.calls.length > 0);

describe("a reply that breaks off", () => {
  test.each(CALLS.map((sample) => [`${sample.id} ${sample.form}`, sample] as const))(
    "makes no other call than the whole one would, wherever it does: %s",
    (_, sample) => {
      for (let length = 0; length < sample.content.length; length++) {
        for (const doneReason of ["stop", "length"]) {
          const content = sample.content.slice(0, length);
          const { calls } = recoverCalls({ ...replyOf({ ...sample, content }), doneReason }, TOOLS);
          for (const call of calls) expect(sample.expect.calls, `${doneReason}: ${content}`).toContainEqual(call);
        }
      }
    },
  );
});
