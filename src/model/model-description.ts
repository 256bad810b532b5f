import { z } from "zod";
import type { ModelDetails } from "./ollama-client.js";

/** The answer to `/api/show`, read leniently. */
export const showReply = z.object({
  capabilities: z.array(z.string()).nullish(),
  parameters: z.string().nullish(),
  template: z.string().nullish(),
  modelfile: z.string().nullish(),
  details: z
    .object({
      family: z.string().nullish(),
      parameter_size: z.string().nullish(),
      quantization_level: z.string().nullish(),
    })
    .nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
  remote_host: z.string().nullish(),
});

/** What a person may want to know of a model, beyond what a session needs. */
export interface ModelDescription extends ModelDetails {
  /** Such as "7.6B" and "Q4_K_M"; undefined if the server does not say. */
  parameterSize: string | undefined;
  quantization: string | undefined;
  /** Memory that a token of the window takes; undefined if the server does not say enough. */
  kvBytesPerToken: number | undefined;
  /** The Modelfile's PARAMETER lines in their order; a name may come more than once. */
  parameters: readonly { name: string; value: string }[];
  template: string;
  /** The server's own code that writes prompts and reads replies of this family, where it has some. */
  renderer: string | undefined;
  parser: string | undefined;
}

export function describeModel(name: string, reply: z.output<typeof showReply>): ModelDescription {
  const info = reply.model_info ?? {};
  const architecture = info["general.architecture"];
  const fact = (key: string): unknown =>
    typeof architecture === "string" ? info[`${architecture}.${key}`] : undefined;
  const parameters = readParameters(reply.parameters ?? "");
  const directive = (word: string) => new RegExp(`^${word}\\s+(\\S+)`, "m").exec(reply.modelfile ?? "")?.[1];
  return {
    capabilities: reply.capabilities ?? undefined,
    family: reply.details?.family ?? "",
    trainedContext: positive(fact("context_length")),
    setsTemperature: parameters.some((parameter) => parameter.name === "temperature"),
    cloud: isCloud(name, reply.remote_host),
    parameterSize: reply.details?.parameter_size || undefined,
    quantization: reply.details?.quantization_level || undefined,
    kvBytesPerToken: kvBytesPerToken(fact),
    parameters,
    template: reply.template ?? "",
    renderer: directive("RENDERER"),
    parser: directive("PARSER"),
  };
}

export function isCloud(name: string, remote: string | null | undefined): boolean {
  return (remote !== undefined && remote !== null && remote !== "") || /[:-]cloud$/.test(name);
}

/** Bytes of a 16-bit number; servers that store the window in fewer bits need less. */
const F16_BYTES = 2;

/**
 * A key and a value for each layer and each of its key/value heads, as llama.cpp allocates them. Too much for layers
 * that only see a sliding window.
 */
function kvBytesPerToken(fact: (key: string) => unknown): number | undefined {
  const layers = positive(fact("block_count"));
  const heads = positive(fact("attention.head_count"));
  const embedding = positive(fact("embedding_length"));
  const headLength = heads !== undefined && embedding !== undefined ? embedding / heads : undefined;
  const key = positive(fact("attention.key_length")) ?? headLength;
  const value = positive(fact("attention.value_length")) ?? key;
  const kvHeads = fact("attention.head_count_kv");
  if (layers === undefined || key === undefined || value === undefined) return undefined;
  const perLayer = z.array(z.number()).safeParse(kvHeads);
  const allHeads = perLayer.success
    ? perLayer.data.reduce((sum, count) => sum + count, 0)
    : layers * (positive(kvHeads) ?? NaN);
  return positive(allHeads * (key + value) * F16_BYTES);
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** Lines of `name   value`; a value may be in quotes. */
function readParameters(text: string): { name: string; value: string }[] {
  return [...text.matchAll(/^[ \t]*(\S+)[ \t]+(.*\S)[ \t]*$/gm)].map(([, name = "", value = ""]) => ({
    name,
    value,
  }));
}
