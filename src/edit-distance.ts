/** Insertions, deletions and replacements of one UTF-16 unit, and swaps of two neighbours. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
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
