import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { runHelper } from "../../src/processes/run-helper.js";
import type { HelperRequest } from "../../src/processes/run-helper.js";

function request(script: string, changes: Partial<HelperRequest> = {}): HelperRequest {
  return {
    argv: [process.execPath, "-e", script],
    cwd: tmpdir(),
    env: {},
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    onStdout: () => true,
    ...changes,
  };
}

describe("runHelper", () => {
  it("gives the output, the exit code and the error text", async () => {
    let output = "";
    const end = await runHelper(
      request("console.log('out'); console.error('err'); process.exitCode = 3", {
        onStdout: (chunk) => {
          output += chunk.toString();
          return true;
        },
      }),
    );
    expect(output).toBe("out\n");
    expect(end).toEqual({ code: 3, stopped: false, timedOut: false, stderr: "err\n" });
  });

  it("ends a program whose output is no longer wanted", async () => {
    const end = await runHelper(request("setInterval(() => console.log('x'), 1)", { onStdout: () => false }));
    expect(end).toMatchObject({ code: null, stopped: true, timedOut: false });
  });

  it("ends a program at its time limit", async () => {
    const end = await runHelper(request("setInterval(() => {}, 1000)", { timeoutMs: 200 }));
    expect(end).toMatchObject({ code: null, stopped: false, timedOut: true });
  });

  it("rejects with the reason of an abort, before the start or after", async () => {
    await expect(runHelper(request("", { signal: AbortSignal.abort(new Error("early")) }))).rejects.toThrow(
      "early",
    );
    const controller = new AbortController();
    const running = runHelper(
      request("console.log('x'); setInterval(() => {}, 1000)", {
        signal: controller.signal,
        onStdout: () => {
          controller.abort(new Error("late"));
          return true;
        },
      }),
    );
    await expect(running).rejects.toThrow("late");
  });

  it("rejects with ENOENT if there is no such program", async () => {
    await expect(runHelper(request("", { argv: ["/nonexistent/program"] }))).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  it("keeps no more than 8 KB of error text", async () => {
    const { stderr } = await runHelper(request("process.stderr.write('x'.repeat(100000))"));
    expect(stderr).toHaveLength(8_192);
  });
});
