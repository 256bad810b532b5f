import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { thinkingFields } from "../../src/model/thinking.js";
import { SAMPLES } from "./samples.js";

interface Exchange {
  prompt: string;
  rounds: { said: string; thought: string; results: string[] }[];
  answer: string;
}

/** A text of any size up to some thousand tokens, in any script. */
const texts: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...Object.values(SAMPLES), "Yes. ", "中文。"), fc.integer({ min: 1, max: 25 }))
  .map(([text, times]) => text.repeat(times));

const rounds = fc.record({
  said: fc.oneof(fc.constant(""), texts),
  thought: fc.oneof(fc.constant(""), texts),
  results: fc.array(texts, { minLength: 1, maxLength: 4 }),
});

const exchanges: fc.Arbitrary<Exchange> = fc.record({
  prompt: texts,
  rounds: fc.array(rounds, { maxLength: 5 }),
  answer: texts,
});

/** Conversations as they stand between two requests: whole turns, the last of which may still be at work. */
export function conversations({
  minLength = 0,
  open = fc.boolean(),
}: { minLength?: number; open?: fc.Arbitrary<boolean> } = {}): fc.Arbitrary<BaseMessage[]> {
  return fc
    .tuple(fc.array(exchanges, { minLength, maxLength: 6 }), open)
    .map(([all, isOpen]) =>
      all.flatMap((exchange, index) => toMessages(exchange, index, isOpen && index === all.length - 1)),
    );
}

function toMessages(
  { prompt, rounds: steps, answer }: Exchange,
  turn: number,
  isOpen: boolean,
): BaseMessage[] {
  const messages: BaseMessage[] = [new HumanMessage({ id: `u${turn}`, content: prompt })];
  for (const [step, { said, thought, results }] of steps.entries()) {
    const calls = results.map((_, index) => ({
      id: `c${turn}-${step}-${index}`,
      name: "read_note",
      args: { name: "a" },
      type: "tool_call" as const,
    }));
    messages.push(
      new AIMessage({
        id: `a${turn}-${step}`,
        content: said,
        tool_calls: calls,
        ...(thought === "" ? {} : thinkingFields(thought)),
      }),
      ...results.map(
        (content, index) =>
          new ToolMessage({
            id: `r${turn}-${step}-${index}`,
            tool_call_id: `c${turn}-${step}-${index}`,
            name: "read_note",
            content,
          }),
      ),
    );
  }
  if (!isOpen) messages.push(new AIMessage({ id: `e${turn}`, content: answer }));
  return messages;
}
