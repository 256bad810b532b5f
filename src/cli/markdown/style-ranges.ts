import type { Span } from "./span.js";

/** A style from one node of a text up to, and without, another one. */
export interface StyleRange {
  from: number;
  to: number;
  style: number;
}

/** The nodes with the styles of the ranges, of which many may lie over one another. */
export function withStyles(nodes: readonly Span[], ranges: readonly StyleRange[]): Span[] {
  const spans: Span[] = [];
  const changes = new Map<number, { style: number; by: 1 | -1 }[]>();
  const change = (node: number, style: number, by: 1 | -1) => {
    const there = changes.get(node);
    if (there) there.push({ style, by });
    else changes.set(node, [{ style, by }]);
  };
  for (const { from, to, style } of ranges) {
    for (let flag = 1; flag <= style; flag *= 2) {
      if ((style & flag) === 0) continue;
      change(from, flag, 1);
      change(to, flag, -1);
    }
  }
  const counts = new Map<number, number>();
  for (const [index, { text, style }] of nodes.entries()) {
    for (const { style: flag, by } of changes.get(index) ?? [])
      counts.set(flag, (counts.get(flag) ?? 0) + by);
    if (text === "") continue;
    let all = style;
    for (const [flag, count] of counts) if (count > 0) all |= flag;
    const last = spans.at(-1);
    if (last?.style === all) last.text += text;
    else spans.push({ text, style: all });
  }
  return spans;
}
