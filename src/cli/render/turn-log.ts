import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import { glyphs as unicode } from "../messages/glyphs.js";
import { commandLine } from "./command-lines.js";
import { countChanges } from "./diff.js";
import type { Colours } from "./terminal.js";

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;
type Permission = Extract<AgentEvent, { type: "permission" }>;

interface Call {
  /** The tool and what it touches, on one line, printable. */
  label: string;
  runsCommand: boolean;
  permission?: Permission;
}

/** What a summary needs to know of the turn that runs. */
export interface TurnLog {
  /** To be called with every event. */
  note(event: AgentEvent): void;
  call(id: string): Call;
  /** Files changed, commands run and calls denied, one a line, and how to let what was denied happen. */
  summary(end: TurnEnd): string[];
  /** Calls denied and why; `without` leaves out those that the user knows of. */
  denials(without?: "user"): string[];
  changes(): { added: number; removed: number };
  startedAt(): number;
}

/** Most commands that a summary lists. */
const MAX_COMMANDS = 10;

export function createTurnLog(messages: Messages, colours: Colours): TurnLog {
  let calls = new Map<string, Call>();
  let denied: { label: string; because: string; by: Permission["by"] | undefined; hint: string }[] = [];
  let changes = { added: 0, removed: 0 };
  let startedAt = Date.now();

  const call = (id: string) => calls.get(id) ?? { label: "?", runsCommand: false };
  const denials = (without?: "user") => [
    ...denied
      .filter(({ by }) => without === undefined || by !== without)
      .map(({ label, because }) => colours.yellow(messages.summary.denied(label, because))),
    ...new Set(denied.flatMap(({ by, hint }) => (by === "nobody" ? hint : []))),
  ];

  function noteEnd(event: ToolEnd): void {
    if (event.diff !== undefined) {
      const { added, removed } = countChanges(event.diff);
      changes = { added: changes.added + added, removed: changes.removed + removed };
    }
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

  return {
    note(event) {
      if (event.type === "turn-start") {
        calls = new Map();
        denied = [];
        changes = { added: 0, removed: 0 };
        startedAt = Date.now();
      } else if (event.type === "tool-start") {
        const runsCommand = typeof argumentsOf(event.args)["command"] === "string";
        calls.set(event.id, { label: describeCall(event.tool, event.args, messages), runsCommand });
      } else if (event.type === "permission") {
        calls.set(event.id, { ...call(event.id), permission: event });
      } else if (event.type === "tool-end") {
        noteEnd(event);
      }
    },
    call,
    summary(end) {
      const files = end.changedFiles.map((file) => oneLine(file, messages));
      const hidden = end.commands.length - MAX_COMMANDS;
      return [
        ...(files.length > 0 ? [messages.summary.changed(files)] : []),
        ...end.commands
          .slice(0, MAX_COMMANDS)
          .map((run) => commandLine({ ...run, command: oneLine(run.command, messages) }, messages)),
        ...(hidden > 0 ? [messages.summary.moreCommands(hidden)] : []),
        ...denials(),
      ];
    },
    denials,
    changes: () => changes,
    startedAt: () => startedAt,
  };
}

/** The arguments that tell what a call touches, in the order in which they read well. */
const TELLING_ARGUMENTS = ["command", "pattern", "path", "glob", "id"];

/** A call on one line, printable. */
export function describeCall(tool: string, args: unknown, messages?: Messages): string {
  const values = argumentsOf(args);
  const telling = TELLING_ARGUMENTS.map((name) => values[name]).filter((value) => typeof value === "string");
  const subject =
    telling.length > 0 ? telling.join(" ") : Object.keys(values).length > 0 ? JSON.stringify(args) : "";
  return oneLine(`${tool} ${subject}`, messages);
}

function argumentsOf(args: unknown): Record<string, unknown> {
  return typeof args === "object" && args !== null ? { ...args } : {};
}

/** Foreign text on one line of the terminal. */
export function oneLine(text: string, { glyphs }: Pick<Messages, "glyphs"> = { glyphs: unicode }): string {
  return printable(text)
    .trim()
    .replace(/\s*\n\s*/g, ` ${glyphs.lineEnd} `)
    .replaceAll("\t", " ");
}
