/** Files with sentences for the model alone, for scripts of shells, and for files that are written. */
export const UNTOLD_FILES: readonly string[] = [
  "agent/compaction-text.ts",
  "agent/conversation.ts",
  "agent/steering.ts",
  "agent/system-prompt.ts",
  "agent/tool-answers.ts",
  "agent/word-faults.ts",
  "config/starter.ts",
  "model/call-recovery/",
  "model/text-protocol/",
  "notes/project-commands.ts",
  "notes/starter-notes.ts",
  "permissions/defaults.ts",
  "permissions/program-rules.ts",
  "processes/",
  "sandbox/seatbelt.ts",
  // Their failures are looked at one by one.
  "tools/",
];

/** Sentences that no person reads, in files with others that people do read; and what only looks like one. */
export const UNTOLD_TEXTS: Readonly<Record<string, readonly string[]>> = {
  // For the model.
  "agent/compactor.ts": [
    "[Left out to save room. Call the tool again if you need this.]",
    "[A later part of the conversation.]",
    "[The work is interrupted here.]",
  ],
  "agent/fruitless-searches.ts": [
    "The last searches brought nothing new. Say what you know; then edit, or answer.",
  ],
  "agent/mender.ts": ["The user wants: {}"],
  "agent/reflection.ts": [
    "{} has failed twice for the same reason: {}",
    "Before the next call, write three short lines: what failed; why; what you will do differently. Then do that.",
  ],
  "agent/repeated-calls.ts": [
    "You have done this {} times. Think about the cause before you do it again.",
    "You have already made this very call, with the same result. Use it, or do something else.",
    "You go round in circles: {}, {} times with the same results. Do something else.",
  ],
  "agent/repeated-failures.ts": ["It fails in the same way as before. Change something first."],
  "agent/reply-faults.ts": ["Call one tool with valid arguments, or answer in plain text."],
  "agent/tool-gate.ts": [
    "[Not run again: this is the result of the same call before. Use it, or do something else.]",
    "{} opens a path that it did not declare: {}",
  ],
  "agent/turn.ts": ["Stop here: {}. Do not call a tool. Say in words what is done and what is left."],
  "context/result-room.ts": ["{}\n[… {} characters left out, the context window is nearly full …]\n{}"],
  "model/wire-messages.ts": ["[{} read above: {}]", "The image", "The images"],
  "setup/commands.ts": ["It ran in a sandbox without network."],
  "setup/notes.ts": [
    "the user, for every project",
    "{}\n\n[The rest of this file was left out for want of room.]",
  ],
  "setup/resume.ts": [
    "Files are no longer as you last saw them: {}. Read them again before you rely on them.",
  ],
  "undo/untold-note.ts": [
    "restored again",
    'The user {} what you changed for "{}": {}.',
    "{} Read these files again before you use or change them.",
  ],

  // Reasons of an end that nobody is told, and faults of our own.
  "agent/agent.ts": ["a tool call outside a turn"],
  "cli/shell-completion/values.ts": ["nothing says what completes {}"],
  "agent/context-guard.ts": ["The conversation must be compacted before the next request."],
  // Read again, and told in words of the catalogue.
  "cli/program.ts": ["unknown command '{}'{}"],
  "config/schema.ts": ["not a duration: {}"],
  "model/warm-up.ts": ["A prompt was sent", "The session ends"],
  "permissions/path-policy.ts": ["the last step applies to every path"],

  // No sentences.
  "config/state-folders.ts": ["Application Support"],
  "permissions/remember.ts": ["npm run", "pnpm run", "yarn run", "bun run", "docker compose"],
  "permissions/shell-grammar.ts": ["for ((…))"],
  "sandbox/bubblewrap.ts": [
    '[ -w . ] || { echo "$PWD: not writable inside, it belongs to another user" >&2; exit 1; }',
  ],
};
