import { matchAt } from "./call-recovery/match-at.js";

/** When a text counts as one that repeats itself. Data, code and tables may; prose that does has run away. */
const LIMITS = {
  /** Characters between two looks at the end of the text. */
  look: 256,
  /** Longest block whose repetition is noticed, and what is kept of the text to see it. */
  longestBlock: 2_000,
  window: 12_000,
  /** Equal lines of prose among the newest ones. */
  lineChars: 40,
  lineTimes: 6,
  newestLines: 8,
  /** Letters of different kinds below which a line or a long block is a rule, a drawing or a filler. */
  letters: 8,
  /** The same for a short block. */
  fewLetters: 4,
} as const;

/** Times that a block comes one after another at the end of the text, by its size; the first line that fits. */
const PROSE_TIMES = [
  { atLeastChars: 80, times: 4 },
  { atLeastChars: 40, times: 6 },
  { atLeastChars: 8, times: 75 },
] as const;
/** In a code fence, in a table, in what looks like code; shorter blocks never. */
const CODE_TIMES = [
  { atLeastChars: 400, times: 6 },
  { atLeastChars: 80, times: 24 },
  { atLeastChars: 40, times: 40 },
] as const;

/** Long enough to be rare in a text that does not repeat itself. */
const NEEDLE_CHARS = 24;
/** Places where the end of the text occurs before, as far as they are tried for the length of a block. */
const MOST_TRIES = 8;

const SENTENCE_END = /[.!?。！？…"'”’)\]]*\s*/y;
const FENCE = /^ {0,3}(?:```|~~~)/;
/** A line of code, of a table, of a nested list: equal ones belong to it. */
const CODE_LINE = /^(?:\s{2,}|\t|\||>)|[;{}|\\]\s*$/;
const CODE_CHARS = /[<>{}=;[\]|_$\\*#@^~+]/g;
const CODE_SHARE = 0.05;
/** Says about as much as three letters. */
const IDEOGRAPH = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

/** Watches a text while it is written. */
export interface RepetitionWatch {
  /**
   * Takes the next piece. Tells, once it is plain that the text repeats itself, how many of its characters there are
   * up to the end of the first copy; undefined until then. Costs next to nothing but at every 256th character.
   */
  add(text: string): number | undefined;
}

export function createRepetitionWatch(): RepetitionWatch {
  let unseen = "";
  let unseenChars = 0;
  /** The end of the text, and where in the text it begins. */
  let window = "";
  let begin = 0;
  /** Characters of the window that are split into lines. */
  let split = 0;
  let inFence = false;
  let newest: { line: string; end: number }[] = [];

  function look(): number | undefined {
    window += unseen;
    unseen = "";
    unseenChars = 0;
    const found = repeatedLine() ?? repeatedBlock();
    const surplus = window.length - LIMITS.window;
    if (surplus > LIMITS.window / 4) {
      window = window.slice(surplus);
      begin += surplus;
      split = Math.max(0, split - surplus);
    }
    return found;
  }

  function repeatedLine(): number | undefined {
    for (let next = window.indexOf("\n", split); next !== -1; next = window.indexOf("\n", split)) {
      const line = window.slice(split, next);
      split = next + 1;
      if (FENCE.test(line)) inFence = !inFence;
      if (inFence || line.trim() === "") continue;
      newest = [...newest.slice(1 - LIMITS.newestLines), { line, end: begin + next }];
      if (sizeOf(line) < LIMITS.lineChars) continue;
      const equal = newest.filter((other) => other.line === line);
      const isProse = equal.length >= LIMITS.lineTimes && !isCode(line) && lettersOf(line) >= LIMITS.letters;
      if (isProse) return equal[0]?.end;
    }
    return undefined;
  }

  function repeatedBlock(): number | undefined {
    const tail = window.slice(-LIMITS.longestBlock - NEEDLE_CHARS);
    const last = tail.length - NEEDLE_CHARS;
    if (last <= 0) return undefined;
    const needle = tail.slice(last);
    let at = tail.lastIndexOf(needle, last - 1);
    for (let tries = 0; at !== -1 && tries < MOST_TRIES; tries++) {
      const length = last - at;
      const times = timesThatTell(window.slice(-length), inFence);
      if (times !== undefined && comesRound(window, length, times)) return endOfFirst(length, times);
      at = at === 0 ? -1 : tail.lastIndexOf(needle, at - 1);
    }
    return undefined;
  }

  function endOfFirst(length: number, times: number): number {
    let start = window.length - length * times;
    while (start > 0 && window[start - 1] === window[start - 1 + length]) start--;
    // What was before may end as each copy does.
    const end = start + length;
    return begin + end + (matchAt(SENTENCE_END, window, end)?.[0].length ?? 0);
  }

  return {
    add(text) {
      unseen += text;
      unseenChars += text.length;
      return unseenChars < LIMITS.look ? undefined : look();
    },
  };
}

/** Whether the text ends with so many copies of its last characters. */
function comesRound(text: string, length: number, times: number): boolean {
  return (
    length * times <= text.length &&
    text.slice(-length * (times - 1)) === text.slice(-length * times, text.length - length)
  );
}

/** How often a block must come to be taken for a repetition; undefined if it may come as often as it likes. */
function timesThatTell(block: string, inFence: boolean): number | undefined {
  const size = sizeOf(block);
  const limits = inFence || isCode(block) ? CODE_TIMES : PROSE_TIMES;
  const times = limits.find(({ atLeastChars }) => size >= atLeastChars)?.times;
  const letters = size >= LIMITS.lineChars ? LIMITS.letters : LIMITS.fewLetters;
  return times !== undefined && lettersOf(block) >= letters ? times : undefined;
}

function isCode(block: string): boolean {
  const marks = block.match(CODE_CHARS)?.length ?? 0;
  return marks >= block.length * CODE_SHARE || block.split("\n").some((line) => CODE_LINE.test(line));
}

function sizeOf(text: string): number {
  return text.length + 2 * (text.match(IDEOGRAPH)?.length ?? 0);
}

/** Letters of different kinds. */
function lettersOf(text: string): number {
  return new Set(text.toLowerCase().match(/\p{L}/gu)).size;
}
