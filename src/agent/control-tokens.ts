/** What stands between the brackets of a mark, by the family that knows it. */
const ANGLE_MARKS = [
  "\\|[a-zA-Z0-9_]+\\|", // ChatML, Llama 3, Phi, gpt-oss, GLM, Granite: <|im_start|>
  "\\|?/?tool_(?:call|response)\\|?", // Hermes, Qwen, Gemma 4
  "｜[^｜<>]{1,40}｜", // DeepSeek
  "(?:start|end)_of_turn", // Gemma
  "(?:start|end)_function_(?:call|response)", // FunctionGemma
  "/?think",
  "/?s", // Llama 2, Mistral
  "bos",
  "eos",
].join("|");
const SQUARE_MARKS =
  "/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|THINK)"; // Mistral

const MARK = new RegExp(`<(${ANGLE_MARKS})>|\\[(${SQUARE_MARKS})\\]`, "g");
const SHOWN = new RegExp(`‹(${ANGLE_MARKS})›|⁅(${SQUARE_MARKS})⁆`, "g");

/**
 * `text` with the marks of chat templates in other brackets: `<|im_start|>` becomes `‹|im_start|›`. A server splits the
 * whole prompt at its marks, so that a file which holds them would speak to the model as the user or the system.
 */
export function showControlTokens(text: string): string {
  return text.replace(MARK, (_, angle?: string, square?: string) =>
    angle === undefined ? `⁅${square ?? ""}⁆` : `‹${angle}›`,
  );
}

/** The reverse, for what the model copied from a result into an argument: the real text is what is edited. */
export function restoreControlTokens<T>(value: T): T {
  if (typeof value !== "string") return value;
  return value.replace(SHOWN, (_, angle?: string, square?: string) =>
    angle === undefined ? `[${square ?? ""}]` : `<${angle}>`,
  ) as T;
}
