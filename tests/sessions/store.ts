import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { SessionRecord } from "../../src/sessions/records.js";
import { createSessionStore } from "../../src/sessions/session-store.js";

export const AT = "2026-03-04T05:06:07.000Z";

/** The first record of a session. */
export const START: SessionRecord = {
  type: "session",
  v: 1,
  id: "s",
  at: AT,
  cwd: "/home/me/project",
  model: "qwen2.5",
  contextWindow: 16_384,
  version: "0.1.0",
};

export const user = (text: string): SessionRecord => ({ type: "user", at: AT, text });

/** A store in a temporary state folder that goes away with the test. */
export async function makeStore() {
  const root = await mkdtemp(join(tmpdir(), "mini-cc-sessions-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, "state", "sessions");
  const failures: string[] = [];
  const open = (workspaceRoot: string) =>
    createSessionStore({ folder, workspaceRoot, onFailure: (message) => failures.push(message) });
  /** All files below, relative. */
  const files = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  const onlyFile = async () => {
    const [path, ...others] = (await files()).filter((file) => !file.endsWith(".lock"));
    expect(others).toEqual([]);
    return path ?? "";
  };
  return { root, folder, failures, open, files, onlyFile, store: open("/home/me/project") };
}
