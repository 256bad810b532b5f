import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lastModel, rememberModel } from "../../src/model/last-model.js";
import { failure } from "./model.js";

const HERE = "http://127.0.0.1:11434";
const THERE = "http://gpu.example:11434";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mini-cc-model-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("nothing is known before the first session, and looking makes no folder", async () => {
  const folder = await makeFolder();
  expect(await lastModel(join(folder, "state"), HERE)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test("each server has its own last model", async () => {
  const state = join(await makeFolder(), "state");
  await rememberModel(state, HERE, "small:3b");
  await rememberModel(state, THERE, "large:70b");
  await rememberModel(state, HERE, "middle:7b");
  expect(await lastModel(state, HERE)).toBe("middle:7b");
  expect(await lastModel(state, THERE)).toBe("large:70b");
});

test("the file is its owner's alone, and remembering the same again does not write it", async () => {
  const state = join(await makeFolder(), "state");
  await rememberModel(state, HERE, "small:3b");
  const [name] = await readdir(state);
  const before = await stat(join(state, name ?? ""));
  expect(before.mode & 0o777).toBe(0o600);
  await rememberModel(state, HERE, "small:3b");
  expect((await stat(join(state, name ?? ""))).ino).toBe(before.ino);
  expect(await readdir(state)).toHaveLength(1);
});

test("a damaged file counts as none and is replaced", async () => {
  const state = await makeFolder();
  await rememberModel(state, HERE, "small:3b");
  const [name] = await readdir(state);
  await writeFile(join(state, name ?? ""), '{"models": {"http');
  expect(await lastModel(state, HERE)).toBeUndefined();
  await rememberModel(state, HERE, "middle:7b");
  expect(await lastModel(state, HERE)).toBe("middle:7b");
});

test("a state folder that cannot be written is an error with a next step", async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, "state"), "a file where the folder should be");
  const error = await failure(rememberModel(join(folder, "state"), HERE, "small:3b"));
  expect(error.code).toBe("state-not-writable");
  expect(error.hint).toBeTruthy();
});
