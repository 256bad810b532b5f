import type { KeyEvent, PasteEvent } from "../keyboard/key-events.js";
import type { CompletionItem, CompletionRequest } from "./completion.js";
import { isWhole, wordToComplete } from "./completion.js";
import type { Draft, Unit } from "./draft.js";
import { draftOf, pastedUnits, replace, textOf, unitsOf } from "./draft.js";
import { breakRows, cursorAt, placeOf } from "./draft-rows.js";
import type { Label } from "./draft-rows.js";
import type { Editing } from "./editing.js";
import { edit, exchange, NO_EDITING, startAnew, typeIn } from "./editing.js";
import type { HistorySearch } from "./history-search.js";
import { searchHistory } from "./history-search.js";
import type { EditCommand } from "./keymap.js";
import { editCommandOf } from "./keymap.js";

export interface EditorOptions {
  /** Earlier messages, the newest first. */
  history: () => readonly (readonly Unit[])[];
  complete: (request: CompletionRequest) => readonly CompletionItem[];
  /** Takes back the newest message that waits to be sent; undefined if there is none. */
  takeBack: () => readonly Unit[] | undefined;
  label: Label;
}

export interface Menu {
  items: readonly CompletionItem[];
  selected: number;
  from: number;
  to: number;
}

export interface EditorState {
  readonly draft: Draft;
  readonly menu: Menu | undefined;
  readonly search: HistorySearch | undefined;
}

/** What a key means for those who hold the editor. */
type EditorResult =
  | { type: "edited" }
  | { type: "submit"; units: readonly Unit[] }
  /** Ctrl-C; what was there is cleared. */
  | { type: "interrupt"; hadText: boolean }
  | { type: "escape" | "end" | "suspend" | "external" | "redraw" };

export interface Editor {
  readonly state: EditorState;
  /** `width`: cells of a row, which decides where up and down lead. */
  press(event: KeyEvent | PasteEvent, width: number): EditorResult;
  /** Puts units before what is there, with a line between. */
  prepend(units: readonly Unit[]): void;
  /** Puts a draft in the place of the present one. */
  exchange(text: string): void;
  /** Asks anew for what the word before the cursor may become. */
  refreshMenu(): void;
}

const EDITED: EditorResult = { type: "edited" };

export function createEditor({ history, complete, takeBack, label }: EditorOptions): Editor {
  let editing: Editing = NO_EDITING;
  let menu: Menu | undefined;
  let search: HistorySearch | undefined;
  /** Which earlier message is shown, from 0 for the newest; -1 for the draft, which is kept meanwhile. */
  let recalled = -1;
  let draftBefore: Draft | undefined;
  /** The column that up and down keep to. */
  let goal: number | undefined;
  let afterCtrlX = false;

  function setDraft(draft: Draft): void {
    editing = exchange(editing, draft);
  }

  function updateMenu(): void {
    const word = wordToComplete(editing.draft);
    const items = word ? complete(word.request) : [];
    const before = menu;
    menu = undefined;
    if (!word || items.length === 0) return;
    const same = before?.items[before.selected]?.text;
    const selected = Math.max(
      0,
      before?.from === word.from ? items.findIndex(({ text }) => text === same) : 0,
    );
    menu = { items, selected, from: word.from, to: word.to };
  }

  function submit(): EditorResult {
    const { units } = editing.draft;
    editing = startAnew(editing);
    [menu, recalled, draftBefore] = [undefined, -1, undefined];
    return { type: "submit", units };
  }

  function accept({ items, selected, from, to }: Menu): void {
    const item = items[selected];
    if (!item) return;
    setDraft(replace(editing.draft, from, to, unitsOf(item.text)));
    menu = undefined;
    // A folder, or a command with arguments, goes on.
    updateMenu();
  }

  function enter(): EditorResult {
    const { draft } = editing;
    // What is written out is sent, whatever else it could become.
    if (menu && !menu.items.some(({ text }) => isWhole(draft, text.trimEnd()))) {
      accept(menu);
      return EDITED;
    }
    if (draft.units[draft.cursor - 1] === "\\") {
      setDraft(replace(draft, draft.cursor - 1, draft.cursor, ["\n"]));
      return EDITED;
    }
    return submit();
  }

  /** Puts units before the draft, a line of their own. */
  function prepend(units: readonly Unit[]): void {
    const { draft } = editing;
    const isFolded = typeof units.at(-1) === "object";
    const between = units.length > 0 && (isFolded || draft.units.length > 0) ? ["\n"] : [];
    setDraft({
      units: [...units, ...between, ...draft.units],
      cursor: units.length + between.length + draft.cursor,
    });
  }

  function recall(step: 1 | -1): void {
    const entries = history();
    if (step === 1 && recalled === -1) {
      const waiting = takeBack();
      if (waiting) {
        prepend(waiting);
        return;
      }
    }
    const next = Math.max(-1, Math.min(entries.length - 1, recalled + step));
    if (next === recalled) return;
    if (recalled === -1) draftBefore = editing.draft;
    recalled = next;
    setDraft(next === -1 ? (draftBefore ?? draftOf([])) : draftOf(entries[next] ?? []));
  }

  function vertical(step: 1 | -1, width: number): void {
    const { draft } = editing;
    const rows = breakRows(draft.units, width, label);
    const at = placeOf(draft, rows, label);
    const row = at.row - step;
    if (row < 0 || row >= rows.length) {
      recall(step);
      return;
    }
    goal ??= at.column;
    const cursor = cursorAt(draft.units, rows, { row, column: goal }, label);
    editing = { ...editing, draft: { ...draft, cursor }, last: "other" };
  }

  function select(step: 1 | -1): void {
    if (!menu) return;
    const count = menu.items.length;
    menu = { ...menu, selected: (menu.selected - step + count) % count };
  }

  function applyCommand(command: EditCommand, width: number): void {
    if (command.do === "up" || command.do === "down") {
      const step = command.do === "up" ? 1 : -1;
      if (menu) select(step);
      else vertical(step, width);
      return;
    }
    goal = undefined;
    editing = edit(editing, command);
    if (command.do === "cut" || command.do === "undo") updateMenu();
    else menu = undefined;
  }

  function typeText(units: readonly Unit[]): void {
    goal = undefined;
    editing = typeIn(editing, units);
    updateMenu();
  }

  function pressInSearch(current: HistorySearch, event: KeyEvent | PasteEvent, width: number): EditorResult {
    const step = current.press(event, history());
    if (step.type === "goes-on") return EDITED;
    search = undefined;
    if (step.type === "cancelled") return EDITED;
    if (step.found) setDraft(draftOf(step.found));
    // The key that ended the search does what it always does, but Enter only takes what was found.
    if (event.type === "paste" || event.key === "enter" || event.key === "tab") return EDITED;
    return press(event, width);
  }

  function press(event: KeyEvent | PasteEvent, width: number): EditorResult {
    if (search) return pressInSearch(search, event, width);
    if (event.type === "paste") {
      typeText(pastedUnits(event.text));
      return EDITED;
    }
    const { key, text } = event;
    const chord = afterCtrlX;
    afterCtrlX = key === "ctrl-x";
    if (key === "ctrl-g" || (chord && key === "ctrl-e")) return { type: "external" };
    const isEmpty = editing.draft.units.length === 0;
    switch (key) {
      case "enter":
        return enter();
      case "tab":
        if (menu) accept(menu);
        else updateMenu();
        return EDITED;
      case "escape":
        if (!menu) return { type: "escape" };
        menu = undefined;
        return EDITED;
      case "ctrl-c":
        if (!isEmpty) editing = exchange(startAnew(editing), draftOf([]));
        [menu, recalled] = [undefined, -1];
        return { type: "interrupt", hadText: !isEmpty };
      case "ctrl-d":
        if (isEmpty) return { type: "end" };
        break;
      case "ctrl-z":
        return { type: "suspend" };
      case "ctrl-l":
        return { type: "redraw" };
      case "ctrl-r":
        search = searchHistory(history());
        menu = undefined;
        return EDITED;
    }
    const command = editCommandOf(key);
    if (command) applyCommand(command, width);
    else if (text !== "") typeText(unitsOf(text));
    return EDITED;
  }

  return {
    get state() {
      return { draft: editing.draft, menu, search };
    },
    press,
    prepend,
    exchange(text) {
      if (text !== textOf(editing.draft.units)) setDraft(draftOf(unitsOf(text)));
    },
    refreshMenu() {
      if (menu ?? wordToComplete(editing.draft)) updateMenu();
    },
  };
}
