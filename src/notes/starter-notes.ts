import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf, UserError } from "../errors.js";
import { NOTES_NAMES } from "./find-notes.js";
import { projectCommands } from "./project-commands.js";

/** Notes to begin with. */
export interface StarterNotes {
  path: string;
  text: string;
}

/** Undefined if the workspace has notes of its own. */
export async function starterNotes(workspaceRoot: string): Promise<StarterNotes | undefined> {
  const names = new Set(await readdir(workspaceRoot));
  if (NOTES_NAMES.some((name) => names.has(name))) return undefined;
  const commands = await projectCommands(workspaceRoot);
  return { path: join(workspaceRoot, NOTES_NAMES[0]), text: starterText(basename(workspaceRoot), commands) };
}

/** Throws UserError rather than overwrite anything. */
export async function writeStarterNotes({ path, text }: StarterNotes): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    throw new UserError(`${path} cannot be written: ${messageOf(cause)}`, {
      code: "notes-not-writable",
      hint: "Make the folder and the file writable, and try again.",
      cause,
    });
  }
}

function starterText(name: string, commands: readonly string[]): string {
  const none = ["<!-- None were found: say how to build, test and run the project. -->"];
  const list = commands.length === 0 ? none : commands.map((command) => `- \`${command}\``);
  return `# ${name}

<!-- Notes for coding agents, read at the start of every session. Say what a newcomer must know, and keep it short. -->

## Commands

${list.join("\n")}

## How to work here

- After a change, run the tests.
`;
}
