/** Levenshtein distance: insertions, deletions and replacements of one UTF-16 unit. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The candidate that is most like the word or begins with it; undefined if none is like it at all. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const written = word.toLowerCase();
  const [best] = candidates
    .map((name) => ({ name, distance: name.startsWith(written) ? 1 : editDistance(written, name) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined &&
    best.distance <= Math.max(1, Math.min(2, written.length - 2), written.length / 3)
    ? best.name
    : undefined;
}
