import { cutTo, draftOf, EMPTY_DRAFT, insert, MOTIONS, transpose } from "./draft.js";
import type { Draft, Unit } from "./draft.js";
import type { EditCommand } from "./keymap.js";

/** A draft with what it takes to change one's mind. */
export interface Editing {
  readonly draft: Draft;
  /** Earlier drafts, the newest last. */
  readonly undo: readonly Draft[];
  /** What was cut last, for "yank". */
  readonly cut: readonly Unit[];
  /** What the last key did; keys of one kind in a row are undone together, and cuts in a row add up. */
  readonly last: "typed" | "cut" | "other";
}

export const NO_EDITING: Editing = { draft: EMPTY_DRAFT, undo: [], cut: [], last: "other" };

const MOST_UNDOS = 200;

export function typeIn(editing: Editing, units: readonly Unit[]): Editing {
  const draft = insert(editing.draft, units);
  // A word is undone as one.
  const goesOn = editing.last === "typed" && units.length === 1 && units[0] !== " ";
  return goesOn ? { ...editing, draft } : changed(editing, draft, units.length === 1 ? "typed" : "other");
}

/** Puts another draft in the place of the present one. */
export function exchange(editing: Editing, draft: Draft): Editing {
  return changed(editing, draft, "other");
}

export function edit(editing: Editing, command: Exclude<EditCommand, { do: "up" | "down" }>): Editing {
  const { draft } = editing;
  switch (command.do) {
    case "move":
      return { ...editing, draft: { ...draft, cursor: MOTIONS[command.to](draft) }, last: "other" };
    case "cut":
      return cutAway(editing, command);
    case "newline":
      return changed(editing, insert(draft, ["\n"]), "other");
    case "yank":
      return changed(editing, insert(draft, editing.cut), "other");
    case "transpose":
      return changed(editing, transpose(draft), "other");
    case "undo": {
      const before = editing.undo.at(-1);
      if (before === undefined) return editing;
      return { ...editing, draft: before, undo: editing.undo.slice(0, -1), last: "other" };
    }
  }
}

function cutAway(editing: Editing, { to, keep }: Extract<EditCommand, { do: "cut" }>): Editing {
  const { draft } = editing;
  let { draft: after, cut } = cutTo(draft, to);
  if (cut.length === 0 && (to === "lineEnd" || to === "lineStart")) {
    // At the end of a line its line end goes, at the beginning the one before it.
    ({ draft: after, cut } = cutTo(draft, to === "lineEnd" ? "right" : "left"));
  }
  if (cut.length === 0) return editing;
  if (keep !== true) return changed(editing, after, "other");
  const isFront = after.cursor < draft.cursor;
  const before = editing.last === "cut" ? editing.cut : [];
  return { ...changed(editing, after, "cut"), cut: isFront ? [...cut, ...before] : [...before, ...cut] };
}

function changed(editing: Editing, draft: Draft, last: Editing["last"]): Editing {
  if (draft === editing.draft) return editing;
  const undo = [...editing.undo, editing.draft].slice(-MOST_UNDOS);
  return { ...editing, draft, undo, last };
}

/** For a fresh message: what was cut can still be put in. */
export function startAnew(editing: Editing, units: readonly Unit[] = []): Editing {
  return { ...NO_EDITING, draft: draftOf(units), cut: editing.cut };
}
