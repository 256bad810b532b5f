import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import { printable } from "../../printable.js";
import type { Transcript, TranscriptCall, TranscriptEntry } from "../../sessions/transcript.js";
import { transcriptOf } from "../../sessions/transcript.js";
import { exportText } from "./export-session.js";
import type { Messages } from "../messages/catalogue.js";
import { page } from "../pager.js";
import type { CommandContext } from "../program.js";
import { gutterOf } from "../render/block.js";
import { callWords } from "../render/call-words.js";
import type { Colours } from "../render/terminal.js";
import { createColours } from "../render/terminal.js";
import { oneLine } from "../render/one-line.js";
import { damageLines, openSaved, savedSessions } from "./saved-session.js";
import { callEnd, withReason } from "./session-markdown.js";
import { traitsOf } from "../traits-of.js";

/** Lines of a call's output that are shown. */
const OUTPUT_LINES = 12;

/** `mini-cc sessions show ID`: what was said and done, paged on a terminal. */
export async function showSession(
  context: CommandContext,
  beginning: string,
  { all, json }: { all?: boolean; json?: boolean },
): Promise<ExitCode> {
  const saved = await savedSessions(context, { all });
  const { messages } = saved;
  const { session } = await openSaved(saved, beginning);
  if (json === true) {
    process.stdout.write(exportText(session, "json", messages));
    return EXIT.done;
  }
  const { colourLevel } = traitsOf(process.stdout, context.options);
  const colours = createColours(colourLevel);
  const lines = [
    ...sessionLines(transcriptOf(session.records), messages, colours),
    ...damageLines(session, messages).map((line) => colours.yellow(line)),
  ];
  await page(`${lines.join("\n")}\n`, process.stdout);
  return EXIT.done;
}

function sessionLines(
  { header, title, model, turns }: Transcript,
  messages: Messages,
  colours: Colours,
): string[] {
  const { sessions, glyphs } = messages;
  const facts: [string, string][] = [
    [sessions.rows.folder, header?.cwd ?? "?"],
    [sessions.rows.model, model],
    [sessions.rows.started, localTime(header?.at ?? "?")],
    [sessions.rows.turns, String(turns.length)],
  ];
  if (header?.parent)
    facts.push([sessions.rows.parent, sessions.copied(header.parent.id, header.parent.turns)]);
  return [
    colours.bold(
      [
        `${sessions.session} ${oneLine(header?.id ?? "?", messages)}`,
        ...(title === undefined ? [] : [oneLine(title, messages)]),
      ].join("  "),
    ),
    ...facts.map(([name, value]) => colours.dim(messages.joining.named(name, oneLine(value, messages)))),
    ...turns.flatMap(({ number, at, prompt, entries, outcome, error }) => {
      const end = sessions.outcome[outcome ?? "unfinished"];
      return [
        "",
        colours.dim(
          `${glyphs.rule} ${sessions.turn(number)} ${glyphs.separator} ${oneLine(localTime(at), messages)}`,
        ),
        ...prompted(prompt, messages, colours),
        ...entries.flatMap((entry) => entryLines(entry, messages, colours)),
        ...(end === "" ? [] : [colours.yellow(withReason(end, error, messages))]),
      ];
    }),
  ];
}

/** To the minute, in this machine's time zone; what is no time stays as it is. */
function localTime(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function entryLines(entry: TranscriptEntry, messages: Messages, colours: Colours): string[] {
  const { sessions } = messages;
  switch (entry.kind) {
    case "prompt":
      return prompted(entry.text, messages, colours);
    case "reply": {
      const text = printable(entry.text).trim();
      return [
        ...(text === "" ? [] : ["", ...text.split("\n")]),
        ...(entry.cut === undefined ? [] : [colours.yellow(oneLine(sessions.cut(entry.cut), messages))]),
      ];
    }
    case "call":
      return callLines(entry, messages, colours);
    case "notice": {
      const text = oneLine(messages.translate.text(entry.text), messages);
      return [entry.level === "warning" ? colours.yellow(text) : colours.dim(text)];
    }
    case "compaction":
      return [colours.dim(sessions.compacted(entry.tokensBefore, entry.tokensAfter))];
    case "model":
      return [colours.dim(sessions.modelChanged(oneLine(entry.model, messages)))];
  }
}

function prompted(text: string, { glyphs }: Messages, colours: Colours): string[] {
  const [first = "", ...rest] = printable(text).trim().split("\n");
  return ["", `${colours.cyan(glyphs.prompt)} ${first}`, ...rest.map((line) => `  ${line}`)];
}

function callLines(call: TranscriptCall, messages: Messages, colours: Colours): string[] {
  const { glyphs } = messages;
  const gutter = gutterOf(messages);
  const output = printable(call.output).trim();
  const lines = output === "" ? [] : output.split("\n");
  const hidden = lines.length - OUTPUT_LINES;
  const symbol = call.status === "ok" ? colours.green(glyphs.succeeded) : colours.yellow(glyphs.failed);
  return [
    "",
    `${symbol} ${callWords(call.tool, call.args, messages)}  ${colours.dim(oneLine(callEnd(call, messages), messages))}`,
    ...lines.slice(0, OUTPUT_LINES).map((line) => `${gutter}${line}`),
    ...(hidden > 0 ? [`${gutter}${colours.dim(messages.sessions.more(hidden))}`] : []),
  ];
}
