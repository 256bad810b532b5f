/** A candidate made ready to be matched many times. */
export interface FuzzyCandidate {
  text: string;
  lower: string;
  /** Which letters it holds, one bit each: most candidates are ruled out by this alone. */
  letters: number;
}

export function fuzzyCandidate(text: string): FuzzyCandidate {
  const lower = text.toLowerCase();
  return { text, lower, letters: lettersOf(lower) };
}

function lettersOf(lower: string): number {
  let bits = 0;
  for (let index = 0; index < lower.length; index++) bits |= bitOf(lower.charCodeAt(index));
  return bits;
}

function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return 1 << 26;
  return code === 46 ? 1 << 27 : code === 47 ? 1 << 28 : code === 95 || code === 45 ? 1 << 29 : 0;
}

const SCORE = { consecutive: 8, wordStart: 10, inName: 4, nameStart: 12, exactName: 40, perCharacter: -0.1 };

/**
 * The candidates that hold all characters of the query in their order, the likeliest first: those where they stand
 * together, begin words, or are in the last part of a path. At most `limit` of them.
 */
export function fuzzyMatches(
  query: string,
  candidates: readonly FuzzyCandidate[],
  limit: number,
): FuzzyCandidate[] {
  const wanted = query.toLowerCase();
  if (wanted === "") return candidates.slice(0, limit);
  const letters = lettersOf(wanted);
  const found: { candidate: FuzzyCandidate; score: number }[] = [];
  for (const candidate of candidates) {
    if ((candidate.letters & letters) !== letters) continue;
    const score = scoreOf(wanted, candidate);
    if (score === undefined) continue;
    const last = found.at(-1);
    if (found.length >= limit && last && score <= last.score) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1]?.score ?? 0) < score) at--;
    found.splice(at, 0, { candidate, score });
    if (found.length > limit) found.pop();
  }
  return found.map(({ candidate }) => candidate);
}

/** Undefined if it does not match. */
function scoreOf(wanted: string, { text, lower }: FuzzyCandidate): number | undefined {
  const nameAt = lower.lastIndexOf("/", lower.length - 2) + 1;
  // A name that holds all of it counts more than letters strewn over folders.
  const inName = scoreFrom(wanted, text, lower, nameAt, nameAt);
  const anywhere = nameAt === 0 ? undefined : scoreFrom(wanted, text, lower, 0, nameAt);
  if (inName === undefined) return anywhere;
  return Math.max(inName, anywhere ?? inName);
}

function scoreFrom(
  wanted: string,
  text: string,
  lower: string,
  from: number,
  nameAt: number,
): number | undefined {
  const whole = lower.indexOf(wanted, from);
  if (whole !== -1) {
    const isWordStart = beginsWord(text, whole);
    let score = wanted.length * SCORE.consecutive + (isWordStart ? SCORE.wordStart * 2 : 0);
    if (whole >= nameAt) score += wanted.length * SCORE.inName;
    if (whole === nameAt) score += SCORE.nameStart;
    if (whole === nameAt && lower.length - nameAt === wanted.length) score += SCORE.exactName;
    return score + lower.length * SCORE.perCharacter;
  }
  let score = 0;
  let at = from;
  let before = -2;
  for (let index = 0; index < wanted.length; index++) {
    at = lower.indexOf(wanted[index] ?? "", at);
    if (at === -1) return undefined;
    if (at === before + 1) score += SCORE.consecutive;
    if (beginsWord(text, at)) score += SCORE.wordStart;
    if (at >= nameAt) score += SCORE.inName;
    before = at++;
  }
  return score + lower.length * SCORE.perCharacter;
}

/** Whether a word begins here, as in "a/B", "a-b", "a.b" or "aB". */
function beginsWord(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  const here = text.charCodeAt(at);
  const isLetterOrDigit = (code: number) =>
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code > 127;
  return !isLetterOrDigit(before) || (here >= 65 && here <= 90 && !(before >= 65 && before <= 90));
}
