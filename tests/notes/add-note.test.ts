import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareNote } from "../../src/notes/add-note.js";
import { failure, makeFolder } from "../config/place.js";

test.each([
  ["a list goes on", "- One.\n", "- One.\n- Two.\n"],
  ["a last line without an end gets one", "- One.", "- One.\n- Two.\n"],
  ["text is kept apart from the list", "# Notes\n\nText.\n", "# Notes\n\nText.\n\n- Two.\n"],
  ["a blank line is enough", "# Notes\n\n- One.\n\n", "# Notes\n\n- One.\n\n- Two.\n"],
  ["line ends stay as they are", "* One.\r\n", "* One.\r\n- Two.\r\n"],
  ["an empty file needs nothing", "", "- Two.\n"],
])("%s", async (_, before, after) => {
  const folder = await makeFolder();
  const path = join(folder, "AGENTS.md");
  await writeFile(path, before);
  const addition = await prepareNote(folder, " Two.\n");
  expect(addition).toMatchObject({ path, before, after });
  expect(await readFile(path, "utf8"), "before it was agreed").toBe(before);
  await addition.append();
  expect(await readFile(path, "utf8")).toBe(after);
});

test("a folder without notes gets AGENTS.md, one with CLAUDE.md alone goes on with that", async () => {
  const folder = await makeFolder();
  await (await prepareNote(folder, "Use\n  tabs.")).append();
  expect(await readFile(join(folder, "AGENTS.md"), "utf8")).toBe("- Use tabs.\n");
  await rm(join(folder, "AGENTS.md"));
  await writeFile(join(folder, "CLAUDE.md"), "- One.\n");
  await (await prepareNote(folder, "Two.")).append();
  expect(await readFile(join(folder, "CLAUDE.md"), "utf8")).toBe("- One.\n- Two.\n");
});

test("a link inside stays a link, and mode and byte order mark stay", async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, "docs"));
  const real = join(folder, "docs", "notes.md");
  await writeFile(real, "\ufeff- One.\n");
  await chmod(real, 0o640);
  await symlink(real, join(folder, "AGENTS.md"));
  await (await prepareNote(folder, "Two.")).append();
  expect(await readFile(real, "utf8")).toBe("\ufeff- One.\n- Two.\n");
  expect((await stat(real)).mode & 0o777).toBe(0o640);
});

test("nothing is written through a link that leads out, nor into what is no text", async () => {
  const folder = await makeFolder();
  const outside = join(await makeFolder(), "file");
  await writeFile(outside, "theirs");
  await symlink(outside, join(folder, "AGENTS.md"));
  expect(await failure(prepareNote(folder, "x"))).toMatchObject({ code: "notes-not-writable" });
  await rm(join(folder, "AGENTS.md"));
  await writeFile(join(folder, "AGENTS.md"), Buffer.from([0xff, 0xfe, 0x00]));
  expect((await failure(prepareNote(folder, "x"))).message).toContain("not UTF-8");
  expect(await readFile(outside, "utf8")).toBe("theirs");
});

test("what changed between the question and the answer is not added to unseen", async () => {
  const folder = await makeFolder();
  const path = join(folder, "AGENTS.md");
  const toNew = await prepareNote(folder, "one");
  await writeFile(path, "someone else's\n");
  expect(await failure(toNew.append())).toMatchObject({ code: "notes-not-writable" });
  const toOld = await prepareNote(folder, "two");
  await writeFile(path, "changed again, longer\n");
  expect((await failure(toOld.append())).message).toContain("changed meanwhile");
  expect(await readFile(path, "utf8")).toBe("changed again, longer\n");
});
