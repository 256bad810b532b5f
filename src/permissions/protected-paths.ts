import { SECRET_PATH } from "./defaults.js";

/** Zero-width, bidirectional and tag characters: they hide what a text says. */
export const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const NEVER_WRITTEN = new Set([".git", "git~1", ".mini-cc.json"]);
/** What other programs run or obey, and the notes that every later session is told. */
const ASKED_FIRST = new Set([
  ".gitmodules",
  ".vscode",
  ".idea",
  ".husky",
  ".envrc",
  ".npmrc",
  ".mcp.json",
  "agents.md",
  "claude.md",
]);

/**
 * One form for all spellings that some file system takes for the same name: case, Unicode form, ignored characters,
 * and the dots and blanks that Windows drops at the end.
 */
function folded(name: string): string {
  const visible = name.normalize("NFC").replace(new RegExp(INVISIBLE, "gu"), "");
  return visible
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<=.)[. ]+$/, "");
}

/** How far writing to a path (relative to the workspace, or absolute) is protected by the names in it. */
export function writeProtection(path: string): "deny" | "ask" | undefined {
  const names = path.split(/[/\\]/).map(folded);
  if (names.some((name) => NEVER_WRITTEN.has(name))) return "deny";
  const workflows = names.some((name, at) => name === ".github" && names[at + 1] === "workflows");
  if (workflows || INVISIBLE.test(path)) return "ask";
  return names.some((name) => ASKED_FIRST.has(name) || name.startsWith(".env")) ? "ask" : undefined;
}

/** Whether a path (with "/" between names) is a usual place of keys or passwords. */
export function isSecretPath(path: string): boolean {
  return SECRET_PATH.test(path.normalize("NFC"));
}
