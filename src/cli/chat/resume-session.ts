import type { SessionPosition } from "../../setup/resume.js";
import type { SessionSummary } from "../../sessions/session-summary.js";
import { printable } from "../../printable.js";
import type { PickQuestion } from "../questions/list-picker.js";
import type { Messages } from "../messages/catalogue.js";
import { byteText } from "../commands/model-words.js";
import { oneLine } from "../render/one-line.js";
import { fit } from "../render/terminal.js";
import type { Colours } from "../render/terminal.js";
import { titleOf } from "../commands/saved-session.js";
import type { SlashContext } from "../slash/slash-commands.js";

/** Cells of a title in the list. */
const TITLE_CELLS = 50;
/** Lines of the last answer that are shown again. */
const ANSWER_LINES = 3;

/** The sessions to choose from: what each is about, when it was used, its model and its size. */
export function sessionQuestion(list: readonly SessionSummary[], messages: Messages): PickQuestion {
  const now = Date.now();
  return {
    title: messages.resume.title,
    items: list.map((summary) => ({
      label: fit(titleOf(summary, messages), TITLE_CELLS, messages.glyphs.ellipsis),
      detail: [
        messages.sessions.age(now - summary.usedAt.getTime()),
        printable(summary.model),
        byteText(summary.bytes),
        summary.id,
      ].join(` ${messages.glyphs.separator} `),
    })),
  };
}

/** Where the user was: the session, the last prompt, and the beginning of the last answer. */
export function positionLines(
  position: SessionPosition | undefined,
  messages: Messages,
  colours: Colours,
  columns: number,
): string[] {
  if (!position || position.turns === 0) return [];
  const { turns, title, prompt, answer, outcome } = position;
  const { glyphs } = messages;
  const { goesOn, ended } = messages.resume;
  const lines = printable(answer)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines
    .slice(0, ANSWER_LINES)
    .map((line) => colours.dim(fit(`  ${line}`, columns, glyphs.ellipsis)));
  const how = ended[outcome ?? "failed"];
  return [
    colours.bold(
      fit(goesOn(titleOf({ title, firstPrompt: prompt }, messages), turns), columns, glyphs.ellipsis),
    ),
    fit(`${glyphs.prompt} ${oneLine(prompt, messages)}`, columns, glyphs.ellipsis),
    ...shown,
    ...(lines.length > ANSWER_LINES ? [colours.dim(`  ${glyphs.ellipsis}`)] : []),
    ...(how === "" ? [] : [colours.yellow(how)]),
  ];
}

/** `/resume [ID]`: leaves this session for an earlier one. */
export async function resumeCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, messages, say, notice, pick, colours, bottom } = context;
  const own = app.session().id;
  let id: string | undefined = argument;
  if (argument === "") {
    const list = (await app.savedSessions()).filter((summary) => summary.id !== own);
    if (list.length === 0) {
      say(messages.resume.nothing);
      return;
    }
    const picked = await pick(sessionQuestion(list, messages));
    id = picked === undefined ? undefined : list[picked]?.id;
  }
  if (id === undefined) return;
  if (own.startsWith(id)) {
    say(messages.resume.alreadyHere);
    return;
  }
  for (const one of await app.resume(id)) notice(one);
  say(...positionLines(app.position(), messages, colours, bottom.columns));
}

/** `/continue`: another turn from where the last one stopped. */
export async function continueCommand({ app, messages, say, prompt }: SlashContext): Promise<void> {
  const { conversation } = await app.contextUse();
  if (conversation === 0) say(messages.resume.nothingToContinue);
  else await prompt(messages.resume.continuePrompt);
}
