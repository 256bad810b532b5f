import { describe, expect, it } from "vitest";
import { createPlainBottom } from "../../../src/cli/bottom/plain-bottom.js";
import { createRecorder } from "../render/recorder.js";

const area = (...rows: string[]) => ({ rows, cursor: { row: 0, column: 0 } });

describe("a terminal on which nothing moves", () => {
  it.each<[string, string[][], string]>([
    ["typed characters", [["› "], ["› a"], ["› ab"]], "› ab"],
    ["a character that is taken away", [["› ab"], ["› a"]], "› ab\b \b"],
    ["a wide one", [["› 你"], ["› "]], "› 你\b \b\b \b"],
    ["a further row", [["› a"], ["› a", "  "], ["› a", "  b"]], "› a\n  b"],
    ["anything else, again on a new line", [["› ab"], ["› earlier"]], "› ab\n› earlier"],
  ])("shows %s", (_what, steps, expected) => {
    const output = createRecorder();
    const bottom = createPlainBottom(output);
    for (const rows of steps) bottom.setFoot(area(...rows));
    expect(output.text()).toBe(expected);
  });

  it("goes on below when something is printed, and shows the foot again when it changes", () => {
    const output = createRecorder();
    const bottom = createPlainBottom(output);
    bottom.setFoot(area("› a"));
    bottom.print("news");
    bottom.setFoot(area("› ab"));
    bottom.leaveFoot("› ab");
    bottom.print("sent");
    expect(output.text()).toBe("› a\nnews\n› ab\nsent\n");
    expect(output.text()).not.toContain("\x1b");
  });
});
