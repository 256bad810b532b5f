/** Deeper values are no arguments, and reading them would exhaust the stack. */
export const MAX_DEPTH = 40;

/** Reads the JSON value in brackets or quotes that begins here; undefined if there is none by the rules. */
export function readStrictJson(text: string, at: number): { value: unknown; end: number } | undefined {
  const end = balancedEnd(text, at);
  if (end === undefined) return undefined;
  try {
    return { value: JSON.parse(text.slice(at, end)) as unknown, end };
  } catch {
    return undefined;
  }
}

/** Where a value in brackets or quotes ends by the rules of JSON; undefined if it does not. */
function balancedEnd(text: string, at: number): number | undefined {
  const limit = text.length;
  let depth = 0;
  for (let pos = at; pos < limit; pos++) {
    const char = text[pos];
    if (char === '"') {
      for (pos++; pos < limit && text[pos] !== '"'; pos++) if (text[pos] === "\\") pos++;
    } else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    if (depth > MAX_DEPTH) return undefined;
    if (depth === 0) return pos < limit ? pos + 1 : undefined;
  }
  return undefined;
}
