import type { CallMade, CallResult, LoopAdvice } from "./loop-guard.js";
import { LOOP_LIMITS } from "./loop-limits.js";

const SEARCHING_TOOLS: ReadonlySet<string> = new Set(["list_files", "search_code"]);

/** Searches and lists in a row that show no line which was not shown before. */
export interface FruitlessSearches {
  after(call: CallMade, result: CallResult): LoopAdvice;
  reset(): void;
}

export function createFruitlessSearches(): FruitlessSearches {
  const shown = new Set<string>();
  let count = 0;

  /** Notes what a result shows; whether any of it is new. */
  function isNew({ tool }: CallMade, { status, output }: CallResult): boolean {
    if (status !== "ok") return false;
    const before = shown.size;
    let file = "";
    // The first line counts what the others show, and those in brackets are about the search itself.
    for (const line of output.split("\n").slice(1)) {
      if (line === "" || line.startsWith("[")) continue;
      const isHit = /^ {2}\d/.test(line);
      if (tool === "search_code" && !isHit) file = line.replace(/ \(\d+\)$/, "");
      else shown.add(isHit ? `${file}${line}` : line);
    }
    return shown.size > before;
  }

  return {
    reset() {
      shown.clear();
      count = 0;
    },
    after(call, result) {
      if (!SEARCHING_TOOLS.has(call.tool) || isNew(call, result)) {
        count = 0;
        return {};
      }
      count++;
      const { wanderingNudge, wanderingAgain, wanderingStop } = LOOP_LIMITS;
      if (count >= wanderingStop) {
        return { kind: "wandering", stop: `${count} searches in a row brought nothing new` };
      }
      return count >= wanderingNudge && (count - wanderingNudge) % wanderingAgain === 0
        ? {
            kind: "wandering",
            note: "The last searches brought nothing new. Say what you know; then edit, or answer.",
          }
        : {};
    },
  };
}
