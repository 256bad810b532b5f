import type { History } from "./history.js";

const MAX_PROMPT = 60;

/** What the model is told with the next message: which of its changes are gone, or there again. */
export function untoldText(untold: History["untold"]): string {
  const lines = untold.map(({ action, prompt, files, more }) => {
    const what = action === "undo" ? "undid" : "restored again";
    const rest = more > 0 ? ` and ${more} more` : "";
    const names = files.length === 0 ? "no files" : files.join(", ") + rest;
    return `[The user ${what} the changes of your turn "${shortened(prompt)}": ${names}. Read these files again before you use them.]`;
  });
  return lines.join("\n");
}

function shortened(prompt: string): string {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length > MAX_PROMPT ? `${line.slice(0, MAX_PROMPT)}…` : line;
}
