import type { Found } from "../../tools/tool.js";

/** Whether these are all lines that a file has. */
export function isWhole({ from, to, total }: NonNullable<Found["lines"]>): boolean {
  return from <= 1 && to >= total;
}
