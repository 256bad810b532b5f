import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import type { SearchHit } from "../../sessions/session-search.js";
import { searchSessions } from "../../sessions/session-search.js";
import { summariseSession } from "../../sessions/session-summary.js";
import type { SessionSummary } from "../../sessions/session-summary.js";
import type { Messages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { jsonLine } from "../render/json-line.js";
import type { Colours } from "../render/terminal.js";
import { columnsOf, createColours, fit } from "../render/terminal.js";
import { savedSessions, titleOf } from "./saved-session.js";
import { traitsOf } from "../traits-of.js";
import { usageError } from "../usage-error.js";

/** `mini-cc sessions search WORDS`: the turns that hold all words, the newest first. Exit 0 also if there is none. */
export async function searchSavedSessions(
  context: CommandContext,
  words: readonly string[],
  { all, json, limit }: { all?: boolean; json?: boolean; limit: string },
): Promise<ExitCode> {
  const most = wholeNumber(limit, context.messages);
  const { files, messages } = await savedSessions(context, { all });
  const { colourLevel } = traitsOf(process.stdout, context.options);
  const colours = createColours(colourLevel);
  const hits: unknown[] = [];
  let number = 0;
  let session: SessionSummary | undefined;
  for await (const hit of searchSessions(await files(), words)) {
    if (number === most) {
      process.stderr.write(`${messages.sessions.moreHits(most)}\n`);
      break;
    }
    number++;
    const isNew = session?.id !== hit.session.id;
    if (isNew) session = await summariseSession(hit.session.path);
    if (session === undefined) continue;
    if (json === true) hits.push(asJson(hit, session));
    else
      for (const line of hitLines(hit, session, isNew, messages, colours)) process.stdout.write(`${line}\n`);
  }
  if (json === true) process.stdout.write(jsonLine({ hits }));
  else if (number === 0) process.stderr.write(`${messages.sessions.noHits(words.join(" "))}\n`);
  return EXIT.done;
}

function asJson({ turn, place, excerpt, marks }: SearchHit, session: SessionSummary): unknown {
  const { id, cwd, model, title, firstPrompt, usedAt } = session;
  return { session: id, turn, place, excerpt, marks, title: title ?? null, firstPrompt, model, cwd, usedAt };
}

/** The session, where it changes, and below it the turn with its excerpt. */
function hitLines(
  { turn, place, excerpt, marks }: SearchHit,
  session: SessionSummary,
  isNew: boolean,
  messages: Messages,
  colours: Colours,
): string[] {
  const { sessions, joining } = messages;
  const head = `${session.id}  ${sessions.age(Date.now() - session.usedAt.getTime())}  ${titleOf(session, messages)}`;
  const width = process.stdout.isTTY ? columnsOf(process.stdout) : Infinity;
  const where = joining.list([sessions.turn(turn), sessions.places[place]]);
  const label = `  ${joining.heading(where)} `;
  return [
    ...(isNew ? [colours.cyan(fit(head, width, messages.glyphs.ellipsis))] : []),
    `${colours.dim(label)}${markedText(excerpt, marks, colours)}`,
  ];
}

function markedText(excerpt: string, marks: SearchHit["marks"], colours: Colours): string {
  let text = "";
  let end = 0;
  for (const [from, to] of marks) {
    // Words may lie in each other.
    if (to <= end) continue;
    const start = Math.max(from, end);
    text += excerpt.slice(end, start) + colours.yellow.bold(excerpt.slice(start, to));
    end = to;
  }
  return text + excerpt.slice(end);
}

function wholeNumber(text: string, messages: Messages): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const { usage, glyphs } = messages;
  throw usageError(
    usage.invalidValue("--limit", text, `1, 2, 3, ${glyphs.ellipsis}`),
    "mini-cc sessions search",
    messages,
  );
}
