import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { SAMPLES, TOOLS, replyOf } from "./samples.js";

describe("of the replies that were seen with models", () => {
  test.each(SAMPLES.map((sample) => [`${sample.id} ${sample.family}: ${sample.form}`, sample] as const))(
    "%s is read as labelled",
    (_, sample) => {
      const found = recoverCalls(replyOf(sample), TOOLS);
      const shown = sample.field === "thinking" ? found.thinking : found.text;
      expect({ calls: found.calls, text: shown.trim(), problem: found.problem }).toEqual({
        problem: undefined,
        ...sample.expect,
      });
      if (sample.negative) expect(shown).toBe(sample.content);
      expect(found.form === undefined).toBe(sample.negative);
    },
  );
});
