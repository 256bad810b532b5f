const GIB = 1024 ** 3;

interface Recommendation {
  model: string;
  /** Of the download, window not included, for people. */
  size: string;
}

/** By the machine's memory, the first line that fits; all of them call tools. */
const BY_MEMORY: readonly (Recommendation & { atLeastBytes: number })[] = [
  { atLeastBytes: 30 * GIB, model: "qwen3.6:27b", size: "17 GB" },
  { atLeastBytes: 15 * GIB, model: "qwen3.5:9b", size: "6.6 GB" },
];
const SMALLEST: Recommendation = { model: "qwen3.5:4b", size: "3.4 GB" };

/** Models that Ollama's own launcher of coding agents advises against, in its list of deprecated models. */
const LEGACY =
  /^(?:library\/)?(?:qwen2\.5(?:-coder)?|llama3(?:\.[123])?|mistral|codellama|starcoder2?|deepseek-r1)(?::|$)/;

/** Billions of parameters up to which work on several files is unreliable, by published tests of agents. */
const SMALL_BILLIONS = 4;

/** What to propose where nothing usable is installed. */
export function recommendedModel(memoryBytes: number): Recommendation {
  return BY_MEMORY.find(({ atLeastBytes }) => memoryBytes >= atLeastBytes) ?? SMALLEST;
}

/** What stands against a model as an agent: "legacy", or "small" (from a size such as "3.1B" or "494.03M"). */
export function weaknessOf(name: string, parameterSize: string | undefined): "legacy" | "small" | undefined {
  if (LEGACY.test(name.toLowerCase())) return "legacy";
  const [, count, unit] = /^([\d.]+)\s*([BM])/i.exec(parameterSize ?? "") ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const billions = Number(count) / (unit.toUpperCase() === "M" ? 1000 : 1);
  return billions <= SMALL_BILLIONS ? "small" : undefined;
}
