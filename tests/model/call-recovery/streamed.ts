import type { DeclaredTool } from "../../../src/model/call-recovery/declared-tools.js";
import type { RecoveredCall } from "../../../src/model/call-recovery/gates.js";
import type { NewReply } from "../../../src/model/call-recovery/recover-calls.js";
import type { CallProtocol } from "../../../src/model/call-protocol.js";
import type { Delta, Recovery } from "../../../src/model/reply-deltas.js";
import { createReplyDeltas } from "../../../src/model/reply-deltas.js";

interface Streamed {
  calls: RecoveredCall[];
  text: string;
  thinking: string;
  recovery: Recovery;
}

/** What comes of a reply whose text arrives in these pieces. */
export function streamed(
  pieces: readonly Partial<NewReply>[],
  tools: readonly DeclaredTool[],
  protocol: CallProtocol = "native",
): Streamed {
  const deltas = createReplyDeltas(tools, protocol);
  const result: Streamed = { calls: [], text: "", thinking: "", recovery: {} };
  const take = (delta: Delta) => {
    if (delta.kind !== "calls") result[delta.kind] += delta.text;
    else {
      for (const call of delta.calls) {
        result.calls.push({ name: call.function!.name!, args: call.function!.arguments as object as never });
      }
    }
  };
  for (const { content, thinking, doneReason, nativeCalls } of pieces) {
    const message = {
      ...(content === undefined ? {} : { content }),
      ...(thinking === undefined ? {} : { thinking }),
      ...(nativeCalls && {
        tool_calls: nativeCalls.map(({ name, args }) => ({ function: { name, arguments: args } })),
      }),
    };
    deltas
      .take([{ message, ...(doneReason === undefined ? {} : { done_reason: doneReason }) }])
      .forEach(take);
  }
  deltas.end().forEach(take);
  return { ...result, recovery: deltas.recovery };
}

/** Cuts a text at these places, given as parts of its length. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => Math.floor(place * text.length)))].sort((a, b) => a - b);
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index])).filter((piece) => piece !== "");
}
