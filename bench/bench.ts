// Prints what mini-cc costs, as ratios and counts against a budget. It judges nothing: read it before and after you
// touch start-up, streaming, the prompt or search.
import { callRecoveryFigures } from "./call-recovery.js";
import { commandFigures } from "./commands.js";
import { contextFigures } from "./context.js";
import { conversationFigures } from "./conversation.js";
import { editorFigures } from "./editor.js";
import { faultFigures } from "./faults.js";
import { fileToolFigures } from "./file-tools.js";
import { markdownFigures } from "./markdown.js";
import { memoryFigures } from "./memory.js";
import { packageFigures } from "./package.js";
import { permissionFigures } from "./permissions.js";
import { sessionSearchFigures } from "./session-search.js";
import { sessionFigures } from "./sessions.js";
import { startUpFigures } from "./start-up.js";
import { streamingFigures } from "./streaming.js";
import { undoFigures } from "./undo.js";

/** One line of the table. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** At most this; or exactly, where `exact` is set. Undefined: told for information. */
  budget?: number;
  exact?: boolean;
}

const GROUPS = [
  startUpFigures,
  conversationFigures,
  contextFigures,
  streamingFigures,
  editorFigures,
  markdownFigures,
  memoryFigures,
  commandFigures,
  permissionFigures,
  callRecoveryFigures,
  faultFigures,
  fileToolFigures,
  undoFigures,
  sessionFigures,
  sessionSearchFigures,
  packageFigures,
];

let over = 0;
console.log(`${"figure".padEnd(58)} ${"value".padStart(10)} ${"budget".padStart(10)}  ratio`);
for (const group of GROUPS) {
  for (const { name, value, unit, budget, exact } of await group()) {
    const ok = budget === undefined || (exact === true ? value === budget : value <= budget);
    if (!ok) over++;
    console.log(
      [
        `${name} [${unit}]`.padEnd(58),
        format(value).padStart(10),
        (budget === undefined ? "" : format(budget)).padStart(10),
        budget === undefined
          ? ""
          : ` ${budget === 0 ? "" : (value / budget).toFixed(2)}${ok ? "" : "  OVER BUDGET"}`,
      ].join(" "),
    );
  }
}
console.log(over === 0 ? "\nAll within budget." : `\n${over} over budget.`);

function format(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
