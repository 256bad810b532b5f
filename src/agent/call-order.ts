/**
 * Runs the calls of one reply: reads next to each other may overlap, a change waits for everything before it, and
 * everything after a change waits for it. Order is the order of `run` calls.
 */
export interface CallOrder {
  run<T>(effect: "read" | "change", call: () => Promise<T>): Promise<T>;
}

export function createCallOrder(): CallOrder {
  let lastChange: Promise<unknown> = Promise.resolve();
  const reads = new Set<Promise<unknown>>();
  return {
    run(effect, call) {
      if (effect === "read") {
        const read = lastChange.then(call);
        const end = settled(read);
        reads.add(end);
        // A promise holds the whole run that it was made in: none is kept longer than needed.
        void end.then(() => reads.delete(end));
        return read;
      }
      const change = Promise.all([lastChange, ...reads]).then(call);
      lastChange = settled(change);
      return change;
    },
  };
}

/** Order does not depend on success. */
function settled(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    () => undefined,
  );
}
