import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { projectCommands } from "../../notes/project-commands.js";
import { printable } from "../../printable.js";
import { createSessionStore } from "../../sessions/session-store.js";
import { summariseSession } from "../../sessions/session-summary.js";
import type { Start } from "../start.js";

/** What a first session in a folder offers to try, a line each; nothing once there was a turn in that folder. */
export async function firstSteps({ loaded, workspaceRoot, messages }: Start): Promise<string[]> {
  const store = createSessionStore({
    folder: join(loaded.folders.state, "sessions"),
    workspaceRoot,
    // Nothing is written here.
    onFailure: () => undefined,
  });
  for (const { path } of await store.files()) {
    const { turns } = await summariseSession(path);
    if (turns > 0) return [];
  }
  const { title, ...words } = messages.firstSteps;
  const prompts = await promptsFor(workspaceRoot, words);
  return prompts.length === 0 ? [] : [title, ...prompts.map((prompt) => `  ${printable(prompt)}`)];
}

async function promptsFor(
  folder: string,
  words: Omit<Start["messages"]["firstSteps"], "title">,
): Promise<readonly string[]> {
  // A folder that cannot be read offers nothing, which keeps no session from starting.
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return [];
  names.sort();
  const visible = names.filter((name) => !name.startsWith("."));
  if (visible.length === 0) return words.inEmptyFolder;
  const tests = (await projectCommands(folder)).find((command) => /\btest\b|^pytest|^tox$/.test(command));
  const readme =
    visible.find((name) => /^readme\b/i.test(name)) ?? visible.find((name) => name.includes("."));
  return [
    words.explain,
    tests === undefined ? words.writeTest : words.runTests(tests),
    names.includes(".git") || readme === undefined ? words.review : words.about(readme),
  ];
}
