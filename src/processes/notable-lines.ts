/** Words of a line that tells what went wrong. Programs glue them to other words, as in `TypeError` or `npm ERR!`. */
const ERROR =
  /error|\berr!|fail|fatal|panic|exception|traceback|assert|segmentation fault|core dumped|undefined reference|unresolved|cannot |can't |could not|unable to|denied|refused|not found|no such file|timed out|[✗✘❌]/i;
const WARNING = /warn(ing)?s?\b|deprecated/i;
/** "0 errors", "no failures": a line that says that all is well. */
const NONE = /\b(0|no|without) (errors?|fail\w*|warnings?|exceptions?|problems?)\b/gi;

export type Severity = "error" | "warning";

/** Whether a line looks as if it told of something wrong. A guess by its words. */
export function severityOf(line: string): Severity | undefined {
  const text = line.replace(NONE, "");
  return ERROR.test(text) ? "error" : WARNING.test(text) ? "warning" : undefined;
}

/** A line of output and how many line ends came before it. */
export interface NotableLine {
  line: number;
  bytes: Buffer;
}

export interface NotableLines {
  add(chunk: Buffer): void;
  /** Line ends so far. */
  lineEnds(): number;
  found(): readonly NotableLine[];
}

/** The lines after an error often say where it is. */
const LINES_AFTER = 2;
/** Of a line; what comes after is not looked at. */
const MAX_LINE_BYTES = 1_000;
/** Share of the room that warnings may take. */
const WARNING_SHARE = 0.25;
/** A program that prints more than this is not read line by line any longer, so that it is not slowed down. */
const MAX_SCANNED_BYTES = 64 * 1024 * 1024;

/** For a first look: most output has none of it. Latin-1 text. */
const CANDIDATE = new RegExp(
  `${ERROR.source.replace("|[✗✘❌]", "|\\xe2\\x9c[\\x97\\x98]|\\xe2\\x9d\\x8c")}|${WARNING.source}`,
  "gi",
);

/** Picks out of any amount of output the lines that look like errors, in bounded memory; equal lines once. */
export function createNotableLines(maxBytes: number): NotableLines {
  const room = { warning: maxBytes * WARNING_SHARE, error: maxBytes * (1 - WARNING_SHARE) };
  const found: NotableLine[] = [];
  const seen = new Set<string>();
  /** The beginning of the line that is not complete yet. */
  let open = "";
  let line = 0;
  let scanned = 0;
  let after: { left: number; severity: Severity } = { left: 0, severity: "error" };

  function keep(text: string, severity: Severity): boolean {
    const bytes = Buffer.from(text.slice(0, MAX_LINE_BYTES), "latin1");
    if (seen.has(text) || bytes.length > room[severity]) return false;
    seen.add(text);
    room[severity] -= bytes.length;
    found.push({ line, bytes });
    return true;
  }

  /** Takes whole lines, up to the line end at `end`. */
  function scan(text: string, end: number): void {
    let at = 0;
    while (at <= end) {
      let start = at;
      if (after.left === 0) {
        CANDIDATE.lastIndex = at;
        const hit = CANDIDATE.exec(text);
        if (hit === null || hit.index > end) break;
        start = text.lastIndexOf("\n", hit.index) + 1;
      }
      line += lineEndsIn(text, at, start);
      const stop = text.indexOf("\n", start);
      const whole = text.slice(start, stop);
      const severity = severityOf(Buffer.from(whole, "latin1").toString());
      if (severity !== undefined) {
        if (keep(whole, severity)) after = { left: LINES_AFTER, severity };
      } else if (after.left > 0) {
        after.left--;
        if (whole.trim() !== "") keep(whole, after.severity);
      }
      line++;
      at = stop + 1;
    }
    line += lineEndsIn(text, at, end + 1);
  }

  return {
    add(chunk) {
      scanned += chunk.length;
      if (scanned > MAX_SCANNED_BYTES) {
        line += countLineEnds(chunk);
        return;
      }
      const text = open + chunk.toString("latin1");
      const end = text.lastIndexOf("\n");
      if (end >= 0) scan(text, end);
      // Joined, so that the whole text is not held by its end.
      open = Buffer.from(text.slice(end + 1, end + 1 + MAX_LINE_BYTES), "latin1").toString("latin1");
    },
    lineEnds: () => line,
    found: () => found,
  };
}

const LINE_END = 0x0a;

export function countLineEnds(bytes: Buffer): number {
  let count = 0;
  // An iterator would take several times as long.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_END) count++;
  return count;
}

function lineEndsIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === LINE_END) count++;
  return count;
}
