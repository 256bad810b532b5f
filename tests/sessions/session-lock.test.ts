import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockHolder, lockPath } from "../../src/sessions/session-lock.js";
import { removeSession } from "../../src/sessions/session-store.js";
import { makeStore, user } from "./store.js";

const PROGRAM = fileURLToPath(new URL("hold-session.ts", import.meta.url));
const ROOT = "/home/me/project";

/** Another process that tries to take the session; resolves to what it says of it. */
async function otherProcess(folder: string, id: string) {
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, folder, ROOT, id], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, said: said.toString().trim() };
}

async function saved() {
  const place = await makeStore();
  const log = place.store.create();
  log.append(user("One."));
  const path = (await place.files()).find((file) => file.endsWith(".jsonl")) ?? "";
  return { ...place, log, path };
}

describe("a session in use", () => {
  test("is refused to other processes until it is closed, and named with its process", async () => {
    const { folder, store, log, path } = await saved();
    expect(lockHolder(path)).toMatchObject({ pid: process.pid });
    expect((await otherProcess(folder, log.id)).said).toBe(
      `refused: this session is in use by process ${process.pid}`,
    );
    await expect(store.reopen(log.id)).rejects.toMatchObject({
      code: "session-in-use",
      hint: expect.stringContaining("--fork") as string,
    });
    log.close();
    expect(lockHolder(path)).toBeUndefined();
    const other = await otherProcess(folder, log.id);
    expect(other.said).toBe("taken");
    await expect(store.reopen(log.id)).rejects.toMatchObject({ code: "session-in-use" });
    await expect(removeSession(path)).rejects.toMatchObject({ code: "session-in-use" });
    other.child.stdin.end();
    await once(other.child, "exit");
    (await store.reopen(log.id)).close();
    await removeSession(path);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  test("by a process that was killed is free again", async () => {
    const { folder, store, log, path } = await saved();
    log.close();
    const { child } = await otherProcess(folder, log.id);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(lockHolder(path)).toBeUndefined();
    const again = await store.reopen(log.id);
    again.append(user("Two."));
    again.close();
    expect((await store.read(log.id)).records).toEqual([user("One."), user("Two.")]);
  });

  test("by a living process that only has the number of a dead one is free again", async () => {
    const { store, log, path } = await saved();
    log.close();
    await writeFile(
      lockPath(path),
      JSON.stringify({ pid: process.pid, started: "long ago", host: hostname() }),
    );
    (await store.reopen(log.id)).close();
  });

  test("on another machine is left alone, and what to do is said", async () => {
    const { store, log, path } = await saved();
    log.close();
    await writeFile(lockPath(path), JSON.stringify({ pid: 1, started: "1", host: "elsewhere" }));
    await expect(store.reopen(log.id)).rejects.toMatchObject({
      message: "this session is in use by process 1 on elsewhere",
      hint: expect.stringContaining(lockPath(path)) as string,
    });
  });

  test.each(["", "{", '{"pid":"x"}'])("whose lock a crash left as %j is free again", async (text) => {
    const { store, log, path } = await saved();
    log.close();
    await writeFile(lockPath(path), text);
    (await store.reopen(log.id)).close();
    expect(await readdir(dirname(path))).toEqual([`${log.id}.jsonl`]);
  });

  test("goes to exactly one of several processes that find the lock of a dead one", async () => {
    const { folder, log, path } = await saved();
    log.close();
    await writeFile(lockPath(path), JSON.stringify({ pid: 2 ** 22 + 1, started: "1", host: hostname() }));
    const others = await Promise.all(Array.from({ length: 4 }, () => otherProcess(folder, log.id)));
    expect(others.filter(({ said }) => said === "taken")).toHaveLength(1);
    const [holder] = others.filter(({ said }) => said === "taken");
    expect(lockHolder(path)?.pid).toBe(holder!.child.pid);
  });

  test.skipIf(process.getuid?.() === 0)("can be read in a folder that cannot be written", async () => {
    const { store, log, path, failures } = await saved();
    log.close();
    await chmod(dirname(path), 0o500);
    onTestFinished(() => chmod(dirname(path), 0o700));
    await chmod(path, 0o400);
    const again = await store.reopen(log.id);
    again.append(user("Two."));
    again.append(user("Three."));
    again.close();
    expect(failures).toHaveLength(1);
    expect(await readFile(path, "utf8")).not.toContain("Two.");
  });
});
