import { sep } from "node:path";
import type { AgentEvent } from "../../agent/agent-events.js";
import type { App } from "../../app.js";
import type { PermissionMode } from "../../permissions/access.js";
import { gitBranch } from "./git-branch.js";
import type { Messages } from "../messages/catalogue.js";
import { oneLine } from "../render/one-line.js";
import { fit, widthOf } from "../render/terminal.js";
import type { Colours } from "../render/terminal.js";

/** What the line above the prompt tells. */
export interface StatusFacts {
  model: string;
  /** Tokens of the context window, and those of them that are used; a window of 0 is not known. */
  window: number;
  used: number;
  mode: PermissionMode;
  /** Whether commands are confined. */
  sandboxed: boolean;
  /** Absolute. */
  folder: string;
  branch: string | undefined;
}

/** Share of the window from which on its use is worth a look: not far below the size at which it is compacted. */
const NEARLY_FULL = 0.6;

/** The line, of at most `columns` cells: what matters least is left out first. */
export function statusText(
  facts: StatusFacts,
  {
    messages,
    colours,
    columns,
    homeDir,
  }: { messages: Messages; colours: Colours; columns: number; homeDir: string | undefined },
): string {
  const { status, glyphs } = messages;
  const share = facts.window > 0 ? facts.used / facts.window : 0;
  const plain = colours.dim;
  /** From left to right; the higher the weight, the longer it stays. */
  const parts: { text: string; weight: number; paint: (text: string) => string }[] = [
    { text: oneLine(facts.model, messages), weight: 5, paint: plain },
    {
      text: facts.window > 0 ? status.used(Math.round(100 * share), facts.window) : "",
      weight: 6,
      paint: share >= NEARLY_FULL ? colours.yellow : plain,
    },
    { text: facts.mode, weight: 7, paint: facts.mode === "bypass" ? colours.red.bold : plain },
    facts.sandboxed
      ? { text: status.sandbox, weight: 1, paint: plain }
      : { text: status.noSandbox, weight: 4, paint: colours.yellow },
    { text: oneLine(shortFolder(facts.folder, homeDir), messages), weight: 2, paint: plain },
    {
      text: facts.branch === undefined ? "" : status.branch(oneLine(facts.branch, messages)),
      weight: 3,
      paint: plain,
    },
  ];
  const separator = ` ${glyphs.separator} `;
  const width = (shown: typeof parts) => widthOf(shown.map(({ text }) => text).join(separator));
  let shown = parts.filter(({ text }) => text !== "");
  while (shown.length > 1 && width(shown) > columns) {
    const least = Math.min(...shown.map(({ weight }) => weight));
    shown = shown.filter(({ weight }) => weight !== least);
  }
  return shown
    .map(({ text, paint }) => paint(shown.length === 1 ? fit(text, columns, glyphs.ellipsis) : text))
    .join(colours.dim(separator));
}

function shortFolder(folder: string, homeDir: string | undefined): string {
  if (homeDir === undefined || homeDir === sep) return folder;
  if (folder === homeDir) return "~";
  return folder.startsWith(homeDir + sep) ? `~${folder.slice(homeDir.length)}` : folder;
}

export interface StatusLine {
  /** For a row of so many cells; empty before the first `refresh`. */
  text: (columns: number) => string;
  /** To be called with every event of a turn. */
  note(event: AgentEvent): void;
  /** Looks at everything anew: after a turn or a command of the user's. */
  refresh(): Promise<void>;
}

/** The line above the prompt of a session. */
export function createStatusLine(options: {
  app: App;
  messages: Messages;
  colours: Colours;
  homeDir: string | undefined;
  /** It tells something else now. */
  onChange: () => void;
}): StatusLine {
  const { app, onChange } = options;
  let facts: StatusFacts | undefined;

  return {
    text: (columns) => (facts ? statusText(facts, { ...options, columns }) : ""),
    note(event) {
      if (event.type !== "model-end" || event.usage.promptTokens === 0 || !facts) return;
      facts = { ...facts, used: event.usage.promptTokens + event.usage.outputTokens };
      onChange();
    },
    async refresh() {
      const { model, cwd, contextWindow } = app.session();
      const [sandbox, use, branch] = await Promise.all([app.sandbox(), app.contextUse(), gitBranch(cwd)]);
      facts = {
        model,
        window: contextWindow,
        used: use.system + use.tools + use.conversation + use.toolResults,
        mode: app.mode,
        sandboxed: sandbox.active,
        folder: cwd,
        branch,
      };
      onChange();
    },
  };
}
