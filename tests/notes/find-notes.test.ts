import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNotes } from "../../src/notes/find-notes.js";
import { makePlace } from "../config/place.js";

const CONFIG = "home/.config/mini-cc";

/** A repository with a workspace two folders below its root. */
async function place() {
  const { root, repository, write } = await makePlace();
  const workspace = join(repository, "packages", "app");
  await mkdir(workspace, { recursive: true });
  const find = async (from = workspace) => {
    const { files, refused } = await findNotes(from, join(root, CONFIG));
    const short = (path: string) => path.slice(root.length + 1);
    return {
      files: files.map(({ path, text }) => [short(path), text]),
      refused: refused.map(({ path, because }) => `${short(path)}: ${because}`),
    };
  };
  return { root, repository, workspace, write, find };
}

test("notes are read from the user's file and every folder up to the repository, the nearest last", async () => {
  const { write, find } = await place();
  await write("AGENTS.md", "above the repository");
  await write("repository/AGENTS.md", "root\n");
  await write("repository/packages/AGENTS.md", "packages");
  await write("repository/packages/app/AGENTS.md", "app");
  await write("repository/packages/other/AGENTS.md", "beside");
  await write(`${CONFIG}/AGENTS.md`, "mine");
  expect(await find()).toEqual({
    files: [
      [`${CONFIG}/AGENTS.md`, "mine"],
      ["repository/AGENTS.md", "root"],
      ["repository/packages/AGENTS.md", "packages"],
      ["repository/packages/app/AGENTS.md", "app"],
    ],
    refused: [],
  });
});

test("CLAUDE.md counts only in a folder without AGENTS.md", async () => {
  const { write, find } = await place();
  await write("repository/CLAUDE.md", "root, other name");
  await write("repository/packages/app/AGENTS.md", "app");
  await write("repository/packages/app/CLAUDE.md", "not read");
  const { files } = await find();
  expect(files.map(([, text]) => text)).toEqual(["root, other name", "app"]);
});

test("without a repository only the workspace's own notes count", async () => {
  const { root, write, find } = await place();
  await write("loose/AGENTS.md", "above");
  await write("loose/app/AGENTS.md", "own");
  expect((await find(join(root, "loose", "app"))).files).toEqual([["loose/app/AGENTS.md", "own"]]);
});

test("a link counts once, and only if it leads to a file in the repository", async () => {
  const { root, repository, workspace, write, find } = await place();
  await write("secret.txt", "a key");
  await write("repository/docs/notes.md", "shared");
  await symlink(join(repository, "docs", "notes.md"), join(repository, "AGENTS.md"));
  await symlink(join(repository, "docs", "notes.md"), join(repository, "packages", "AGENTS.md"));
  await symlink(join(root, "secret.txt"), join(workspace, "AGENTS.md"));
  await write("repository/packages/app/CLAUDE.md", "not instead of it");
  expect(await find()).toEqual({
    files: [["repository/AGENTS.md", "shared"]],
    refused: ["repository/packages/app/AGENTS.md: it is a link that leads elsewhere"],
  });
});

test("the user's own file may be a link to anywhere", async () => {
  const { root, write, find } = await place();
  const real = await write("dotfiles/agents.md", "mine");
  await mkdir(join(root, CONFIG), { recursive: true });
  await symlink(real, join(root, CONFIG, "AGENTS.md"));
  expect((await find()).files).toEqual([[`${CONFIG}/AGENTS.md`, "mine"]]);
});

test.each([
  ["a folder", /not a regular file/, (path: string) => mkdir(path)],
  ["a link to nowhere", /no such file/, (path: string) => symlink("nowhere", path)],
])("%s of that name is told and not read", async (_, because, make) => {
  const { workspace, find } = await place();
  await make(join(workspace, "AGENTS.md"));
  const { files, refused } = await find();
  expect(files).toEqual([]);
  expect(refused).toEqual([expect.stringMatching(because)]);
});

test.each([
  ["Latin-1", Buffer.from([0x66, 0xfc, 0x72])],
  ["UTF-16", Buffer.from("notes", "utf16le")],
])("a file in %s is told and not read", async (_, bytes) => {
  const { write, find } = await place();
  await write("repository/AGENTS.md", bytes);
  expect(await find()).toEqual({ files: [], refused: ["repository/AGENTS.md: it is not UTF-8 text"] });
});

test("what a reader would not see is not told: a byte order mark, escape sequences, invisible characters", async () => {
  const { write, find } = await place();
  const hidden = "\u{e0041}\u{e0042}\u200b\u202e";
  await write("repository/AGENTS.md", `\ufeffUse tabs.${hidden}\r\n\x1b[8mhidden style\x1b[0m\r\n\r\n`);
  expect((await find()).files).toEqual([["repository/AGENTS.md", "Use tabs.\nhidden style"]]);
});

test("of a huge file the beginning is read, whole characters only, and known to be no more", async () => {
  const { root, workspace, write } = await place();
  await write("repository/AGENTS.md", `a${"é".repeat(100_000)}`);
  const { files } = await findNotes(workspace, join(root, CONFIG));
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({ isWhole: false });
  expect(files[0]?.text).toMatch(/^aé{1000,}$/);
  expect(Buffer.byteLength(files[0]?.text ?? "")).toBeLessThanOrEqual(65_536);
});

test("an empty file is no notes", async () => {
  const { write, find } = await place();
  await write("repository/AGENTS.md", "\n \n");
  expect(await find()).toEqual({ files: [], refused: [] });
});
