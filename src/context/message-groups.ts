import type { BaseMessage } from "@langchain/core/messages";
import { ToolMessage } from "@langchain/core/messages";

/**
 * The conversation in pieces that must not be torn: a user message, or a reply with the results of its calls. A
 * conversation may be cut between two of them and nowhere else.
 */
export function messageGroups(messages: readonly BaseMessage[]): BaseMessage[][] {
  const groups: BaseMessage[][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    if (ToolMessage.isInstance(message) && group) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** As many of the last groups as fit into `tokens`, but at least one. */
export function newestGroups(
  groups: readonly BaseMessage[][],
  tokens: number,
  tokensOf: (messages: readonly BaseMessage[]) => number,
): BaseMessage[][] {
  let left = tokens;
  let first = groups.length;
  while (first > 0) {
    left -= tokensOf(groups[first - 1] ?? []);
    if (left < 0 && first < groups.length) break;
    first--;
    if (left < 0) break;
  }
  return groups.slice(first);
}
