import type { ChatChunk } from "./ollama-client.js";
import { createThinkFilter } from "./think-filter.js";

type ServerCall = NonNullable<NonNullable<ChatChunk["message"]>["tool_calls"]>[number];

/** A piece of a reply. */
export type Delta =
  { kind: "text" | "thinking"; text: string } | { kind: "calls"; calls: readonly ServerCall[] };

export interface ReplyDeltas {
  /** The pieces of what one read brought, those of one kind in one: a fast stream costs per read, not per token. */
  take(group: readonly ChatChunk[]): Delta[];
  /** What was held back until the end. */
  end(): Delta[];
}

/** Reads one reply; thinking that the server left in the text is parted from it. */
export function createReplyDeltas(): ReplyDeltas {
  const filter = createThinkFilter();

  const filtered = (part: { thinking: string; text: string }): Delta[] => [
    ...(part.thinking === "" ? [] : [{ kind: "thinking" as const, text: part.thinking }]),
    ...(part.text === "" ? [] : [{ kind: "text" as const, text: part.text }]),
  ];

  return {
    take(group) {
      const deltas: Delta[] = [];
      const add = (delta: Delta) => {
        const last = deltas.at(-1);
        if (delta.kind !== "calls" && last?.kind === delta.kind) last.text += delta.text;
        else deltas.push(delta);
      };
      for (const { message } of group) {
        if (message?.thinking) add({ kind: "thinking", text: message.thinking });
        if (message?.content) filtered(filter.write(message.content)).forEach(add);
        if (message?.tool_calls && message.tool_calls.length > 0) {
          add({ kind: "calls", calls: message.tool_calls });
        }
      }
      return deltas;
    },
    end: () => filtered(filter.end()),
  };
}
