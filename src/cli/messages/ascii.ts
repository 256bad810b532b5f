import type { Messages } from "./catalogue.js";

/** What is drawn of ours besides letters, and what stands for it in ASCII. */
const ASCII: Readonly<Record<string, string>> = {
  "›": ">",
  "✓": "+",
  "✗": "x",
  "●": "*",
  "│": "|",
  "─": "-",
  "…": "...",
  "·": "-",
  "–": "-",
  "−": "-",
  "×": "x",
  "→": "->",
  "↑": "Up",
  "↓": "Down",
  "⏎": "\\n",
  "␠": "SP",
  "⠋": "|",
  "⠙": "/",
  "⠹": "-",
  "⠸": "\\",
  "⠼": "|",
  "⠴": "/",
  "⠦": "-",
  "⠧": "\\",
  "⠇": "-",
  "⠏": "\\",
};

const GLYPHS = Object.keys(ASCII);
const ANY_GLYPH = new RegExp(`[${GLYPHS.join("")}]`, "gu");
/** Code points that are no characters, one for each glyph: no text holds them. */
const NO_CHARACTERS = GLYPHS.map((_, index) => String.fromCodePoint(0xfdd0 + index));

/** A text of ours in ASCII, as far as it is made of symbols and not of the letters of a language. */
export function toAscii(text: string): string {
  return text.replace(ANY_GLYPH, (glyph) => ASCII[glyph] ?? glyph);
}

/** The catalogue with the symbols of its own texts in ASCII; what a text is given stays as it is. */
export function asciiMessages(messages: Messages): Messages {
  return converted(messages) as Messages;
}

function converted(entry: unknown): unknown {
  if (typeof entry === "string") return toAscii(entry);
  if (Array.isArray(entry)) return entry.map(converted);
  if (typeof entry === "function") {
    const text = entry as (...given: unknown[]) => unknown;
    return (...given: unknown[]) => released(converted(text(...given.map(held))));
  }
  if (typeof entry !== "object" || entry === null) return entry;
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, converted(value)]));
}

/** What a text is given, with its glyphs out of reach of the conversion. */
function held(given: unknown): unknown {
  return mapped(given, (text) =>
    text.replace(ANY_GLYPH, (glyph) => NO_CHARACTERS[GLYPHS.indexOf(glyph)] ?? glyph),
  );
}

function released(result: unknown): unknown {
  return mapped(result, (text) =>
    text.replace(/[\ufdd0-\ufdef]/g, (hidden) => GLYPHS[NO_CHARACTERS.indexOf(hidden)] ?? hidden),
  );
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, change)]));
}
