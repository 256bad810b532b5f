import { tmpdir } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { createProcessRegistry } from "../../src/processes/process-registry.js";
import type { ProcessRegistry } from "../../src/processes/process-registry.js";
import type { ProcessRequest } from "../../src/processes/run-process.js";

const registries: ProcessRegistry[] = [];

afterEach(async () => {
  for (const registry of registries.splice(0)) await registry.dispose();
});

function createRegistry(): ProcessRegistry {
  const registry = createProcessRegistry();
  registries.push(registry);
  return registry;
}

const request = (script: string, changes: Partial<ProcessRequest> = {}): ProcessRequest => ({
  argv: ["bash", "-c", script],
  cwd: tmpdir(),
  env: { PATH: process.env["PATH"] },
  maxOutputBytes: 1_000,
  ...changes,
});

const never = (): AbortSignal => new AbortController().signal;

describe("a process registry", () => {
  it.each([
    { title: "an exit code", script: "exit 5", end: { kind: "exited", code: 5 } },
    { title: "a signal", script: "kill -TERM $$", end: { kind: "signalled", signal: "SIGTERM" } },
  ])("reports $title", async ({ script, end }) => {
    expect((await createRegistry().run(request(script), never())).end).toEqual(end);
  });

  it.each([
    { title: "a program that does not exist", changes: { argv: ["/nonexistent/program"] } },
    { title: "a folder that does not exist", changes: { cwd: "/nonexistent" } },
    { title: "an argument with a NUL", changes: { argv: ["echo", "a\0b"] } },
  ])("reports $title as not started", async ({ changes }) => {
    const { end } = await createRegistry().run(request("true", changes), never());
    expect(end.kind).toBe("not-started");
  });

  it.skipIf(process.platform !== "linux")(
    "gives the command no input, no terminal, a session of its own",
    async () => {
      // Fields of /proc/PID/stat: 5 the process group, 6 the session, 7 the terminal.
      const script = "cat; set -- $(cat /proc/$$/stat); [ $5 = $$ ] && [ $6 = $$ ] && echo terminal $7";
      const { output } = await createRegistry().run(request(script), never());
      expect(output.head.toString()).toBe("terminal 0\n");
    },
  );

  it("decides on the first cause of an end", async () => {
    const registry = createRegistry();
    const controller = new AbortController();
    const running = registry.run(
      request("trap '' TERM; sleep 60 & wait; wait", { timeoutMs: 300 }),
      controller.signal,
    );
    setTimeout(() => controller.abort(), 600);
    expect((await running).end).toEqual({ kind: "timed-out" });
  });

  it("runs commands at the same time and keeps their output apart", async () => {
    const registry = createRegistry();
    const results = await Promise.all(
      ["a", "b", "c"].map((letter) => registry.run(request(`sleep 0.1; echo ${letter}`), never())),
    );
    expect(results.map(({ output }) => output.head.toString())).toEqual(["a\n", "b\n", "c\n"]);
  });

  it("can be disposed of twice, and with nothing running", async () => {
    const registry = createProcessRegistry();
    await registry.dispose();
    await registry.dispose();
    await expect(registry.run(request("true"), never())).rejects.toThrow("disposed");
  });
});
