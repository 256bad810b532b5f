import type { AIMessageChunk, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { SystemMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { createReactAgent, ToolNode } from "@langchain/langgraph/prebuilt";
import type { OllamaChatModel } from "../model/chat-model.js";
import type { WireTool } from "../tools/wire-schema.js";
import { NewestCheckpointSaver } from "./newest-checkpoint-saver.js";

type RunTool = (call: ToolCall) => Promise<ToolMessage>;

export interface ReactGraphOptions {
  systemPrompt: string;
  tools: readonly WireTool[];
  /** The gate: it is handed every call, also for unknown names and with arguments that fit no schema. */
  runTool: RunTool;
  /** Looks at the messages of each request before it goes out, and may throw. Tells how it is sent. */
  beforeRequest: (messages: readonly BaseMessage[]) => { model: OllamaChatModel; offersTools: boolean };
}

/** What the graph reports of the model; tool events are the gate's, since LangGraph's lack ids and skip bad calls. */
type ModelEvent =
  { type: "start" } | { type: "delta"; chunk: AIMessageChunk } | { type: "end"; reply: AIMessageChunk };

export interface ReactGraph {
  /**
   * One run of model and tools until a reply without calls; without input it goes on where the thread stands. Throws
   * what the model or `beforeRequest` threw, or the signal's reason.
   */
  run(input: BaseMessage[] | undefined, options: GraphRun): AsyncGenerator<ModelEvent>;
  /** The conversation as it stands in the thread. */
  messages(thread: string): Promise<BaseMessage[]>;
  forget(thread: string): Promise<void>;
}

interface GraphRun {
  thread: string;
  signal: AbortSignal;
  /** Most requests to the model; a guard, the gate ends a turn before. */
  maxRequests: number;
}

/** The ToolNode whose door is the gate; the gate keeps the order of the calls of one reply. */
class GateNode extends ToolNode {
  readonly #runTool: RunTool;

  constructor(runTool: RunTool) {
    super([]);
    this.#runTool = runTool;
  }

  protected override async runTool(call: ToolCall): Promise<ToolMessage> {
    return this.#runTool(call);
  }
}

/** The only place that knows LangGraph's agent. Upstream calls createReactAgent deprecated; it is kept, pinned. */
export function createReactGraph(options: ReactGraphOptions): ReactGraph {
  const tools = [...options.tools];
  const checkpointer = new NewestCheckpointSaver();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
  const agent = createReactAgent({
    llm: ({ messages }) => {
      const { model, offersTools } = options.beforeRequest(messages);
      return offersTools ? model.bindTools(tools) : model;
    },
    tools: new GateNode(options.runTool),
    prompt: new SystemMessage(options.systemPrompt),
    checkpointer,
  });

  return {
    async *run(input, { thread, signal, maxRequests }) {
      const events = agent.streamEvents(
        input === undefined ? null : { messages: input },
        {
          version: "v2",
          configurable: { thread_id: thread },
          signal,
          // A request and its calls are two steps of the graph.
          recursionLimit: 2 * maxRequests,
        },
        { includeTypes: ["chat_model"] },
      );
      for await (const event of events) {
        if (event.event === "on_chat_model_start") yield { type: "start" };
        if (event.event === "on_chat_model_stream") {
          yield { type: "delta", chunk: event.data.chunk as AIMessageChunk };
        }
        if (event.event === "on_chat_model_end") {
          yield { type: "end", reply: event.data.output as AIMessageChunk };
        }
      }
    },
    async messages(thread) {
      const state = await agent.getState({ configurable: { thread_id: thread } });
      return (state.values as { messages?: BaseMessage[] }).messages ?? [];
    },
    async forget(thread) {
      await checkpointer.deleteThread(thread);
    },
  };
}
