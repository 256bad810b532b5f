import type { AgentEvent } from "../../agent/agent-events.js";
import type { Found } from "../../tools/tool.js";
import type { Messages } from "../messages/catalogue.js";
import { argumentsOf, callWords } from "./call-words.js";
import { changedPath, countChanges, hasLines, makesFile } from "./diff.js";
import type { ChangeCount } from "./diff.js";
import { isWhole } from "./found-lines.js";
import { oneLine } from "./one-line.js";
import type { Colours } from "./terminal.js";

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;
type ModelEnd = Extract<AgentEvent, { type: "model-end" }>;
type Permission = Extract<AgentEvent, { type: "permission" }>;

interface Call {
  /** What the call does and what it touches, on one line, printable. */
  label: string;
  runsCommand: boolean;
  args: Readonly<Record<string, unknown>>;
  /** Of a call that has changed a file. */
  change?: ChangeCount;
  permission?: Permission;
}

/** What the replies of a turn took. */
interface ReplyFigures {
  promptTokens: number;
  /** Of the prompts, by estimate, in the server's cache; undefined if no reply tells. */
  cachedTokens: number | undefined;
  outputTokens: number;
  outputMs: number;
}

/** What a renderer needs to know of the turn that runs. */
export interface TurnLog {
  /** To be called with every event. */
  note(event: AgentEvent): void;
  call(id: string): Call;
  /** Calls denied and why, one a line, and how to let them happen; `without` leaves out those that the user knows of. */
  denials(without?: "user"): string[];
  /** What became of a file, as far as calls have told it. */
  changeOf(path: string): ChangeCount | undefined;
  /** Files have changed, and no command has ended since. */
  changedLast(): boolean;
  figures(): ReplyFigures;
  /** Since its start, in milliseconds. */
  elapsed(): number;
}

const NO_FIGURES: ReplyFigures = { promptTokens: 0, cachedTokens: undefined, outputTokens: 0, outputMs: 0 };

export function createTurnLog(messages: Messages, colours: Colours): TurnLog {
  let calls = new Map<string, Call>();
  let denied: { label: string; because: string; by: Permission["by"] | undefined; hint: string }[] = [];
  let changes = new Map<string, ChangeCount>();
  let changedLast = false;
  let figures = NO_FIGURES;
  let startedAt = Date.now();

  const call = (id: string) => calls.get(id) ?? { label: "?", runsCommand: false, args: {} };
  const denials = (without?: "user") => [
    ...denied
      .filter(({ by }) => without === undefined || by !== without)
      .map(({ label, because }) => colours.yellow(messages.summary.denied(label, because))),
    ...new Set(denied.flatMap(({ by, hint }) => (by === "nobody" ? hint : []))),
  ];

  function noteEnd(event: ToolEnd): void {
    if (event.diff !== undefined) noteChange(event.id, event.diff);
    if (call(event.id).runsCommand && event.status !== "denied") changedLast = false;
    const { lines } = event.found ?? {};
    if (lines && !isWhole(lines)) noteLines(event, lines);
    if (event.status !== "denied") return;
    const { label, runsCommand, permission } = call(event.id);
    const hint = runsCommand ? messages.summary.allowHint : messages.summary.editHint;
    denied.push({
      label,
      because: oneLine(permission?.because ?? event.output, messages),
      by: permission?.by,
      hint,
    });
  }

  /** A file was read in part: which lines they were is told in the place of those that were asked for. */
  function noteLines({ id, tool }: ToolEnd, { from, to }: NonNullable<Found["lines"]>): void {
    const { args } = call(id);
    const label = callWords(tool, { ...args, start_line: from, end_line: to }, messages);
    calls.set(id, { ...call(id), label });
  }

  function noteChange(id: string, diff: string): void {
    const path = changedPath(diff);
    const label = makesFile(diff) ? oneLine(messages.tools.create(path), messages) : call(id).label;
    calls.set(id, { ...call(id), label });
    changedLast = true;
    // What was too much to compare is not counted.
    if (!hasLines(diff)) return;
    const change = countChanges(diff);
    const { added, removed } = changes.get(path) ?? { added: 0, removed: 0 };
    changes.set(path, { added: added + change.added, removed: removed + change.removed });
    calls.set(id, { ...call(id), change });
  }

  function noteReply({ usage, timings, cachedTokens }: ModelEnd): void {
    figures = {
      promptTokens: figures.promptTokens + usage.promptTokens,
      cachedTokens:
        cachedTokens === undefined ? figures.cachedTokens : (figures.cachedTokens ?? 0) + cachedTokens,
      outputTokens: figures.outputTokens + usage.outputTokens,
      outputMs: figures.outputMs + timings.outputMs,
    };
  }

  return {
    note(event) {
      if (event.type === "turn-start") {
        calls = new Map();
        denied = [];
        changes = new Map();
        changedLast = false;
        figures = NO_FIGURES;
        startedAt = Date.now();
      } else if (event.type === "tool-start") {
        const args = argumentsOf(event.args);
        const runsCommand = typeof args["command"] === "string";
        calls.set(event.id, { label: callWords(event.tool, args, messages), runsCommand, args });
      } else if (event.type === "permission") {
        calls.set(event.id, { ...call(event.id), permission: event });
      } else if (event.type === "tool-end") {
        noteEnd(event);
      } else if (event.type === "model-end") {
        noteReply(event);
      }
    },
    call,
    denials,
    changeOf: (path) => changes.get(path),
    changedLast: () => changedLast,
    figures: () => figures,
    elapsed: () => Date.now() - startedAt,
  };
}
