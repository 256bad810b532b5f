import type { Container } from "./containers.js";
import type { Look } from "./look.js";
import { widthOf } from "../render/terminal.js";

type Printed = "paragraph" | "heading" | "code" | "table" | "rule" | "html" | "item";

/** What has been printed, as far as what comes next depends on it. */
export interface Place {
  containers: readonly Container[];
  /** How many of the containers have a row: their markers stand there. */
  shown: number;
  previous: Printed | undefined;
  /** Whether a blank line came since. */
  afterBlank: boolean;
}

/** Blocks that are set off by a blank row also where none was written. */
const SET_OFF: readonly Printed[] = ["code", "table"];
/** Wider text is hard to read. */
const WIDEST_TEXT = 120;
const NARROWEST_TEXT = 10;

/** Writes rows, each with what stands before it: the bars of quotes, the markers of items, their indent. */
export interface Page {
  readonly text: string;
  place: Place;
  /** Cells for text in the containers of the place; `isProse`: it is to be read in lines. */
  room(isProse?: boolean): number;
  /** `continues`: the rows belong to the block that was printed last. */
  rows(kind: Printed, rows: readonly string[], continues?: boolean): void;
  /** A row of its own for markers that have none. */
  markers(): void;
  /** The blank row before a block, if there is to be one. */
  gap(kind: Printed): void;
  /** Goes on at the left edge, whatever the containers: code can be copied. */
  raw(text: string): void;
}

export function createPage(begin: Place, columns: number, look: Look): Page {
  let text = "";
  let place = begin;

  /** What stands before a row; markers only before the first row of their item. */
  function prefix(withMarkers: boolean): { painted: string; width: number } {
    let [painted, width] = ["", 0];
    for (const [index, container] of place.containers.entries()) {
      const isMarker = withMarkers && index >= place.shown;
      const label = container.kind === "quote" ? `${look.marks.quote} ` : container.label;
      const cells = widthOf(label);
      // Half of the width is left for the text. The last marker stands in any case.
      if (width + cells > columns / 2 && !(isMarker && index === place.containers.length - 1)) continue;
      width += cells;
      if (container.kind === "quote") painted += look.dim(look.marks.quote) + " ";
      else painted += isMarker ? label : " ".repeat(cells);
    }
    return { painted, width };
  }

  function rows(kind: Printed, added: readonly string[], continues = false): void {
    if (added.length === 0) return;
    if (!continues) gap(kind);
    for (const row of added) {
      text += `${(prefix(true).painted + row).trimEnd()}\n`;
      place = { ...place, shown: place.containers.length };
    }
    place = { ...place, previous: kind, afterBlank: false };
  }

  function gap(kind: Printed): void {
    const { previous, afterBlank, containers, shown } = place;
    if (previous === undefined) return;
    const beginsItem = containers.length > shown;
    const isSetOff =
      SET_OFF.includes(previous) || (!beginsItem && (kind === "heading" || SET_OFF.includes(kind)));
    if (!afterBlank && !isSetOff) return;
    const outer = { ...place, containers: containers.slice(0, shown) };
    const inner = place;
    place = outer;
    text += `${prefix(false).painted.trimEnd()}\n`;
    place = { ...inner, afterBlank: false };
  }

  return {
    get text() {
      return text;
    },
    get place() {
      return place;
    },
    set place(next) {
      place = next;
    },
    room(isProse = false) {
      const room = Math.max(NARROWEST_TEXT, columns - prefix(true).width);
      return isProse ? Math.min(room, WIDEST_TEXT) : room;
    },
    rows,
    markers() {
      if (place.containers.slice(place.shown).some(({ kind }) => kind === "item")) rows("item", [""]);
    },
    gap,
    raw(added) {
      text += added;
      place = { ...place, previous: "code", afterBlank: false };
    },
  };
}
