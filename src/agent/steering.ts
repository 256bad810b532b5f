import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { LiveConversation } from "./live-conversation.js";
import type { Turn } from "./turn.js";

/** Messages of the user that wait for the next step of a turn. They can be taken back until they are taken. */
export interface Steering {
  isWaiting(): boolean;
  /** Hands over all that wait, oldest first. */
  take(): Promise<string[]>;
}

/** Thrown in place of a request: what the user has said goes into the conversation, and the run goes on. */
export class SteeringWaits extends Error {
  constructor() {
    super("The user has said something that goes into the next request.");
    this.name = "SteeringWaits";
  }
}

/** Only between the results of tools and the next request: elsewhere two user messages would follow one another. */
export function mayBeSteered(messages: readonly BaseMessage[], steering: Steering | undefined): boolean {
  return steering?.isWaiting() === true && ToolMessage.isInstance(messages.at(-1));
}

/** Puts what waits at the end of the conversation, as one message. */
export async function steer(
  turn: Turn,
  live: LiveConversation,
  steering: Steering | undefined,
): Promise<void> {
  const text = ((await steering?.take()) ?? []).join("\n\n");
  const messages = await live.messages();
  if (text === "") return;
  turn.record({ type: "steering", at: new Date().toISOString(), text });
  turn.emit({ type: "steering", text });
  await live.replace([...messages, new HumanMessage(text)]);
}
