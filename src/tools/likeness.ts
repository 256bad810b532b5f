/** 0 to 1: how many pairs of neighbouring characters two lines share (Dice's coefficient). */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 2 || b.length < 2 || a.length > 2 * b.length + 20 || b.length > 2 * a.length + 20) return 0;
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < a.length; at++) {
    const pair = a.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at + 1 < b.length; at++) {
    const pair = b.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left > 0) {
      pairs.set(pair, left - 1);
      shared++;
    }
  }
  return (2 * shared) / (a.length + b.length - 2);
}
