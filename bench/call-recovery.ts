import { createReplyDeltas } from "../src/model/reply-deltas.js";
import { writtenCall } from "../src/model/text-protocol/written-call.js";
import { SAMPLES, TOOLS } from "../tests/model/call-recovery/samples.js";
import type { Figure } from "./bench.js";

const ROUNDS = 50;
const TOKEN_CHARS = 4;
const PROSE =
  "The parser reads `tokens` one by one, and keeps what it has seen.\n\n- first\n- then the rest\n\n".repeat(
    20,
  );

/** What it costs to look for calls in the text of a reply, over one without tools, where nobody looks. */
export function callRecoveryFigures(): Promise<Figure[]> {
  const samples = SAMPLES.map(({ field, content }) => ({ field, content }));
  const prose = [{ field: "content" as const, content: PROSE }];
  const call = writtenCall({ name: "write_file", args: { path: "a.md", content: PROSE } });
  const asCall = [{ field: "content" as const, content: call }];
  return Promise.resolve([
    figure("recovery per reply, seen leaks and look-alikes", samples),
    figure("recovery per reply, prose of 1,900 characters", prose),
    figure("recovery per reply, a text-protocol call with that prose", asCall),
  ]);
}

function figure(
  name: string,
  replies: readonly { field: "content" | "thinking"; content: string }[],
): Figure {
  const round = (tools: typeof TOOLS) => {
    const begin = performance.now();
    for (const { field, content } of replies) {
      const deltas = createReplyDeltas(tools);
      for (let at = 0; at < content.length; at += TOKEN_CHARS) {
        deltas.take([{ message: { [field]: content.slice(at, at + TOKEN_CHARS) } }]);
      }
      deltas.end();
    }
    return performance.now() - begin;
  };
  const least = (tools: typeof TOOLS) => Math.min(...Array.from({ length: ROUNDS }, () => round(tools)));
  const perReply = (least(TOOLS) - least([])) / replies.length;
  return { name, value: Math.round(perReply * 1000), unit: "µs" };
}
