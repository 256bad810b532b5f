import type { Area } from "../bottom/painter.js";
import type { Glyphs } from "../messages/glyphs.js";
import { fit, widthOf } from "../render/terminal.js";
import { EMPTY_DRAFT, draftOf } from "./draft.js";
import type { Draft } from "./draft.js";
import { breakRows, placeOf, shownUnit } from "./draft-rows.js";
import type { DraftRow, Label } from "./draft-rows.js";
import type { EditorState, Menu } from "./editor.js";

export interface EditorLook {
  /** Stands before the first row; the others are indented by as much. */
  prompt: string;
  label: Label;
  glyphs: Pick<Glyphs, "prompt" | "ellipsis">;
  /** Of the line below a search in the history. */
  search: { title: string; nothing: string; keys: string };
  styles: Record<"prompt" | "dim" | "selected" | "folded", (text: string) => string>;
}

const MOST_MENU_ROWS = 8;
/** Of the widest label that details stand beside. */
const MOST_LABEL_CELLS = 32;

/** Cells of a row of the draft: without the prompt, and one to spare for the cursor. */
export function draftWidth(columns: number, prompt: string): number {
  return Math.max(8, columns - 2 - widthOf(prompt));
}

/** The rows of the editor, at most `mostRows` of them besides its menu. */
export function editorArea(state: EditorState, columns: number, mostRows: number, look: EditorLook): Area {
  const { draft, menu, search } = state;
  if (!search) {
    const { rows, cursor } = draftArea(draft, columns, mostRows, look);
    return { rows: [...rows, ...(menu ? menuRows(menu, columns, look) : [])], cursor };
  }
  const { found, query } = search;
  const shown = draftArea(found ? draftOf(found) : EMPTY_DRAFT, columns, mostRows, look).rows;
  const title = `${search.found || query === "" ? look.search.title : look.search.nothing} `;
  const line = `${title}${query}`;
  const keys = fit(look.search.keys, Math.max(0, columns - widthOf(line) - 4), look.glyphs.ellipsis);
  return {
    rows: [...shown, `${look.styles.prompt(title)}${query}  ${look.styles.dim(keys)}`],
    cursor: { row: shown.length, column: Math.min(widthOf(line), columns - 2) },
  };
}

function draftArea(draft: Draft, columns: number, mostRows: number, look: EditorLook): Area {
  const { prompt, label, styles } = look;
  const rows = breakRows(draft.units, draftWidth(columns, prompt), label);
  const place = placeOf(draft, rows, label);
  const first = Math.max(0, Math.min(place.row - Math.floor(mostRows / 2), rows.length - mostRows));
  const indent = " ".repeat(widthOf(prompt));
  const textOfRow = ({ start, end }: DraftRow) =>
    draft.units
      .slice(start, end)
      .map((unit) => (typeof unit === "string" ? shownUnit(unit, label) : styles.folded(label(unit))))
      .join("");
  return {
    rows: rows
      .slice(first, first + mostRows)
      .map((row, index) => (first + index === 0 ? styles.prompt(prompt) : indent) + textOfRow(row)),
    cursor: { row: place.row - first, column: indent.length + place.column },
  };
}

/** A list of which a part is shown, with the selected item in it. */
export function menuRows(
  { items, selected }: Pick<Menu, "items" | "selected">,
  columns: number,
  { styles, glyphs: { prompt, ellipsis } }: Pick<EditorLook, "styles" | "glyphs">,
): string[] {
  const first = Math.max(0, Math.min(selected - MOST_MENU_ROWS + 2, items.length - MOST_MENU_ROWS));
  const shown = items.slice(first, first + MOST_MENU_ROWS);
  const hasDetails = shown.some(({ detail }) => detail !== undefined);
  const widest = Math.max(0, ...shown.map(({ label }) => widthOf(label)));
  const room = columns - 4;
  const width = hasDetails ? Math.min(widest, MOST_LABEL_CELLS, room) : room;
  return shown.map(({ label, detail = "" }, index) => {
    const name = fit(label, width, ellipsis);
    const gap = " ".repeat(Math.max(0, (hasDetails ? width : 0) - widthOf(name)));
    const beside = detail === "" ? "" : `${gap}  ${fit(detail, Math.max(0, room - width - 2), ellipsis)}`;
    return first + index === selected
      ? `${styles.prompt(prompt)} ${styles.selected(name)}${beside}`
      : `  ${name}${styles.dim(beside)}`;
  });
}
