import { expect, it, onTestFinished } from "vitest";
import { createProcessRegistry } from "../../src/processes/process-registry.js";
import { findShell, readShellReport, shellLine } from "../../src/processes/shell.js";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import { makePlace, sandboxIsMissing, sandboxOptions } from "./place.js";

const missing = await sandboxIsMissing();

it.skipIf(missing !== undefined).each([
  { title: "nothing", command: "echo a", output: "a\n", left: 0 },
  { title: "a child", command: "sleep 60 & echo a", output: "a\n", left: 1 },
  { title: "a child of another session", command: "setsid sleep 60 & echo a", output: "a\n", left: 1 },
  {
    title: "only a process substitution that still writes",
    command: "echo a > >(sleep 0.1; tr a b)",
    output: "b\n",
    left: 0,
  },
])(
  `a command in the sandbox tells that it leaves $title ${missing ?? ""}`,
  async ({ command, output, left }) => {
    const place = makePlace();
    const processes = createProcessRegistry();
    onTestFinished(async () => {
      await processes.dispose();
      place.remove();
    });
    const sandbox = await createSandbox(sandboxOptions(place));
    const cwd = place.workspaceRoot;
    const line = shellLine(findShell(place.env["PATH"] ?? ""), command, { ownsProcesses: true });
    const result = await processes.run(
      {
        ...line,
        argv: sandbox.wrap(line.argv, { cwd, network: false }),
        cwd,
        env: { ...place.env, ...line.env },
        maxOutputBytes: 1_000,
      },
      new AbortController().signal,
    );
    expect(result.end).toEqual({ kind: "exited", code: 0 });
    expect(result.output.head.toString()).toBe(output);
    expect(readShellReport(result.report)).toEqual({ statuses: [0], leftRunning: left });
  },
);
