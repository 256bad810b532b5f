import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import { printable } from "../../printable.js";
import { pickSession } from "../../sessions/session-files.js";
import { lockHolder } from "../../sessions/session-lock.js";
import { listAllSessions } from "../../sessions/session-store.js";
import type { SessionSummary } from "../../sessions/session-summary.js";
import { summariseSession } from "../../sessions/session-summary.js";
import { removeSavedSession } from "../../setup/retention.js";
import type { Messages } from "../messages/catalogue.js";
import { byteText } from "./model-words.js";
import type { CommandContext } from "../program.js";
import { jsonLine } from "../render/json-line.js";
import { table } from "../render/table.js";
import { columnsOf, fit } from "../render/terminal.js";
import { savedSessions, titleOf } from "./saved-session.js";

/** Cells of a title where there is no terminal that limits it. */
const TITLE_CELLS = 100;

/** `mini-cc sessions list`: one line a session, the one used last first. */
export async function listSessions(
  context: CommandContext,
  { all, json }: { all?: boolean; json?: boolean },
): Promise<ExitCode> {
  const { folder, store, messages } = await savedSessions(context, {});
  const list = all === true ? await listAllSessions(folder) : await store.list();
  if (json === true) {
    process.stdout.write(jsonLine({ sessions: list.map(asJson) }));
  } else if (list.length === 0) {
    process.stderr.write(`${all === true ? messages.sessions.noneAtAll : messages.sessions.none}\n`);
  } else {
    for (const line of listLines(list, { withFolder: all === true }, messages))
      process.stdout.write(`${line}\n`);
  }
  return EXIT.done;
}

function asJson({ path, bytes, parent, ...summary }: SessionSummary): unknown {
  return {
    ...summary,
    title: summary.title ?? null,
    startedAt: summary.startedAt ?? null,
    outcome: summary.outcome ?? null,
    parent: parent ?? null,
    bytes,
    path,
    inUse: lockHolder(path) !== undefined,
  };
}

function listLines(
  list: readonly SessionSummary[],
  { withFolder }: { withFolder: boolean },
  messages: Messages,
): string[] {
  const { columns, age, inUse } = messages.sessions;
  const now = Date.now();
  const rows = list.map((summary) => {
    const { id, path, usedAt, turns, bytes, model, cwd } = summary;
    const holder = lockHolder(path);
    const title = (holder ? `${inUse(holder.pid)} ` : "") + titleOf(summary, messages);
    return [
      id,
      age(now - usedAt.getTime()),
      String(turns),
      byteText(bytes),
      printable(model),
      ...(withFolder ? [printable(cwd)] : []),
      process.stdout.isTTY ? title : fit(title, TITLE_CELLS, messages.glyphs.ellipsis),
    ];
  });
  const head = [columns.id, columns.age, columns.turns, columns.size, columns.model];
  const lines = table([[...head, ...(withFolder ? [columns.folder] : []), columns.title], ...rows]);
  return process.stdout.isTTY
    ? lines.map((line) => fit(line, columnsOf(process.stdout), messages.glyphs.ellipsis))
    : lines;
}

/** `mini-cc sessions delete ID`: asks on a terminal; elsewhere only with `--yes`. Throws UserError if it is in use. */
export async function deleteSession(
  context: CommandContext,
  beginning: string,
  { all, yes }: { all?: boolean; yes?: boolean },
): Promise<ExitCode> {
  const { files, messages, loaded } = await savedSessions(context, { all });
  const { id, path } = pickSession(await files(), beginning);
  if (yes !== true) {
    const agreed = await asksToDelete(context, path, messages);
    if (agreed === undefined) return EXIT.cancelled;
    if (!agreed) {
      process.stderr.write(`${messages.sessions.kept}\n`);
      return EXIT.done;
    }
  }
  await removeSavedSession(loaded.folders.state, { id, path });
  process.stdout.write(`${messages.sessions.removed(id)}\n`);
  return EXIT.done;
}

/** Undefined if the question was cancelled. */
async function asksToDelete(
  context: CommandContext,
  path: string,
  messages: Messages,
): Promise<boolean | undefined> {
  const { canAsk, confirmOnTerminal } = await import("../questions/confirm-on-terminal.js");
  const { needsYes, remove, removeAnswers } = messages.sessions;
  if (!canAsk())
    throw new UserError(needsYes, {
      code: "needs-yes",
      hint: messages.sessions.needsYesHint,
      exitCode: EXIT.usage,
    });
  const summary = await summariseSession(path);
  process.stderr.write(
    `${fit(titleOf(summary, messages), columnsOf(process.stderr), messages.glyphs.ellipsis)}\n`,
  );
  return confirmOnTerminal({ question: remove(summary.id), answers: removeAnswers }, context, messages);
}
