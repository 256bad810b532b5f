import type { Pasted, Unit } from "../editor/draft.js";
import type { Messages } from "../messages/catalogue.js";

/** What stands for folded text. */
export function foldedLabel({ pasted, label }: Pasted, { input }: Messages): string {
  return label ?? input.pasted(pasted.split("\n").length, pasted.length);
}

/** Units as they are shown. */
export function shownText(units: readonly Unit[], messages: Messages): string {
  return units.map((unit) => (typeof unit === "string" ? unit : foldedLabel(unit, messages))).join("");
}
