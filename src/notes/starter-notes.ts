import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf, UserError } from "../errors.js";
import { NOTES_NAMES } from "./find-notes.js";
import { projectCommands } from "./project-commands.js";
import { readPlainText } from "./read-plain-text.js";

/** Bytes of a file that commands are looked for in. */
const MAX_BYTES = 256 * 1024;

/** Notes to begin with. */
export interface StarterNotes {
  path: string;
  text: string;
}

/** Undefined if the workspace has notes of its own. */
export async function starterNotes(workspaceRoot: string): Promise<StarterNotes | undefined> {
  const read = (name: string) =>
    readPlainText(join(workspaceRoot, name), { within: workspaceRoot, maxBytes: MAX_BYTES });
  for (const name of NOTES_NAMES) if ((await read(name)).kind !== "missing") return undefined;
  const commands = await projectCommands(async (name) => {
    const found = await read(name);
    return found.kind === "text" ? found.text : undefined;
  });
  return { path: join(workspaceRoot, NOTES_NAMES[0]), text: starterText(basename(workspaceRoot), commands) };
}

/** Throws UserError rather than overwrite anything. */
export async function writeStarterNotes({ path, text }: StarterNotes): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    throw new UserError(`${path} cannot be written: ${messageOf(cause)}`, {
      code: "notes-not-writable",
      cause,
    });
  }
}

function starterText(name: string, commands: readonly string[]): string {
  const list = commands.length === 0 ? ["- (none were found)"] : commands.map((command) => `- \`${command}\``);
  return `# ${name}

<!-- Notes for coding agents, read at the start of every session. Say what a newcomer must know, and keep it short. -->

## Commands

${list.join("\n")}

## How to work here

- After a change, run the tests.
`;
}
