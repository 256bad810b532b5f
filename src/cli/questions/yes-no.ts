import type { TerminalInput } from "../keyboard/terminal-input.js";

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
      const key = event.key.toLowerCase();
      if (key === "ctrl-c") answer(undefined);
      else if (key === "y") answer("y");
      else if (["n", "enter", "ctrl-j", "escape", "ctrl-d"].includes(key)) answer("n");
    });
    signal.addEventListener("abort", () => {
      answer(undefined);
    });
  });
}
