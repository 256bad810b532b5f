import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readEvents } from "../helpers/event-schema.js";
import { createPlace } from "../helpers/run-cli.js";

/**
 * Against a real Ollama and a real model, which answers as it likes: MINI_CC_LIVE=1 npx vitest run tests/live. The server
 * and the model are those of OLLAMA_HOST and MINI_CC_MODEL, or what mini-cc chooses.
 */
const isLive = process.env["MINI_CC_LIVE"] === "1";

/** Milliseconds; a model that is read from disk and computes on the processor takes minutes. */
const LIMIT = 30 * 60_000;

const SUM = "export function sum(a, b) {\n  return a - b;\n}\n";
const TEST = `import assert from "node:assert";
import test from "node:test";
import { sum } from "./sum.mjs";

test("two and two are four", () => assert.equal(sum(2, 2), 4));
`;

function livePlace() {
  const { OLLAMA_HOST, MINI_CC_MODEL } = process.env;
  const place = createPlace({ OLLAMA_HOST, MINI_CC_MODEL });
  place.file("package.json", '{ "name": "sums", "dependencies": { "left-pad": "1.3.0" } }\n');
  place.file("sum.mjs", SUM);
  place.file("sum.test.mjs", TEST);
  return { place, run: (...args: string[]) => place.start(args).ended };
}

describe.skipIf(!isLive)("with a real model", { timeout: LIMIT }, () => {
  it("doctor finds nothing that keeps it from working", async () => {
    const { run } = livePlace();
    const { code, stdout } = await run("doctor");
    expect(code, stdout).toBe(0);
  });

  it("a question about the project is answered from its files", async () => {
    const { run } = livePlace();
    const { code, stdout, stderr } = await run("ask", "Which dependencies does this project use?");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("left-pad");
  });

  it("a failing test is mended, and every event is as the schema says", async () => {
    const { place, run } = livePlace();
    const { code, stdout, stderr } = await run(
      "ask",
      "The test in sum.test.mjs fails. Mend sum.mjs, then run: node --test",
      ...["--permission-mode", "accept-edits", "--allow", "node --test", "--output-format", "stream-json"],
    );
    expect(code, stderr).toBe(0);
    expect(readEvents(stdout).at(-1)).toMatchObject({ outcome: "done" });
    expect(place.text("sum.test.mjs")).toBe(TEST);
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { status } = spawnSync(process.execPath, ["--test"], { cwd: place.workspace, env });
    expect(status, place.text("sum.mjs")).toBe(0);
  });
});
