import { createHash } from "node:crypto";

/** A model that the scripted server has, as `/api/tags` and `/api/show` tell of it. */
export interface ScriptedModel {
  name: string;
  /** Bytes. */
  size?: number;
  /** Default: completion and tools. */
  capabilities?: readonly string[];
  /** Trained context length in tokens. */
  contextLength?: number;
  family?: string;
  parameterSize?: string;
  template?: string;
  /** Where clients find RENDERER and PARSER lines. */
  modelfile?: string;
  /** Lines of `key   value`. */
  parameters?: string;
  /** ISO date; the server's list is sorted newest first. */
  modifiedAt?: string;
  /** Marks a cloud model: where its requests go. */
  remoteHost?: string;
  /** Bytes in video memory once loaded; less than `size` means that it spilled to the CPU. */
  sizeVram?: number;
}

export interface LoadedModel {
  model: ScriptedModel;
  contextLength: number;
}

/** Tokens, Ollama's default window on a machine with less than 23 GiB of video memory. */
const DEFAULT_WINDOW = 4096;
const DEFAULT_SIZE = 4_683_087_332;
const DEFAULT_TRAINED = 32_768;

/** `name` and `name:latest` are one model, in any case. */
export function fullName(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes(":") ? lower : `${lower}:latest`;
}

export function capabilitiesOf(model: ScriptedModel): readonly string[] {
  return model.capabilities ?? ["completion", "tools"];
}

/** The window that a request gets: what it asks for, at most what the model was trained with. */
export function allocatedWindow(model: ScriptedModel, options: Record<string, unknown>): number {
  const asked = options["num_ctx"];
  return Math.min(typeof asked === "number" ? asked : DEFAULT_WINDOW, model.contextLength ?? DEFAULT_TRAINED);
}

/** The body of GET /api/tags. */
export function tagsBody(models: readonly ScriptedModel[]): unknown {
  const newestFirst = [...models].sort((a, b) => modifiedAt(b).localeCompare(modifiedAt(a)));
  return {
    models: newestFirst.map((model) => ({
      name: fullName(model.name),
      model: fullName(model.name),
      ...remote(model),
      modified_at: modifiedAt(model),
      size: model.size ?? DEFAULT_SIZE,
      digest: digest(model),
      details: details(model),
      capabilities: capabilitiesOf(model),
    })),
  };
}

/** The body of POST /api/show. */
export function showBody(model: ScriptedModel): unknown {
  const family = model.family ?? "qwen2";
  const template = model.template ?? "{{ .Prompt }}";
  return {
    modelfile: model.modelfile ?? `FROM ${model.name}\nTEMPLATE """${template}"""\n`,
    parameters: model.parameters ?? "",
    template,
    details: details(model),
    ...remote(model),
    model_info: {
      "general.architecture": family,
      [`${family}.context_length`]: model.contextLength ?? DEFAULT_TRAINED,
    },
    capabilities: capabilitiesOf(model),
    modified_at: modifiedAt(model),
  };
}

/** The body of GET /api/ps. */
export function psBody(loaded: Iterable<LoadedModel>): unknown {
  return {
    models: [...loaded].map(({ model, contextLength }) => ({
      name: fullName(model.name),
      model: fullName(model.name),
      size: model.size ?? DEFAULT_SIZE,
      digest: digest(model),
      details: details(model),
      expires_at: new Date(Date.now() + 5 * 60_000).toISOString(),
      size_vram: model.sizeVram ?? model.size ?? DEFAULT_SIZE,
      context_length: contextLength,
    })),
  };
}

/** The lines of POST /api/pull for a model that the registry has. */
export function pullLines(model: ScriptedModel): unknown[] {
  const layer = digest(model);
  const total = model.size ?? DEFAULT_SIZE;
  const status = `pulling ${layer.slice(0, 12)}`;
  return [
    { status: "pulling manifest" },
    ...[0, 0.25, 0.5, 0.75, 1].map((part) => ({
      status,
      digest: `sha256:${layer}`,
      total,
      ...(part > 0 && { completed: Math.floor(total * part) }),
    })),
    { status: "verifying sha256 digest" },
    { status: "writing manifest" },
    { status: "success" },
  ];
}

function details(model: ScriptedModel): unknown {
  const family = model.family ?? "qwen2";
  return {
    parent_model: "",
    format: model.remoteHost === undefined ? "gguf" : "",
    family,
    families: [family],
    parameter_size: model.parameterSize ?? "7.6B",
    quantization_level: "Q4_K_M",
  };
}

function remote(model: ScriptedModel): { remote_model?: string; remote_host?: string } {
  return model.remoteHost === undefined ? {} : { remote_model: model.name, remote_host: model.remoteHost };
}

function modifiedAt(model: ScriptedModel): string {
  return model.modifiedAt ?? "2026-01-01T00:00:00Z";
}

function digest(model: ScriptedModel): string {
  return createHash("sha256").update(fullName(model.name)).digest("hex");
}
