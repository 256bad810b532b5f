import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfigFile } from "../../src/config/read-config-file.js";
import { writeStarter } from "../../src/config/starter.js";
import { failure, makeFolder } from "./place.js";

test("the starter file is valid, has no unknown key and explains itself in comments", async () => {
  const path = await writeStarter(await makeFolder());
  const { values, warnings, text } = await readConfigFile(path);
  expect(path).toMatch(/\.mini-cc\.json$/);
  expect(warnings).toEqual([]);
  expect(values).toMatchObject({ permissionMode: "default", deniedCommands: ["git push"] });
  expect(values.allowedCommands).toContain("git status");
  expect(text).toContain("//");
});

test("an existing file is never overwritten", async () => {
  const folder = await makeFolder();
  const path = await writeStarter(folder);
  const before = await readFile(path, "utf8");
  expect(await failure(writeStarter(folder))).toMatchObject({ code: "config-exists", exitCode: 2 });
  expect(await readFile(path, "utf8")).toBe(before);
});

test("a link to nowhere is not written through", async () => {
  const folder = await makeFolder();
  await symlink(join(folder, "elsewhere"), join(folder, ".mini-cc.json"));
  expect(await failure(writeStarter(folder))).toMatchObject({ code: "config-exists" });
  await expect(readFile(join(folder, "elsewhere"))).rejects.toThrow("ENOENT");
});

test("a folder that is missing is told with its path", async () => {
  const folder = join(await makeFolder(), "missing");
  expect((await failure(writeStarter(folder))).message).toContain(join(folder, ".mini-cc.json"));
});
