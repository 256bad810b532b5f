/** What the tests look at in a line of the stream. */
export interface Line {
  model?: string;
  created_at?: string;
  message?: {
    role: string;
    content: string;
    thinking?: string;
    tool_calls?: { id?: string; function: { index: number; name: string; arguments: unknown } }[];
  };
  done?: boolean;
  done_reason?: string;
  total_duration?: number;
  load_duration?: number;
  prompt_eval_count?: number;
  prompt_eval_duration?: number;
  eval_count?: number;
  eval_duration?: number;
  error?: string;
}

export function parseLines(text: string): Line[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** A chat request to the default model; `more` replaces or adds fields. */
export function postChat(
  url: string,
  more: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/api/chat`, {
    method: "POST",
    body: JSON.stringify({ model: "scripted", messages: [{ role: "user", content: "hello" }], ...more }),
    signal: signal ?? null,
  });
}

export async function chatLines(url: string, more: Record<string, unknown> = {}): Promise<Line[]> {
  return parseLines(await (await postChat(url, more)).text());
}

/** Status and error text of a refused chat request. */
export async function refusal(
  url: string,
  more: Record<string, unknown>,
): Promise<{ status: number; error: string }> {
  const response = await postChat(url, more);
  const { error } = (await response.json()) as { error: string };
  return { status: response.status, error };
}
