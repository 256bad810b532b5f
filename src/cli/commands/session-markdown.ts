import { printable } from "../../printable.js";
import type { Transcript, TranscriptCall, TranscriptEntry } from "../../sessions/transcript.js";
import type { Messages } from "../messages/catalogue.js";
import { oneLine } from "../render/one-line.js";

/** A session as a Markdown document, with nothing in it that a terminal would act on. */
export function sessionMarkdown({ header, title, model, turns }: Transcript, messages: Messages): string {
  const { sessions, joining } = messages;
  const { rows } = sessions;
  const heading = oneLine(title ?? turns[0]?.prompt ?? "", messages).slice(0, 100);
  const facts: [string, string][] = [
    [sessions.session, header?.id ?? "?"],
    [rows.folder, header?.cwd ?? "?"],
    [rows.model, model],
    [rows.started, header?.at ?? "?"],
    ...(header?.parent
      ? [[rows.parent, sessions.copied(header.parent.id, header.parent.turns)] satisfies [string, string]]
      : []),
  ];
  const parts = [
    `# ${heading === "" ? sessions.noTitle : heading}`,
    facts.map(([name, value]) => `- ${joining.named(name, oneLine(value, messages))}`).join("\n"),
  ];
  for (const { number, at, prompt, entries, outcome, error } of turns) {
    parts.push(
      `## ${sessions.turn(number)} ${joining.bracketed(at)}`,
      said(sessions.speakers.user, quoted(prompt)),
    );
    parts.push(...entries.flatMap((entry) => entryParts(entry, messages)));
    const end = sessions.outcome[outcome ?? "unfinished"];
    if (end !== "") parts.push(`_${withReason(end, error, messages)}_`);
  }
  return `${printable(parts.join("\n\n"))}\n`;
}

function entryParts(entry: TranscriptEntry, messages: Messages): string[] {
  const { sessions } = messages;
  switch (entry.kind) {
    case "prompt":
      return [said(sessions.speakers.user, quoted(entry.text))];
    case "reply": {
      const cut = entry.cut === undefined ? [] : [sessions.cut(entry.cut)];
      const text = [entry.text.trim(), ...cut].filter((part) => part !== "").join("\n\n");
      return text === "" ? [] : [said(sessions.speakers.assistant, text)];
    }
    case "call":
      return [callPart(entry, messages)];
    case "notice":
      return [`_${oneLine(messages.translate.text(entry.text), messages)}_`];
    case "compaction":
      return [`_${sessions.compacted(entry.tokensBefore, entry.tokensAfter)}_`];
    case "model":
      return [`_${sessions.modelChanged(oneLine(entry.model, messages))}_`];
  }
}

function callPart(call: TranscriptCall, messages: Messages): string {
  const end = callEnd(call, messages);
  const shown = Object.entries(isRecord(call.args) ? call.args : {})
    .filter(([, value]) => typeof value === "string" && value.includes("\n"))
    .map(([name, value]) => `${name}:\n\n${fenced(String(value))}`);
  const head = `**${oneLine(call.tool, messages)}** ${codeSpan(argumentLine(call, messages))} ${messages.joining.bracketed(oneLine(end, messages))}`;
  return [head, ...shown, ...(call.output === "" ? [] : [fenced(call.output)])].join("\n\n");
}

/** How a turn ended, and why. */
export function withReason(end: string, error: string | undefined, messages: Messages): string {
  return error === undefined
    ? end
    : messages.joining.named(end, oneLine(messages.translate.text(error), messages));
}

/** How a call ended, and for a command its exit code. */
export function callEnd(
  { status, command, permission }: TranscriptCall,
  { sessions, tool, translate, joining }: Messages,
): string {
  if (status === "ok" && command) return tool.exitCode(command.exitCode);
  if (status === "denied" && permission)
    return joining.named(sessions.status.denied, translate.reasons(permission.because));
  return sessions.status[status];
}

/** The arguments of a call without those that have a block of their own. */
function argumentLine({ args }: TranscriptCall, messages: Messages): string {
  const short = Object.entries(isRecord(args) ? args : {}).filter(
    ([, value]) => typeof value !== "string" || !value.includes("\n"),
  );
  return subjectOf(Object.fromEntries(short), messages);
}

/** The arguments that tell what a call touches, in the order in which they read well. */
const TELLING_ARGUMENTS = ["command", "pattern", "path", "glob", "id"];

function subjectOf(args: Readonly<Record<string, unknown>>, messages: Messages): string {
  const telling = TELLING_ARGUMENTS.map((name) => args[name]).filter((value) => typeof value === "string");
  if (telling.length > 0) return oneLine(telling.join(" "), messages);
  return Object.keys(args).length > 0 ? oneLine(JSON.stringify(args), messages) : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function said(who: string, text: string): string {
  return `**${who}**\n\n${text}`;
}

function quoted(text: string): string {
  return printable(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** In a fence that is longer than any in it. */
function fenced(text: string): string {
  const inner = printable(text).replace(/\n$/, "");
  const longest = Math.max(2, ...[...inner.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${inner}\n${fence}`;
}

function codeSpan(text: string): string {
  if (text === "") return "";
  if (!text.includes("`")) return `\`${text}\``;
  const longest = Math.max(...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark} ${text} ${mark}`;
}
