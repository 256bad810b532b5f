import type { DeclaredTool } from "./declared-tools.js";
import { HEAD_CHARS, mayBeCall } from "./may-be-call.js";
import { openingMarks, withoutLeadingMarks } from "./marks.js";
import type { Opening } from "./opening-scanner.js";
import { createOpeningScanner } from "./opening-scanner.js";

/** Parts of a reply while it streams: what can no longer be part of a call, and what may still turn out to be. */
export interface CallStream {
  /** Takes more text and gives what is certain. */
  write(text: string): string;
  /** Gives all that is held back, and from now on what comes at once. */
  flush(): string;
  /** Gives the rest of `result`, which begins with all that was given. */
  end(result: string): string;
  /** All that was written. */
  readonly whole: string;
}

/** As long as a reply begins with a bracket, so much of it is awaited: it may be a mark of the template. */
const LEADING_CHARS = 64;

export function createCallStream(tools: readonly DeclaredTool[], scope: "reply" | "thinking"): CallStream {
  const scanner = createOpeningScanner(openingMarks(tools), scope);
  const parts: string[] = [];
  /** Text whose beginning is not decided over; undefined when it is. */
  let unbegun: string | undefined = scope === "reply" ? "" : undefined;
  /** Not given yet; it begins at `given`. */
  let pending = "";
  let given = 0;
  /** `solid`: what of the text before may be given. */
  let held: { opening: Opening; solid: number; isLong: boolean } | undefined;
  let next: Opening | undefined;
  let isPlain = tools.length === 0;

  const give = (to: number): string => {
    const text = pending.slice(0, Math.max(0, to - given));
    pending = pending.slice(text.length);
    given += text.length;
    return text;
  };

  const mayStillBe = (candidate: NonNullable<typeof held>): boolean => {
    const { opening } = candidate;
    if (!candidate.isLong) {
      const from = opening.at - given;
      candidate.isLong = pending.length - from >= HEAD_CHARS;
      if (!mayBeCall(pending.slice(from, from + HEAD_CHARS), opening.kind, tools)) return false;
    }
    if (opening.kind !== "fence") return true;
    next = scanner.next(false);
    if (next !== undefined) return false;
    return scanner.fenceEnd === undefined || scanner.solid <= scanner.fenceEnd;
  };

  const scan = (): string => {
    for (;;) {
      if (held === undefined) {
        const opening = next ?? scanner.next(false);
        next = undefined;
        if (opening === undefined) return give(scanner.solid);
        held = { opening, solid: scanner.solid, isLong: false };
      }
      if (mayStillBe(held)) return give(held.solid);
      held = undefined;
    }
  };

  return {
    write(text) {
      parts.push(text);
      if (isPlain) {
        given += text.length;
        return text;
      }
      let more = text;
      if (unbegun !== undefined) {
        unbegun += text;
        if (text.trim() === "") return "";
        more = withoutLeadingMarks(unbegun);
        if (/^\s*(?:<|$)/.test(unbegun) && more.length < LEADING_CHARS) return "";
        unbegun = undefined;
      }
      pending += more;
      scanner.push(more);
      return scan();
    },
    flush() {
      isPlain = true;
      return give(Infinity);
    },
    end: (result) => result.slice(given),
    get whole() {
      return parts.join("");
    },
  };
}
