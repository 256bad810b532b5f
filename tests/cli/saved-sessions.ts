import { join } from "node:path";
import type { SessionRecord } from "../../src/sessions/records.js";
import { createSessionStore } from "../../src/sessions/session-store.js";
import type { CliPlace } from "../helpers/run-cli.js";

export const AT = "2026-03-04T05:06:07.000Z";

export const user = (text: string): SessionRecord => ({ type: "user", at: AT, text });
export const end: SessionRecord = { type: "turn-end", at: AT, outcome: "done" };
export const reply = (
  text: string,
  ...calls: { id: string; name: string; args: Record<string, unknown> }[]
): SessionRecord => ({ type: "assistant", text, calls, promptTokens: 1, outputTokens: 1 });

/** Saves a session of a workspace as a run would have, and returns its id. */
export function saveSession(
  place: CliPlace,
  records: readonly SessionRecord[],
  cwd = place.workspace,
): string {
  const log = storeOf(place, cwd).create();
  log.append({
    type: "session",
    v: 1,
    id: log.id,
    at: AT,
    cwd,
    model: "qwen3:8b",
    contextWindow: 16_384,
    version: "0.1.0",
  });
  for (const record of records) log.append(record);
  log.close();
  return log.id;
}

export function storeOf(place: CliPlace, workspaceRoot = place.workspace) {
  return createSessionStore({
    folder: join(place.state, "sessions"),
    workspaceRoot,
    onFailure: (message) => {
      throw new Error(message);
    },
  });
}
