import { unescape } from "./unescape.js";

/** Parameters whose value may have many lines. */
const LONG_TEXTS = new Set(["content", "old_text", "new_text", "command"]);
/** Those that stand for whole lines: the last one ends with a line break too. */
const WHOLE_LINES = new Set(["content"]);

export function isLongText(parameter: string): boolean {
  return LONG_TEXTS.has(parameter);
}

export function isWholeLines(parameter: string): boolean {
  return WHOLE_LINES.has(parameter);
}

/** The value of a line. Quotes around it are taken off, but for text that may be meant to have them. */
export function plainValue(written: string, parameter: string): string {
  const line = written.replace(/\r$/, "");
  if (parameter === "command" || !isLongText(parameter)) return unquoted(line.trim());
  return isWholeLines(parameter) && line !== "" ? `${line}\n` : line;
}

function unquoted(value: string): string {
  const [, quote, inner = ""] = /^(["'`])([^]*)\1$/.exec(value) ?? [];
  if (quote === undefined || inner === "") return value;
  const others = quote === '"' ? inner.replace(/\\[^]/g, "") : inner;
  if (others.includes(quote)) return value;
  return quote === '"' && inner.includes('\\"') ? unescape(inner) : inner;
}

/** Text between two tags: from line to line, or exactly what is between them. */
export function rawText(written: string, parameter: string): string {
  const block = /^[ \t]*\r?\n([^]*)$/.exec(written)?.[1];
  if (block === undefined) return isLongText(parameter) ? written : written.trim();
  return lines(block, parameter);
}

/** Lines behind a name and a colon, in the ways in which models mark off such a text. */
export function longValue(written: string, parameter: string): string {
  const [, marker, rest] = /^[ \t]*([|>][-+]?)?[ \t]*\r?\n([^]*)$/.exec(written) ?? [];
  const text = rest ?? written;
  if (marker !== undefined) return lines(dedented(text), parameter);
  const [, , framed] = /^\s*(```|"""|''')[\w-]*[ \t]*\r?\n([^]*?\n|)[ \t]*\1\s*$/.exec(text) ?? [];
  return lines(framed ?? text, parameter);
}

function lines(text: string, parameter: string): string {
  const whole = text.replace(/(^|\n)[ \t]+$/, "$1");
  if (!isWholeLines(parameter)) return whole.replace(/\r?\n$/, "");
  return whole === "" || whole.endsWith("\n") ? whole : `${whole}\n`;
}

function dedented(text: string): string {
  const indent = /^[ \t]*/.exec(text)?.[0] ?? "";
  return text
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n");
}
