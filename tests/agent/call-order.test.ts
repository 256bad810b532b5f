import { expect, test } from "vitest";
import { createCallOrder } from "../../src/agent/call-order.js";

/** Calls whose ends the test decides. */
function calls() {
  const order = createCallOrder();
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    started,
    start: (name: string, effect: "read" | "change") => {
      const promise = order.run(effect, () => {
        started.push(name);
        return new Promise<string>((resolve, reject) => {
          ends.set(name, (error) => (error ? reject(error) : resolve(name)));
        });
      });
      promise.catch(() => undefined);
      return promise;
    },
    end: async (name: string, error?: Error) => {
      ends.get(name)?.(error);
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("reads next to each other run together", async () => {
  const { start, started } = calls();
  void start("r1", "read");
  void start("r2", "read");
  await settle();
  expect(started).toEqual(["r1", "r2"]);
});

test("a change waits for every read before it, and everything after it waits for the change", async () => {
  const { start, started, end } = calls();
  for (const name of ["r1", "r2"]) void start(name, "read");
  void start("w1", "change");
  void start("r3", "read");
  void start("w2", "change");
  await settle();
  await end("r2");
  expect(started).toEqual(["r1", "r2"]);
  await end("r1");
  expect(started).toEqual(["r1", "r2", "w1"]);
  await end("w1");
  expect(started).toEqual(["r1", "r2", "w1", "r3"]);
  await end("r3");
  expect(started).toEqual(["r1", "r2", "w1", "r3", "w2"]);
});

test("a call that fails tells its caller and holds nobody up", async () => {
  const { start, started, end } = calls();
  const first = start("w1", "change");
  const second = start("w2", "change");
  await settle();
  await end("w1", new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  expect(started).toEqual(["w1", "w2"]);
  await end("w2");
  expect(await second).toBe("w2");
});
