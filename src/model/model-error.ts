import type { ExitCode } from "../errors.js";
import { EXIT, UserError } from "../errors.js";

/** What went wrong between us and the model; each kind has one cause and one remedy. */
export type ModelErrorKind =
  | "unreachable"
  | "not-ollama"
  | "redirect"
  | "model-missing"
  | "pull-failed"
  | "no-tools"
  | "no-chat"
  | "no-thinking"
  | "context-overflow"
  | "out-of-memory"
  | "load-failed"
  | "runner-crashed"
  | "busy"
  | "model-output"
  | "repetition"
  | "stream-cut"
  | "timeout"
  | "server-error";

const EXIT_OF: Partial<Record<ModelErrorKind, ExitCode>> = {
  unreachable: EXIT.noModel,
  "not-ollama": EXIT.noModel,
  redirect: EXIT.noModel,
  "model-missing": EXIT.noModel,
  "no-tools": EXIT.noModel,
  "no-chat": EXIT.noModel,
  "no-thinking": EXIT.noModel,
};

/** The exit code for an error's code, which is its kind. */
export function exitCodeOfError(code: string): ExitCode {
  return EXIT_OF[code as ModelErrorKind] ?? EXIT.failed;
}

/** A request to the server that did not give a usable reply. */
export class ModelError extends UserError {
  readonly kind: ModelErrorKind;

  constructor(kind: ModelErrorKind, message: string, hint: string, cause?: unknown) {
    super(message, { code: kind, hint, exitCode: exitCodeOfError(kind), cause });
    this.name = "ModelError";
    this.kind = kind;
  }
}

/** The server's own texts, tried from top to bottom; they are the only signal that it gives. */
const SERVER_TEXTS: readonly {
  pattern: RegExp;
  kind: ModelErrorKind;
  hint: (model: string) => string;
  /** What it comes down to, where the server's words alone would blame the wrong side. */
  meaning?: (model: string) => string;
}[] = [
  {
    pattern: /model ["'].*["'] not found/i,
    kind: "model-missing",
    hint: (model) => `Pull it with: ollama pull ${model}   (or choose another: mini-cc models)`,
  },
  {
    pattern: /pull model manifest: .*(file does not exist|not found)/i,
    kind: "model-missing",
    hint: (model) => `No registry has ${model}: look its name up at https://ollama.com/library`,
  },
  {
    pattern: /requires a newer version of Ollama/i,
    kind: "pull-failed",
    hint: () => "Update Ollama (https://ollama.com/download), then pull again",
  },
  {
    pattern: /no space left on device/i,
    kind: "pull-failed",
    hint: () => "Free some space where the server keeps its models (OLLAMA_MODELS), then pull again",
  },
  {
    pattern: /^(pull model manifest|max retries exceeded|digest mismatch)/i,
    kind: "pull-failed",
    hint: () =>
      "The server could not download it: see whether its machine reaches https://ollama.com, then pull again",
  },
  {
    pattern: /does not support tools/i,
    kind: "no-tools",
    hint: () =>
      "Leave out --protocol native, and calls travel as text; or choose a model that supports tools: mini-cc models",
  },
  {
    pattern: /does not support thinking/i,
    kind: "no-thinking",
    hint: () => "Switch thinking off with --think off, or choose another model with --model",
  },
  {
    pattern: /does not support chat/i,
    kind: "no-chat",
    hint: () => "Choose a model that can chat: mini-cc models",
  },
  {
    pattern: /exceed_context_size_error|exceeds the available context size|longer than the context length/i,
    kind: "context-overflow",
    hint: () => "Start a new conversation with /clear, or enlarge the window with --num-ctx",
  },
  {
    pattern: /requires more system memory|out[- ]of[- ]memory|cudaMalloc failed|failed to allocate/i,
    kind: "out-of-memory",
    hint: () => "Use a smaller window (--num-ctx) or a smaller model (--model)",
  },
  {
    pattern: /unexpectedly stopped|no longer running|error was encountered while running the model/i,
    kind: "runner-crashed",
    hint: () =>
      "Try again; if it repeats, memory is the usual cause: use a smaller window (--num-ctx) or model",
  },
  {
    pattern: /process has terminated|timed out waiting for|incompatible with your version/i,
    kind: "load-failed",
    hint: () => "The model could not be loaded: update Ollama, or choose another model with --model",
  },
  {
    pattern: /server busy|maximum pending requests/i,
    kind: "busy",
    hint: () => "The server works on other requests: try again in a moment",
  },
  {
    pattern: /repeat limit reached/i,
    kind: "repetition",
    meaning: (model) => `${model} repeated itself, and the server ended its reply`,
    hint: () => "Send the prompt again in other words; if it repeats, use another model (--model)",
  },
  {
    pattern:
      /error parsing tool call|XML syntax error|failed to parse JSON|invalid tool call arguments|tool ['"].*['"] not found|incomplete GLM tool call/i,
    kind: "model-output",
    meaning: (model) => `${model} wrote a tool call that the server could not read`,
    hint: () =>
      "Nothing is lost: send the prompt again, or in smaller steps; if it repeats, use another model (--model)",
  },
];

/** Names the kind of a failure that the server reported in words, with or without an HTTP status. */
export function serverError(text: string, model: string, status?: number): ModelError {
  const known = SERVER_TEXTS.find((entry) => entry.pattern.test(text));
  const where = status === undefined ? "the server reported" : `the server answered ${status}`;
  const meaning = known?.meaning?.(model);
  return new ModelError(
    known?.kind ?? "server-error",
    meaning === undefined ? `${where}: ${text}` : `${meaning} (${where}: ${text})`,
    known?.hint(model) ?? "See the server's log (ollama serve) for the cause",
  );
}
