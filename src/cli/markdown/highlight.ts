import { c, cpp, csharp, dart, java, kotlin, objectiveC, scala } from "@codemirror/legacy-modes/mode/clike";
import { css, less, sCSS } from "@codemirror/legacy-modes/mode/css";
import { diff } from "@codemirror/legacy-modes/mode/diff";
import { dockerFile } from "@codemirror/legacy-modes/mode/dockerfile";
import { go } from "@codemirror/legacy-modes/mode/go";
import { javascript, json, typescript } from "@codemirror/legacy-modes/mode/javascript";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { powerShell } from "@codemirror/legacy-modes/mode/powershell";
import { properties } from "@codemirror/legacy-modes/mode/properties";
import { python } from "@codemirror/legacy-modes/mode/python";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { standardSQL } from "@codemirror/legacy-modes/mode/sql";
import { swift } from "@codemirror/legacy-modes/mode/swift";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { html, xml } from "@codemirror/legacy-modes/mode/xml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { StringStream } from "@codemirror/streamparser";
import type { StreamParser } from "@codemirror/streamparser";
import type { CodeState, Highlighter } from "./highlighter.js";
import { STYLE } from "./span.js";
import type { Span } from "./span.js";

const LANGUAGES: readonly [names: string, parser: StreamParser<unknown>][] = [
  ["javascript js jsx mjs cjs node", javascript],
  ["typescript ts tsx mts cts", typescript],
  ["json jsonc json5", json],
  ["python py python3", python],
  ["bash sh shell zsh console shell-session", shell],
  ["c h", c],
  ["cpp c++ cc cxx hpp", cpp],
  ["csharp cs c#", csharp],
  ["java", java],
  ["kotlin kt", kotlin],
  ["scala", scala],
  ["dart", dart],
  ["objective-c objectivec objc", objectiveC],
  ["go golang", go],
  ["rust rs", rust],
  ["ruby rb", ruby],
  ["swift", swift],
  ["lua", lua],
  ["powershell ps1 pwsh", powerShell],
  ["sql mysql postgresql postgres sqlite", standardSQL],
  ["yaml yml", yaml],
  ["toml", toml],
  ["ini properties env dotenv conf", properties],
  ["html", html],
  ["xml svg", xml],
  ["css", css],
  ["scss", sCSS],
  ["less", less],
  ["dockerfile docker", dockerFile],
  ["diff patch", diff],
];

/** By the beginning of the names that the parsers give to what they find. */
const STYLES: Readonly<Record<string, number>> = {
  keyword: STYLE.keyword,
  tag: STYLE.keyword,
  operatorKeyword: STYLE.keyword,
  string: STYLE.literal,
  regexp: STYLE.literal,
  character: STYLE.literal,
  inserted: STYLE.literal,
  deleted: STYLE.removed,
  comment: STYLE.faint,
  meta: STYLE.faint,
  number: STYLE.value,
  atom: STYLE.value,
  bool: STYLE.value,
  attribute: STYLE.value,
  attributeName: STYLE.value,
};

const TAB = 8;
/** A parser that takes nothing for so many times is stuck. */
const MOST_IDLE = 20;

export function createHighlighter(): Highlighter {
  const parsers = new Map(
    LANGUAGES.flatMap(([names, parser]) => names.split(" ").map((name) => [name, parser] as const)),
  );
  return {
    begin(language) {
      const parser = parsers.get(language.toLowerCase());
      return parser && { parser, state: parser.startState?.(2) ?? {} };
    },
    line: highlightLine,
  };
}

function highlightLine(
  line: string,
  { parser, state: before }: CodeState,
): { spans: Span[]; after: CodeState } {
  const state = copied(parser, before);
  const after = { parser, state };
  if (line === "") {
    parser.blankLine?.(state, 2);
    return { spans: [], after };
  }
  const stream = new StringStream(line, TAB, 2);
  const spans: Span[] = [];
  let idle = 0;
  while (!stream.eol() && idle < MOST_IDLE) {
    const name = parser.token(stream, state);
    const text = stream.current();
    if (text === "") idle++;
    else spans.push({ text, style: styleOf(name) });
    stream.start = stream.pos;
  }
  const rest = line.slice(stream.start);
  if (rest !== "") spans.push({ text: rest, style: STYLE.none });
  return { spans, after };
}

function styleOf(names: string | null): number {
  for (const name of (names ?? "").split(" ")) {
    const style = STYLES[name.split(".", 1)[0] ?? ""];
    if (style !== undefined) return style;
  }
  return STYLE.none;
}

/** Parsers change their state; what a line began with is kept, since a line that still grows is read again. */
function copied(parser: StreamParser<unknown>, state: unknown): unknown {
  if (parser.copyState) return parser.copyState(state);
  if (typeof state !== "object" || state === null) return state;
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...(value as unknown[])] : value,
    ]),
  );
}
