import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The user's editor: VISUAL, EDITOR, or vi. It may hold arguments, as git's does. */
export function editorOf(environment: Readonly<Record<string, string | undefined>>): string {
  return environment["VISUAL"] || environment["EDITOR"] || "vi";
}

/**
 * Lets the user write in an editor that has the terminal to itself; resolves to the text without the line end that
 * editors add. Throws if the editor cannot be started or ends with an error.
 */
export async function writeInEditor(editor: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mini-cc-"));
  try {
    const file = join(folder, "message.md");
    await writeFile(file, text === "" ? "" : `${text}\n`, { mode: 0o600 });
    await run(editor, file);
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(editor: string, file: string): Promise<void> {
  // Ctrl-C in an editor is meant for the editor, though all programs of the terminal get the signal.
  const listeners = process.listeners("SIGINT");
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  for (const listener of listeners) process.off("SIGINT", listener);
  const ended = new Promise<void>((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(signal === null ? `exit code ${code ?? "unknown"}` : `ended by ${signal}`));
    });
  });
  return ended.finally(() => {
    for (const listener of listeners) process.on("SIGINT", listener);
    process.off("SIGINT", ignore);
  });
}
