import { printable } from "../printable.js";
import { parseLine } from "./records.js";
import type { SessionRecord } from "./records.js";
import { chunksOf, eachLine } from "./session-file.js";
import type { SessionFile } from "./session-files.js";
import { ignoreMissing } from "./session-files.js";
import { createWordFinder } from "./word-finder.js";
import type { WordFinder, WordPlace } from "./word-finder.js";

/** A turn that holds all words. */
export interface SearchHit {
  session: SessionFile;
  /** Counted from 1; 0 for what was before the first prompt. */
  turn: number;
  /** What the excerpt is taken from. */
  place: Passage["place"];
  /** On one line, fit for a terminal; "…" stands where text was left out. */
  excerpt: string;
  /** Where words stand in the excerpt: offsets of beginning and end. */
  marks: (readonly [start: number, end: number])[];
}

interface Passage {
  place: "prompt" | "reply" | "call" | "result" | "title";
  text: string;
}

/** Characters of an excerpt before its first word, and of the whole. */
const BEFORE = 40;
const EXCERPT = 160;
/** Places of words that are looked at for the best excerpt. */
const MOST_PLACES = 200;

/** Bytes; a word may lie across two chunks. */
const LONGEST_WORD = 4096;

const USER = '{"type":"user"';
const HEADER = '{"type":"session"';
/** Lines that hold what was said and done; a compaction only repeats it. */
const SEARCHED = ["user", "steering", "assistant", "call-finished", "title"].map(
  (type) => `{"type":"${type}"`,
);

/**
 * The turns that hold all of the words, in any letter case; the newest turn of a session first. Words are found inside
 * others, too, since not every script puts blanks between them.
 *
 * @param sessions in the order in which they are to be searched
 */
export async function* searchSessions(
  sessions: readonly SessionFile[],
  words: readonly string[],
): AsyncGenerator<SearchHit> {
  const finder = createWordFinder(words);
  if (finder.size === 0) return;
  const ids = new Set(sessions.map(({ id }) => id));
  for (const session of sessions) {
    const turns = await likelyTurns(session, finder, ids).catch(ignoreMissing);
    for (const { turn, lines } of turns?.reverse() ?? []) {
      const passage = bestPassage(lines.flatMap(passagesOf), finder);
      if (passage) yield { session, turn, place: passage.place, ...excerptOf(passage.text, finder) };
    }
  }
}

/** Most sessions lack a word, which their bytes tell soonest when they are looked through as a whole. */
async function mayHoldAll(path: string, finder: WordFinder): Promise<boolean> {
  const found = new Set<number>();
  let before = "";
  for await (const chunk of chunksOf(path)) {
    const text = before + chunk.toString("latin1");
    for (const word of finder.mayHold(text)) found.add(word);
    if (found.size === finder.size) return true;
    before = text.slice(-LONGEST_WORD);
  }
  return false;
}

interface LikelyTurn {
  turn: number;
  /** Lines that may hold a word, one character a byte. */
  lines: string[];
}

/**
 * The turns whose bytes may hold all words, so that few lines need be parsed. Turns that were copied from another of
 * the sessions are found there.
 */
async function likelyTurns(
  { path }: SessionFile,
  finder: WordFinder,
  ids: ReadonlySet<string>,
): Promise<LikelyTurn[]> {
  if (!(await mayHoldAll(path, finder))) return [];
  const likely: LikelyTurn[] = [];
  let copied = -1;
  let turn = 0;
  let lines: string[] = [];
  let words = new Set<number>();

  function endTurn(): void {
    if (words.size === finder.size && turn > copied) likely.push({ turn, lines });
    lines = [];
    words = new Set();
  }

  function take(line: string): void {
    if (line.startsWith(HEADER)) copied = copiedTurns(line, ids);
    if (!SEARCHED.some((beginning) => line.startsWith(beginning))) return;
    if (line.startsWith(USER)) {
      endTurn();
      turn++;
    }
    const held = finder.mayHold(line);
    if (held.length > 0) lines.push(line);
    for (const word of held) words.add(word);
  }

  await eachLine(path, take, "latin1");
  endTurn();
  return likely;
}

function copiedTurns(header: string, ids: ReadonlySet<string>): number {
  const record = recordOf(header);
  if (record?.type !== "session" || !record.parent || !ids.has(record.parent.id)) return -1;
  return record.parent.turns ?? -1;
}

/** @param line one character a byte */
function recordOf(line: string): SessionRecord | undefined {
  const read = parseLine(Buffer.from(line, "latin1").toString("utf8"));
  return read.kind === "record" ? read.record : undefined;
}

function passagesOf(line: string): Passage[] {
  const record = recordOf(line);
  switch (record?.type) {
    case "user":
    case "steering":
      return [{ place: "prompt", text: record.text }];
    case "assistant":
      return [
        { place: "reply", text: record.text },
        ...record.calls.map(({ name, args }): Passage => ({
          place: "call",
          text: [name, ...Object.values(args).filter((value) => typeof value === "string")].join(" "),
        })),
      ];
    case "call-finished":
      return [{ place: "result", text: record.output }];
    case "title":
      return [{ place: "title", text: record.text }];
    default:
      return [];
  }
}

/** The passage with the most of the words; undefined if all together lack one. */
function bestPassage(passages: readonly Passage[], finder: WordFinder): Passage | undefined {
  const all = new Set<number>();
  let best: Passage | undefined;
  let most = 0;
  for (const { place, text } of passages) {
    const normal = text.normalize("NFC");
    const words = new Set(finder.places(normal).map(({ word }) => word));
    for (const word of words) all.add(word);
    if (words.size <= most) continue;
    most = words.size;
    best = { place, text: normal };
  }
  return all.size === finder.size ? best : undefined;
}

function excerptOf(text: string, finder: WordFinder): Pick<SearchHit, "excerpt" | "marks"> {
  const center = densest(finder.places(text).slice(0, MOST_PLACES));
  const start = Math.max(0, center - BEFORE);
  // Half of a pair at either end is left out.
  const slice = text.slice(start, start + EXCERPT).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  const inner = printable(slice).replace(/\s+/g, " ").trim();
  const excerpt = `${start > 0 ? "…" : ""}${inner}${start + EXCERPT < text.length ? "…" : ""}`;
  return { excerpt, marks: finder.places(excerpt).map(({ start, end }) => [start, end] as const) };
}

/** Where an excerpt holds the most different words. */
function densest(places: readonly WordPlace[]): number {
  let best = { start: 0, words: 0 };
  for (const { start } of places) {
    const near = places.filter((place) => place.start >= start && place.end <= start + EXCERPT - BEFORE);
    const words = new Set(near.map(({ word }) => word)).size;
    if (words > best.words) best = { start, words };
  }
  return best.start;
}
