import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, messageOf, UserError } from "../errors.js";
import { PROJECT_FILE_NAME } from "./find-files.js";

const STARTER = `// Settings of mini-cc for this project. Comments and trailing commas are allowed.
// \`mini-cc config show\` prints every value in force and where it comes from,
// \`mini-cc config schema\` every key with its meaning.
{
  // Commands that run without asking, as prefixes: "git status" also allows "git status -s".
  // This list replaces the built-in one. Entries beyond plain reading count once the folder is trusted: mini-cc trust
  "allowedCommands": [
    "ls", "cat", "pwd", "head", "tail", "wc", "echo", "grep",
    "git status", "git diff", "git log", "git show",
    // "npm test",
  ],

  // Commands that never run, whatever else allows them.
  "deniedCommands": ["git push"],

  // "default" asks before edits and unlisted commands; "accept-edits" asks for commands only;
  // "plan" changes nothing; "bypass" asks nothing.
  "permissionMode": "default",

  // Without this one of the installed models is chosen.
  // "model": "qwen2.5",

  // How to tell that a question waits or a long turn has ended: "off", "bell", "osc9" or "osc777".
  // "notify": "bell",

  // "ollama": { "numCtx": 16384, "think": "off" },
}
`;

/** Writes the commented starter file and returns its path. Throws a UserError rather than overwrite anything. */
export async function writeStarter(folder: string): Promise<string> {
  const path = join(folder, PROJECT_FILE_NAME);
  try {
    await writeFile(path, STARTER, { flag: "wx" });
    return path;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw alreadyThere(path, cause);
    throw new UserError(`${path} cannot be written: ${messageOf(cause)}`, {
      code: "config-not-writable",
      hint: "Make the folder and the file writable, and try again.",
      cause,
    });
  }
}

function alreadyThere(path: string, cause: unknown): UserError {
  return new UserError(`${path} exists and is left as it is.`, {
    code: "config-exists",
    hint: "Edit it, or remove it and run `mini-cc init` again.",
    exitCode: EXIT.usage,
    cause,
  });
}
