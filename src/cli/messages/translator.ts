/**
 * What the parts below `cli/` say in English, and the same in another language. A hole `{name}` stands for a value, which
 * is kept as it is. `{name:phrase}` is translated in turn if the table has it, `{name:known}` must be in the table,
 * `{name:reasons}` are several joined by "; ". `{name:number}` and `{name:word}` narrow what a value can be.
 */
export type Phrases = Readonly<Record<string, string>>;

export interface Translator {
  /** A text, or each line of one; what the table does not have stays as it is. */
  text: (english: string) => string;
  /** Several texts joined by "; ", all of which the table has; otherwise as they are. */
  reasons: (english: string) => string;
}

/** For the language in which the texts are written. */
export const AS_WRITTEN: Translator = { text: (english) => english, reasons: (english) => english };

type Kind = "value" | "number" | "word" | "phrase" | "known" | "reasons";

const VALUE_OF: Readonly<Record<Kind, string>> = {
  value: "[^]*",
  number: "\\d[\\d.,]*",
  word: "\\S+",
  phrase: "[^]+",
  known: "[^]+",
  reasons: "[^]+",
};

const HOLE = /\{([a-z]\w*)(?::([a-z]+))?\}/gi;
const SEPARATOR = "; ";
/** Characters of a line that is looked for; a longer one is somebody's words, and would take its time. */
const MOST_CHARACTERS = 2_000;

/**
 * Finds a text in the tables and gives its translation. Of several patterns that fit, the one with most words of its own
 * is meant. Where the values of a text can be told apart in more than one way, it stays in English: nothing that a user,
 * a model or a server said is taken for words of ours.
 *
 * @param separator between texts that are joined
 */
export function createTranslator(tables: readonly Phrases[], separator: string): Translator {
  let read: Tables | undefined;
  /** Parts of the text at work that were looked for already: holes can be told apart in more ways than can be tried. */
  const known = { one: new Map<string, string | undefined>(), all: new Map<string, string | undefined>() };

  function once(
    found: Map<string, string | undefined>,
    text: string,
    lookUp: (text: string) => string | undefined,
  ): string | undefined {
    if (text.length > MOST_CHARACTERS) return undefined;
    if (!found.has(text)) found.set(text, lookUp(text));
    return found.get(text);
  }

  /** Undefined for what the tables do not have. */
  const translate = (text: string) => once(known.one, text, find);

  /** Each of several joined texts, as short as the tables have them. */
  const translateAll = (text: string) => once(known.all, text, findAll);

  function find(text: string): string | undefined {
    const { whole, patterns } = (read ??= readTables(tables));
    const plain = whole.get(text);
    if (plain !== undefined) return plain;
    for (const pattern of patterns) {
      const readings = pattern.read(text);
      if (readings.length === 0) continue;
      const filled = readings.map((values) => fill(pattern, values)).filter((found) => found !== undefined);
      if (filled.length > 0) return new Set(filled).size === 1 ? filled[0] : undefined;
    }
    return undefined;
  }

  function fill({ holes, translation }: Pattern, values: readonly string[]): string | undefined {
    const filled = new Map<string, string>();
    for (const [at, { name, kind }] of holes.entries()) {
      const value = valueIn(kind, values[at] ?? "");
      // Where a name stands twice, both must say the same.
      if (value === undefined || (filled.get(name) ?? value) !== value) return undefined;
      filled.set(name, value);
    }
    return translation.replace(HOLE, (hole, name: string) => filled.get(name) ?? hole);
  }

  function valueIn(kind: Kind, value: string): string | undefined {
    if (kind === "known") return translate(value);
    if (kind === "phrase") return translate(value) ?? value;
    return kind === "reasons" ? (translateAll(value) ?? value) : value;
  }

  function findAll(text: string): string | undefined {
    for (let at = text.indexOf(SEPARATOR); at !== -1; at = text.indexOf(SEPARATOR, at + 1)) {
      const first = translate(text.slice(0, at));
      const rest = first === undefined ? undefined : translateAll(text.slice(at + SEPARATOR.length));
      if (first !== undefined && rest !== undefined) return `${first}${separator}${rest}`;
    }
    return translate(text);
  }

  function translateLines(text: string): string | undefined {
    const lines = text.split("\n").map(translate);
    return lines.every((line) => line !== undefined) ? lines.join("\n") : undefined;
  }

  function forgetting(translation: string): string {
    known.one.clear();
    known.all.clear();
    return translation;
  }

  return {
    text: (english) => forgetting(translate(english) ?? translateLines(english) ?? english),
    reasons: (english) => forgetting(translateAll(english) ?? english),
  };
}

interface Hole {
  name: string;
  kind: Kind;
}

interface Pattern {
  /** Characters that are no hole. */
  weight: number;
  holes: readonly Hole[];
  translation: string;
  /** The values with the first ones as short as possible, and as long as possible if that differs; none if unlike. */
  read: (text: string) => readonly (readonly string[])[];
}

interface Tables {
  /** Texts without holes. */
  whole: ReadonlyMap<string, string>;
  /** Those with most words of their own first. */
  patterns: readonly Pattern[];
}

function readTables(tables: readonly Phrases[]): Tables {
  const whole = new Map<string, string>();
  const patterns: Pattern[] = [];
  for (const [english, translation] of tables.flatMap((table) => Object.entries(table))) {
    if (english.search(HOLE) === -1) whole.set(english, translation);
    else patterns.push(readPattern(english, translation));
  }
  return { whole, patterns: patterns.sort((a, b) => b.weight - a.weight) };
}

function readPattern(english: string, translation: string): Pattern {
  const pieces = english.split(HOLE);
  const literals = pieces.filter((_, index) => index % 3 === 0);
  const holes = pieces.flatMap((name, index) =>
    index % 3 === 1 ? [{ name, kind: (pieces[index + 1] as Kind | undefined) ?? "value" }] : [],
  );
  const [beginning = "", end = ""] = [literals[0], literals.at(-1)];
  const weight = literals.join("").length;
  const expression = (lazy: string) => {
    const parts = literals.map((literal, index) => {
      const hole = holes[index];
      return escapeRegExp(literal) + (hole === undefined ? "" : `(${VALUE_OF[hole.kind]}${lazy})`);
    });
    return new RegExp(`^${parts.join("")}$`);
  };
  let shortest: RegExp | undefined;
  let longest: RegExp | undefined;
  return {
    weight,
    holes,
    translation,
    read(text) {
      if (text.length < weight || !text.startsWith(beginning) || !text.endsWith(end)) return [];
      const first = (shortest ??= expression("?")).exec(text)?.slice(1);
      if (first === undefined) return [];
      const last = (longest ??= expression("")).exec(text)?.slice(1) ?? first;
      return first.every((value, at) => value === last[at]) ? [first] : [first, last];
    },
  };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
