import type { KeyEvent, PasteEvent } from "../keyboard/key-events.js";
import type { Unit } from "./draft.js";
import { textOf, unitsOf } from "./draft.js";

type Entries = readonly (readonly Unit[])[];

/** Ctrl-R: looks for earlier messages that hold what is typed. */
export interface HistorySearch {
  readonly query: string;
  /** The message that is shown; undefined if none holds the query. */
  readonly found: readonly Unit[] | undefined;
  press(event: KeyEvent | PasteEvent, entries: Entries): SearchStep;
}

type SearchStep =
  | { type: "goes-on" }
  /** What was there before comes back. */
  | { type: "cancelled" }
  | { type: "ended"; found: readonly Unit[] | undefined };

export function searchHistory(entries: Entries): HistorySearch {
  let query = "";
  let at = entries.length === 0 ? -1 : 0;

  const holds = (entry: readonly Unit[]) => textOf(entry).toLowerCase().includes(query.toLowerCase());

  /** The next message in a direction that fits and differs from the one shown; the present one if there is none. */
  function look(from: number, step: 1 | -1, within: Entries): void {
    const now = at === -1 ? undefined : within[at];
    for (let index = from; index >= 0 && index < within.length; index += step) {
      const entry = within[index];
      if (!entry || !holds(entry)) continue;
      if (index !== at && now && textOf(now) === textOf(entry)) continue;
      at = index;
      return;
    }
  }

  function narrow(text: string, within: Entries): void {
    query = text;
    const entry = within[at];
    if (entry && holds(entry)) return;
    at = -1;
    look(0, 1, within);
  }

  return {
    get query() {
      return query;
    },
    get found() {
      return entries[at];
    },
    press(event, within) {
      entries = within;
      if (event.type === "paste") {
        narrow(query + event.text.replaceAll("\n", " "), within);
        return { type: "goes-on" };
      }
      const { key, text } = event;
      if (key === "ctrl-r") look(at + 1, 1, within);
      else if (key === "ctrl-s") look(at - 1, -1, within);
      else if (key === "backspace" || key === "ctrl-h") {
        at = -1;
        narrow(unitsOf(query).slice(0, -1).map(String).join(""), within);
      } else if (key === "escape" || key === "ctrl-g" || key === "ctrl-c") return { type: "cancelled" };
      else if (text !== "") narrow(query + text, within);
      else return { type: "ended", found: entries[at] };
      return { type: "goes-on" };
    },
  };
}
