import { checkChatRequest, checkOptions } from "./chat-request.js";
import type { ChatMessage, ChatRequest } from "./chat-request.js";
import { keepAliveMs } from "./keep-alive.js";
import { createModelRunners } from "./model-runners.js";
import type { Load, Machine } from "./model-runners.js";
import { pullReply } from "./pull.js";
import type { PullState } from "./pull.js";
import { fail, json, say } from "./reply.js";
import type { HttpReply, RawReply, Reply } from "./reply.js";
import { runRequest } from "./run-request.js";
import type { PromptFigures } from "./run-request.js";
import { allocatedWindow, capabilitiesOf, fullName, psBody, showBody, tagsBody } from "./scripted-models.js";
import type { RunnerBehaviour, ScriptedModel } from "./scripted-models.js";

export interface Script {
  /** Default: one model named "scripted" that can call tools. */
  models?: readonly ScriptedModel[];
  /** What `/api/pull` finds beside the installed ones. */
  pullable?: readonly ScriptedModel[];
  /** One reply for each chat request in order, or a function of the request and its number from 0. */
  replies?: readonly Reply[] | ((request: ChatRequest, index: number) => Reply | Promise<Reply>);
  /**
   * The answer to requests with `num_predict: 1`, which only warm the model up; they use up none of the replies.
   * Default: one word.
   */
  warmUp?: Reply;
  /** What models with a `runner` may take; default: as much as they need. */
  machine?: Machine;
  version?: string;
}

/** A request as the routes see it. */
interface Call {
  method: string;
  path: string;
  body: unknown;
  /** Fires when the connection is gone, also after a complete answer. */
  gone: AbortSignal;
  onPrompt: (figures: PromptFigures) => void;
}

export interface Routes {
  readonly loads: readonly Load[];
  answer(call: Call): Reply | Promise<Reply>;
}

/**
 * What the server answers to a request; holds which models are installed and loaded.
 * Requests that the real server would refuse are refused with its status and words, and use up no reply.
 */
export function createRoutes(script: Script): Routes {
  const models = [...(script.models ?? [{ name: "scripted" }])];
  const pulls = new Map(models.map((model) => [model, { done: Infinity, failed: false }]));
  const runners = createModelRunners(script.machine);
  let chatCount = 0;

  function show(body: unknown): HttpReply {
    const model = findModel(models, body);
    return model === undefined ? notFound(body) : json(showBody(model));
  }

  function pull(body: unknown): RawReply {
    const model = findModel([...models, ...(script.pullable ?? [])], body);
    if (model === undefined) return { pieces: NOT_IN_REGISTRY };
    const state: PullState = pulls.get(model) ?? { done: 0, failed: false };
    pulls.set(model, state);
    return pullReply(model, state, () => {
      if (!models.includes(model)) models.push(model);
    });
  }

  // The order of the checks is the server's.
  function chat(call: Call): Reply | Promise<Reply> {
    const misshapen = checkChatRequest(call.body);
    if (misshapen !== undefined) return misshapen;
    const sent = call.body as ChatRequest;
    const request = { ...sent, messages: (sent as Partial<ChatRequest>).messages ?? [] };
    const model = findModel(models, request);
    if (model === undefined) return notFound(request);
    const isEmpty = request.messages.length === 0;
    if (isEmpty && keepAliveMs(request.keep_alive) === 0) {
      runners.unload(model);
      return withoutMessages(request.model, "unload");
    }
    const refusal = checkCapabilities(request, model) ?? checkOptions(request.options ?? {});
    if (refusal !== undefined) return refusal;
    if (model.runner !== undefined) return chatWithRunner(request, model, model.runner, call);
    runners.note({ model, contextLength: allocatedWindow(model, request.options ?? {}) });
    return isEmpty ? withoutMessages(request.model, "load") : nextReply(request);
  }

  async function chatWithRunner(
    sent: ChatRequest,
    model: ScriptedModel,
    behaviour: RunnerBehaviour,
    { gone, onPrompt }: Call,
  ): Promise<Reply> {
    const request = { ...sent, messages: sent.messages.map(withContent) };
    const loaded = await runners.load(model, behaviour, request, gone);
    if ("status" in loaded) return loaded;
    if (request.messages.length === 0) return withoutMessages(request.model, "load");
    return runRequest(request, loaded, behaviour, gone, onPrompt, () => nextReply(sent));
  }

  function nextReply(request: ChatRequest): Reply | Promise<Reply> {
    if (request.options?.["num_predict"] === 1) return script.warmUp ?? say("Hello");
    const index = chatCount;
    chatCount += 1;
    const replies = script.replies ?? [];
    if (typeof replies === "function") return replies(request, index);
    return (
      replies[index] ??
      fail(500, `the script has no reply for chat request ${index + 1}, only ${replies.length}`)
    );
  }

  function answer(call: Call): Reply | Promise<Reply> {
    switch (`${call.method} ${call.path}`) {
      case "GET /":
      case "HEAD /":
        return { status: 200, body: "Ollama is running", contentType: "text/plain; charset=utf-8" };
      case "GET /api/version":
      case "HEAD /api/version":
        return json({ version: script.version ?? "0.32.0" });
      case "GET /api/tags":
      case "HEAD /api/tags":
        return json(tagsBody(models));
      case "GET /api/ps":
        return json(psBody(runners.loaded()));
      case "POST /api/show":
        return show(call.body);
      case "POST /api/pull":
        return pull(call.body);
      case "POST /api/chat":
        return chat(call);
      default:
        return { status: 404, body: "404 page not found", contentType: "text/plain" };
    }
  }

  return { loads: runners.loads, answer };
}

const NOT_IN_REGISTRY = [
  { status: "pulling manifest" },
  { error: "pull model manifest: file does not exist" },
].map((line) => `${JSON.stringify(line)}\n`);

function checkCapabilities(request: ChatRequest, model: ScriptedModel): HttpReply | undefined {
  const capabilities = capabilitiesOf(model);
  const thinks = (request.think ?? false) !== false;
  if (thinks && !capabilities.includes("thinking"))
    return fail(400, `"${request.model}" does not support thinking`);
  if (!capabilities.includes("completion")) return fail(400, `"${request.model}" does not support chat`);
  if ((request.tools ?? []).length > 0 && !capabilities.includes("tools")) {
    return fail(400, `registry.ollama.ai/library/${fullName(request.model)} does not support tools`);
  }
  return undefined;
}

function withoutMessages(model: string, doneReason: "load" | "unload"): HttpReply {
  const message = { role: "assistant", content: "" };
  return json({ model, created_at: new Date().toISOString(), message, done: true, done_reason: doneReason });
}

function findModel(models: readonly ScriptedModel[], body: unknown): ScriptedModel | undefined {
  const wanted = fullName(modelName(body));
  return models.find((model) => fullName(model.name) === wanted);
}

/** Older clients write `name`. */
function modelName(body: unknown): string {
  const { model, name } = (body ?? {}) as { model?: unknown; name?: unknown };
  const given = model ?? name;
  return typeof given === "string" ? given : "";
}

function notFound(body: unknown): HttpReply {
  const name = modelName(body);
  return name === "" ? fail(400, "model is required") : fail(404, `model '${name}' not found`);
}

/** The server takes null for an empty text. */
function withContent(message: ChatMessage): ChatMessage {
  const { content } = message as { content?: string | null };
  return { ...message, content: content ?? "" };
}
