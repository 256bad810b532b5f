import { expandIndent, indentOf, isBlank, listMarkerOf, quotedOf } from "./block-syntax.js";
import type { ListMarker } from "./block-syntax.js";
import type { Marks } from "./look.js";

/** A block that holds others. */
export type Container =
  | { kind: "quote" }
  | {
      kind: "item";
      /** Columns that a line must be indented to belong to it; `markerIndent` those before its marker. */
      indent: number;
      markerIndent: number;
      number: number | undefined;
      type: string;
      /** Stands before the first row. */
      label: string;
    };

/** How many of the containers the line belongs to, and what it holds for them. */
export function matchContainers(
  containers: readonly Container[],
  line: string,
): { matched: number; rest: string } {
  let rest = line;
  for (const [index, container] of containers.entries()) {
    if (container.kind === "quote") {
      const quoted = quotedOf(rest);
      if (quoted === undefined) return { matched: index, rest };
      rest = expandIndent(quoted);
    } else if (!isBlank(rest)) {
      const indent = indentOf(rest);
      // Models indent the lists in their numbered lists by two.
      const isNested = indent >= container.markerIndent + 2 && listMarkerOf(rest) !== undefined;
      if (indent < container.indent && !isNested) return { matched: index, rest };
      rest = rest.slice(Math.min(indent, container.indent));
    }
  }
  return { matched: containers.length, rest };
}

/** A line of code in the containers, and how far it may be indented for them; undefined where a quote has ended. */
export function codeLineIn(
  containers: readonly Container[],
  line: string,
): { rest: string; indent: number } | undefined {
  let [rest, indent] = [line, 0];
  for (const container of containers) {
    if (container.kind === "item") {
      // Models forget to indent code in lists; only its end ends it.
      indent += container.indent;
    } else {
      const quoted = quotedOf(rest);
      if (quoted === undefined) return undefined;
      rest = quoted;
    }
  }
  return { rest, indent };
}

/** The item that a marker begins in the outer containers, perhaps after another one. */
export function itemOf(
  { markerIndent, indent, number, type, task }: ListMarker,
  around: { outer: readonly Container[]; sibling: Container | undefined; marks: Marks },
): Container {
  const { outer, sibling, marks } = around;
  const before = sibling?.kind === "item" && sibling.type === type ? (sibling.number ?? 0) : -1;
  // Lists may count with one number alone.
  const shown = number !== undefined && number <= before ? before + 1 : number;
  const level = outer.filter(({ kind }) => kind === "item").length;
  const bullet = marks.bullets[level % marks.bullets.length] ?? "";
  const mark = shown === undefined ? (task === undefined ? bullet : "") : `${shown}${type}`;
  const box = task === undefined ? "" : marks[task];
  const label = `${[mark, box].filter((each) => each !== "").join(" ")} `;
  return { kind: "item", indent, markerIndent, number: shown, type, label };
}
