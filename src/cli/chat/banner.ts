import { relative } from "node:path";
import type { App } from "../../app.js";
import { printable } from "../../printable.js";
import type { SandboxState } from "../../sandbox/sandbox.js";
import type { Messages } from "../messages/catalogue.js";
import type { Colours } from "../render/terminal.js";

/** What a session begins with: the model, where it works, and how it is confined. */
export function bannerLines(
  app: App,
  sandbox: SandboxState,
  { messages, colours }: { messages: Messages; colours: Colours },
): string[] {
  const { version, model, contextWindow, cwd } = app.session();
  const { chat, joining, translate } = messages;
  const told = (text: string) => printable(translate.text(text));
  const window =
    contextWindow > 0 ? ` ${messages.glyphs.separator} ${chat.contextWindow(contextWindow)}` : "";
  return [
    colours.bold(chat.banner(version)),
    joining.labelled(chat.model, `${printable(model)}${window}`),
    joining.labelled(chat.mode, app.mode),
    joining.labelled(chat.folder, printable(cwd)),
    ...notesLine(app, messages),
    told(sandbox.text) + (sandbox.active ? "" : colours.dim(` ${joining.bracketed(told(sandbox.remedy))}`)),
    ...(app.mode === "bypass" ? [colours.red.bold(chat.bypass)] : []),
    colours.dim(chat.hint),
  ];
}

function notesLine(app: App, { notes, joining }: Messages): string[] {
  const { cwd } = app.session();
  const names = app.projectNotes().map(({ path, isUsers }) => (isUsers ? path : relative(cwd, path)));
  return names.length === 0 ? [] : [joining.labelled(notes.banner, printable(joining.list(names)))];
}
