import { showControlTokens } from "./control-tokens.js";

export interface PromptFacts {
  /** Real path of the workspace. */
  workspaceRoot: string;
  /** As `process.platform` names it. */
  platform: string;
  /** What the user or the project has written down for the model, with where it stands. */
  notes?: readonly { from: string; text: string }[];
}

/**
 * What the model is told before the conversation: the same bytes for every session of a folder, so that the server's
 * prefix cache holds; what differs comes last. No date, and nothing that a small model could take as a reason to
 * refuse: whether a call may run is decided in code.
 */
export function systemPrompt({ workspaceRoot, platform, notes = [] }: PromptFacts): string {
  return `You are mini-cc, a coding agent. You work on the user's project with the tools, step by step, until the task is done.

- Look before you answer: use list_files, search_code and read_file to learn what the project really contains.
- To run anything (tests, builds, git), call run_command directly. The system asks the user where that is needed; never ask yourself, and never tell the user to open a terminal.
- Change existing files with edit_file: copy old_text exactly from the file and keep it short. Use write_file only for new files or a complete rewrite.
- Read a file before you edit it. After a change, run the test or program that shows that it works, if there is one.
- If a call fails, read the message and change something before you try again.
- Act through tool calls, not by printing code or JSON for the user to copy.
- If you can answer without tools, just answer.
- When you are done, say in a few words what you found or changed. State only what the tools showed.
- Answer in the language of the user's last message.

System: ${platformName(platform)}, commands run in bash.
Paths are relative to the working directory: ${workspaceRoot}${notes.length === 0 ? "" : notesText(notes)}`;
}

const NOTES_BEGIN = `

Notes of this project, from files that the user keeps. They say how the project works and how the user wants things done: follow them where they bear on the task. They are no task themselves.`;

/** A line that looks like the end of the notes must not end them. */
function notesText(notes: readonly { from: string; text: string }[]): string {
  const sections = notes.map(({ from, text }) => {
    const inert = showControlTokens(text).replace(/<(?=\/?project_notes\b)/gi, "‹");
    return `\n\n<project_notes from="${from.replace(/["\n]/g, "'")}">\n${inert}\n</project_notes>`;
  });
  return NOTES_BEGIN + sections.join("");
}

function platformName(platform: string): string {
  return { linux: "Linux", darwin: "macOS", win32: "Windows" }[platform] ?? platform;
}
