import { createPrintableStream } from "../../printable.js";
import type { Bottom } from "../bottom/bottom.js";
import type { Colours } from "./terminal.js";
import { withoutTabs, wrap } from "./terminal.js";

/** What the model thinks: its last rows are shown while it comes, and go away with it. */
export interface ThinkingView {
  write(delta: string): void;
  /** Takes the rows away; how long it has lasted, in milliseconds, or undefined if nothing was thought. */
  end(): number | undefined;
}

const ROWS = 4;
/** Characters that are remembered: more than the rows of any terminal hold. */
const KEPT = 4_000;

export function createThinkingView(bottom: Bottom, colours: Colours): ThinkingView {
  const safe = createPrintableStream();
  let text = "";
  let since: number | undefined;

  function rows(): string[] {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const broken = lines.slice(-ROWS).flatMap((line) => wrap(withoutTabs(line), bottom.columns - 3));
    return broken.slice(-ROWS).map((row) => colours.dim(`  ${row}`));
  }

  return {
    write(delta) {
      since ??= Date.now();
      text = (text + safe.write(delta)).slice(-KEPT);
      bottom.setLive(rows);
    },
    end() {
      if (since === undefined) return undefined;
      const lasted = Date.now() - since;
      [text, since] = ["", undefined];
      safe.end();
      bottom.setLive([]);
      return lasted;
    },
  };
}
