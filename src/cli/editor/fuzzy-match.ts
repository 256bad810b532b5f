/** A candidate made ready to be matched many times. */
export interface FuzzyCandidate {
  text: string;
  lower: string;
  /** Which letters it holds, one bit each: most candidates are ruled out by this alone. */
  letters: number;
  /** Where the last part of a path begins. */
  nameAt: number;
}

export function fuzzyCandidate(text: string): FuzzyCandidate {
  const lower = text.toLowerCase();
  const nameAt = lower.lastIndexOf("/", lower.length - 2) + 1;
  return { text, lower, letters: lettersOf(lower), nameAt };
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

/** Undefined if it does not match. A name that holds all of it counts more than letters strewn over folders. */
function scoreOf(wanted: string, candidate: FuzzyCandidate): number | undefined {
  const { lower, nameAt } = candidate;
  const inName = lower.indexOf(wanted, nameAt);
  if (inName !== -1) return wholeScore(wanted, candidate, inName);
  const elsewhere = nameAt === 0 ? -1 : lower.indexOf(wanted);
  if (elsewhere !== -1) return wholeScore(wanted, candidate, elsewhere);
  return scatteredScore(wanted, candidate, nameAt) ?? scatteredScore(wanted, candidate, 0);
}

function wholeScore(wanted: string, { text, lower, nameAt }: FuzzyCandidate, at: number): number {
  let score = wanted.length * SCORE.consecutive + lower.length * SCORE.perCharacter;
  if (beginsWord(text, at)) score += SCORE.wordStart * 2;
  if (at >= nameAt) score += wanted.length * SCORE.inName;
  if (at === nameAt) score += SCORE.nameStart;
  if (at === nameAt && lower.length - nameAt === wanted.length) score += SCORE.exactName;
  return score;
}

function scatteredScore(
  wanted: string,
  { text, lower, nameAt }: FuzzyCandidate,
  from: number,
): number | undefined {
  let score = lower.length * SCORE.perCharacter;
  let next = 0;
  let before = -2;
  for (let at = from; at < lower.length && next < wanted.length; at++) {
    if (lower.charCodeAt(at) !== wanted.charCodeAt(next)) continue;
    if (at === before + 1) score += SCORE.consecutive;
    if (beginsWord(text, at)) score += SCORE.wordStart;
    if (at >= nameAt) score += SCORE.inName;
    before = at;
    next++;
  }
  return next === wanted.length ? score : undefined;
}

/** Whether a word begins here, as in "a/B", "a-b", "a.b" or "aB". */
function beginsWord(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  const here = text.charCodeAt(at);
  return !isLetterOrDigit(before) || (here >= 65 && here <= 90 && !(before >= 65 && before <= 90));
}

function isLetterOrDigit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code > 127
  );
}
