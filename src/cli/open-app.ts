import { tmpdir, totalmem } from "node:os";
import type { App } from "../app.js";
import { connect } from "../setup/connection.js";
import type { WantedSession } from "../setup/find-session.js";
import { findSession } from "../setup/find-session.js";
import { EXIT, UserError } from "../errors.js";
import type { Messages } from "./messages/catalogue.js";
import type { CommandContext } from "./program.js";
import { noticeLine } from "./render/event-lines.js";
import { createColours } from "./render/terminal.js";
import type { Start } from "./start.js";
import { homeFolder } from "./start.js";

/** The app with what this process knows of its surroundings. Throws UserError if server or model cannot be used. */
export async function openApp(
  { options, version }: CommandContext,
  { loaded, workspaceRoot }: Start,
  signal: AbortSignal,
): Promise<App> {
  const wanted = wantedSession(options);
  const resume = wanted && (await findSession({ stateFolder: loaded.folders.state, workspaceRoot }, wanted));
  const [connection, { createApp }] = await Promise.all([
    connect({ loaded, memoryBytes: totalmem(), signal, preferred: resume?.model || undefined }),
    import("../app.js"),
  ]);
  return createApp({
    loaded,
    connection,
    workspaceRoot,
    version,
    resume: resume?.id,
    env: process.env,
    homeDir: homeFolder(),
    platform: process.platform,
    memoryBytes: totalmem(),
    temporaryFolder: tmpdir(),
  });
}

/** Ends the app, and tells on standard error what the user should know of that. */
export async function closeApp(app: App | undefined, messages: Messages): Promise<void> {
  for (const notice of (await app?.dispose()) ?? []) {
    process.stderr.write(`${noticeLine(notice, messages, createColours(0))}\n`);
  }
}

function wantedSession(options: CommandContext["options"]): WantedSession | undefined {
  const fork = options.fork === true;
  if (typeof options.resume === "string") return { id: options.resume, fork };
  if (options.resume === true) {
    throw new UserError("--resume needs the ID of a session", {
      code: "no-session",
      hint: "mini-cc sessions lists them; --continue goes on with the latest of this folder",
      exitCode: EXIT.usage,
    });
  }
  if (options.continue === true) return { fork };
  if (!fork) return undefined;
  throw new UserError("--fork needs to know which session it copies", {
    code: "usage",
    hint: "Name it with --resume ID, or take the latest of this folder with --continue",
    exitCode: EXIT.usage,
  });
}
