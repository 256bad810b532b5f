/** How models mark their thinking where the server does not take it out. */
const DIALECTS = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "<reasoning>", close: "</reasoning>" },
  { open: "<thought>", close: "</thought>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<|channel|>analysis<|message|>", close: "<|end|>" },
  { open: "<|channel>thought", close: "<channel|>" },
] as const;

export interface ThinkFilter {
  /** What is known of the reply so far; what may turn out to be a mark is held back. */
  write(text: string): { thinking: string; text: string };
  end(): { thinking: string; text: string };
}

/**
 * Parts leading thinking from the answer, across chunk borders. Only at the beginning of a reply: the same words in the
 * answer, in files and in arguments are text. A closing mark without an opening one, which some templates leave, is
 * dropped from the beginning too.
 */
export function createThinkFilter(): ThinkFilter {
  let state: "undecided" | "thinking" | "answer" = "undecided";
  let held = "";
  let close = "";
  /** White space at the beginning of an answer is the answer's, unless it parts it from thinking. */
  let isBehindMark = false;

  function take(final: boolean): { thinking: string; text: string } {
    let thinking = "";
    for (;;) {
      if (state === "answer") {
        const text = held;
        held = "";
        return { thinking, text };
      }
      if (state === "thinking") {
        const end = held.indexOf(close);
        if (end === -1) {
          const keep = final ? 0 : overlap(held, close);
          thinking += held.slice(0, held.length - keep);
          held = held.slice(held.length - keep);
          return { thinking, text: "" };
        }
        thinking += held.slice(0, end);
        held = held.slice(end + close.length);
        isBehindMark = true;
        // Another block may follow.
        state = "undecided";
      }
      const start = held.trimStart();
      const found = DIALECTS.find((dialect) => start.startsWith(dialect.open));
      const orphan = DIALECTS.find((dialect) => start.startsWith(dialect.close));
      if (found) {
        state = "thinking";
        close = found.close;
        held = start.slice(found.open.length);
      } else if (orphan) {
        held = start.slice(orphan.close.length);
        isBehindMark = true;
      } else if (!final && mayBecomeMark(start)) {
        return { thinking, text: "" };
      } else {
        state = "answer";
        if (isBehindMark) held = start;
      }
    }
  }

  return {
    write(text) {
      held += text;
      // Space decides nothing, and a model may write much of it.
      return state === "undecided" && text.trim() === "" ? { thinking: "", text: "" } : take(false);
    },
    end: () => take(true),
  };
}

function mayBecomeMark(start: string): boolean {
  return (
    start === "" || DIALECTS.some(({ open, close }) => open.startsWith(start) || close.startsWith(start))
  );
}

/** Characters at the end of `text` with which `mark` may begin. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
