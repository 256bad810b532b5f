import { tmpdir, totalmem } from "node:os";
import type { App } from "../app.js";
import { connect } from "../setup/connection.js";
import { EXIT, UserError } from "../errors.js";
import type { CommandContext } from "./program.js";
import type { Start } from "./start.js";
import { homeFolder } from "./start.js";

/** The app with what this process knows of its surroundings. Throws UserError if server or model cannot be used. */
export async function openApp(
  { options, version }: CommandContext,
  { loaded, workspaceRoot }: Start,
  signal: AbortSignal,
): Promise<App> {
  const resume = wantedSession(options);
  const [connection, { createApp }] = await Promise.all([
    connect({ loaded, memoryBytes: totalmem(), signal }),
    import("../app.js"),
  ]);
  return createApp({
    loaded,
    connection,
    workspaceRoot,
    version,
    resume,
    env: process.env,
    homeDir: homeFolder(),
    platform: process.platform,
    memoryBytes: totalmem(),
    temporaryFolder: tmpdir(),
  });
}

function wantedSession(options: CommandContext["options"]): { id: string } | "latest" | undefined {
  if (typeof options.resume === "string") return { id: options.resume };
  if (options.resume === true) {
    throw new UserError("--resume needs the ID of a session", {
      code: "no-session",
      hint: "Use --continue for the latest session of this folder",
      exitCode: EXIT.usage,
    });
  }
  return options.continue === true ? "latest" : undefined;
}
