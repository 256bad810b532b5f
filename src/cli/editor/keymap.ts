import type { Motion } from "./draft.js";

/** What a key does to the draft. */
export type EditCommand =
  | { do: "move"; to: Motion }
  /** `keep`: it can be put in again with "yank". */
  | { do: "cut"; to: Motion; keep?: true }
  | { do: "newline" | "yank" | "transpose" | "undo" }
  | { do: "up" }
  | { do: "down" };

const move = (to: Motion): EditCommand => ({ do: "move", to });
const cut = (to: Motion): EditCommand => ({ do: "cut", to });
const kill = (to: Motion): EditCommand => ({ do: "cut", to, keep: true });

/** The keys of Emacs and of the usual editors, by the names of the key decoder. */
const KEYS: readonly [string, EditCommand][] = [
  ["left ctrl-b", move("left")],
  ["right ctrl-f", move("right")],
  ["alt-b ctrl-left alt-left", move("wordLeft")],
  ["alt-f ctrl-right alt-right", move("wordRight")],
  ["home ctrl-a", move("lineStart")],
  ["end ctrl-e", move("lineEnd")],
  ["ctrl-home alt-<", move("start")],
  ["ctrl-end alt->", move("end")],
  ["backspace shift-backspace ctrl-h", cut("left")],
  ["delete ctrl-d", cut("right")],
  ["alt-backspace ctrl-backspace", kill("wordLeft")],
  ["alt-d ctrl-delete alt-delete", kill("wordRight")],
  ["ctrl-w", kill("blankLeft")],
  ["ctrl-k", kill("lineEnd")],
  ["ctrl-u", kill("lineStart")],
  ["ctrl-y", { do: "yank" }],
  ["ctrl-t", { do: "transpose" }],
  ["ctrl-_ ctrl-- ctrl-shift--", { do: "undo" }],
  ["shift-enter alt-enter ctrl-enter ctrl-j", { do: "newline" }],
  ["up ctrl-p", { do: "up" }],
  ["down ctrl-n", { do: "down" }],
];

const BY_KEY: ReadonlyMap<string, EditCommand> = new Map(
  KEYS.flatMap(([keys, command]) => keys.split(" ").map((key) => [key, command] as const)),
);

export function editCommandOf(key: string): EditCommand | undefined {
  return BY_KEY.get(key);
}
