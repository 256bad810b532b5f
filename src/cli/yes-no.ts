import type { TerminalInput } from "./terminal-input.js";

/** One key, no by default. Undefined if neither was wanted: Ctrl-C, or the signal. */
export function readYesNo(input: TerminalInput, signal: AbortSignal): Promise<"y" | "n" | undefined> {
  return new Promise((resolve) => {
    function answer(given: "y" | "n" | undefined): void {
      release();
      resolve(given);
    }
    const release = input.read((event) => {
      if (event.type === "paste") return;
      if (event.type === "end") {
        answer("n");
        return;
      }
      const { ctrl, meta, name } = event.key;
      if (ctrl === true && name === "c") answer(undefined);
      else if (ctrl === true && name === "d") answer("n");
      else if (ctrl === true || meta === true) return;
      else if (name === "y") answer("y");
      else if (["n", "return", "enter", "escape"].includes(name ?? "")) answer("n");
    });
    signal.addEventListener("abort", () => {
      answer(undefined);
    });
  });
}
