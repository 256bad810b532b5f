import { checkChatRequest, checkOptions } from "./chat-request.js";
import type { ChatRequest } from "./chat-request.js";
import { fail, json } from "./reply.js";
import type { HttpReply, Reply } from "./reply.js";
import {
  allocatedWindow,
  capabilitiesOf,
  fullName,
  psBody,
  pullLines,
  showBody,
  tagsBody,
} from "./scripted-models.js";
import type { LoadedModel, ScriptedModel } from "./scripted-models.js";

export interface Script {
  /** Default: one model named "scripted" that can call tools. */
  models?: readonly ScriptedModel[];
  /** What `/api/pull` finds beside the installed ones. */
  pullable?: readonly ScriptedModel[];
  /** One reply for each chat request in order, or a function of the request and its number from 0. */
  replies?: readonly Reply[] | ((request: ChatRequest, index: number) => Reply | Promise<Reply>);
  version?: string;
}

/**
 * What the server answers to a request; holds which models are installed and loaded.
 * Requests that the real server would refuse are refused with its status and words, and use up no reply.
 */
export function createRoutes(
  script: Script,
): (method: string, path: string, body: unknown) => Reply | Promise<Reply> {
  const models = [...(script.models ?? [{ name: "scripted" }])];
  const loaded = new Map<string, LoadedModel>();
  let chatCount = 0;

  function show(body: unknown): HttpReply {
    const model = findModel(models, body);
    return model === undefined ? notFound(body) : json(showBody(model));
  }

  function pull(body: unknown): HttpReply {
    const model = findModel([...models, ...(script.pullable ?? [])], body);
    if (model !== undefined && !models.includes(model)) models.push(model);
    const missing = [{ status: "pulling manifest" }, { error: "pull model manifest: file does not exist" }];
    const lines = model === undefined ? missing : pullLines(model);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    return { status: 200, body: text, contentType: "application/x-ndjson" };
  }

  // The order of the checks is the server's.
  function chat(body: unknown): Reply | Promise<Reply> {
    const misshapen = checkChatRequest(body);
    if (misshapen !== undefined) return misshapen;
    const sent = body as ChatRequest;
    const request = { ...sent, messages: (sent as Partial<ChatRequest>).messages ?? [] };
    const model = findModel(models, request);
    if (model === undefined) return notFound(request);
    const isEmpty = request.messages.length === 0;
    if (isEmpty && isZero(request.keep_alive)) {
      loaded.delete(model.name);
      return withoutMessages(request.model, "unload");
    }
    const refusal = checkCapabilities(request, model) ?? checkOptions(request.options ?? {});
    if (refusal !== undefined) return refusal;
    loaded.set(model.name, { model, contextLength: allocatedWindow(model, request.options ?? {}) });
    return isEmpty ? withoutMessages(request.model, "load") : nextReply(request);
  }

  function nextReply(request: ChatRequest): Reply | Promise<Reply> {
    const index = chatCount;
    chatCount += 1;
    const replies = script.replies ?? [];
    if (typeof replies === "function") return replies(request, index);
    return (
      replies[index] ??
      fail(500, `the script has no reply for chat request ${index + 1}, only ${replies.length}`)
    );
  }

  return (method, path, body) => {
    switch (`${method} ${path}`) {
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
        return json(psBody(loaded.values()));
      case "POST /api/show":
        return show(body);
      case "POST /api/pull":
        return pull(body);
      case "POST /api/chat":
        return chat(body);
      default:
        return { status: 404, body: "404 page not found", contentType: "text/plain" };
    }
  };
}

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

/** The keep_alive that unloads: the number, or a duration such as "0" or "0s". */
function isZero(keepAlive: ChatRequest["keep_alive"]): boolean {
  return keepAlive === 0 || (typeof keepAlive === "string" && /^0+[a-z]*$/u.test(keepAlive));
}
