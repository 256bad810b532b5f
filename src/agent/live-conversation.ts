import { randomUUID } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { conversationFrom } from "./conversation.js";
import type { ReactGraph } from "./react-graph.js";
import type { Turn } from "./turn.js";

/** The conversation in LangGraph's memory: a thread, and the messages that a new thread begins with. */
export interface LiveConversation {
  readonly thread: string;
  messages(): Promise<BaseMessage[]>;
  /** What goes in with the next run. */
  unsent(): BaseMessage[];
  /** A run has taken in what was unsent. */
  sent(): void;
  /** Forgets the thread; the next one begins with these messages. */
  replace(messages: BaseMessage[]): Promise<void>;
  /** After a turn that did not end by itself the thread may lack answers: what its records say fills them in. */
  repair(messageId: string, records: Turn["records"]): Promise<void>;
}

export function createLiveConversation(graph: ReactGraph, beginning: BaseMessage[]): LiveConversation {
  let thread = randomUUID();
  let unsent = beginning;
  const live: LiveConversation = {
    get thread() {
      return thread;
    },
    async messages() {
      return [...(await graph.messages(thread)), ...unsent];
    },
    unsent: () => unsent,
    sent() {
      unsent = [];
    },
    async replace(messages) {
      await graph.forget(thread);
      thread = randomUUID();
      unsent = messages;
    },
    async repair(messageId, records) {
      const messages = await live.messages();
      const turnStart = messages.findIndex((message) => message.id === messageId);
      const before = turnStart === -1 ? messages : messages.slice(0, turnStart);
      // What was before a compaction is in it.
      const compacted = records.some((record) => record.type === "compaction");
      await live.replace([...(compacted ? [] : before), ...conversationFrom(records)]);
    },
  };
  return live;
}
