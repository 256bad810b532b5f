import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTrust, revokeTrust, trustFile } from "../../src/config/trust.js";
import { failure, makeFolder, makePlace } from "./place.js";

test("an untrusted project file tightens at once but widens nothing", async () => {
  const { load, project } = await makePlace();
  await project({
    model: "m",
    ollama: { numCtx: 8192 },
    allowedCommands: ["ls", "rm", "npm test"],
    deniedCommands: ["git push"],
    permissionMode: "bypass",
    sandbox: "required",
  });
  const { config, rules, projectFile } = await load();
  expect(config).toMatchObject({ model: "m", permissionMode: "default", sandbox: "required" });
  expect(config.ollama.numCtx).toBe(8192);
  expect(rules.allow.map((rule) => rule.text)).toEqual(["ls"]);
  expect(rules.deny.map((rule) => rule.text)).toEqual(["git push"]);
  expect(projectFile).toMatchObject({
    trusted: false,
    widens: [
      { key: "allowedCommands", value: "rm" },
      { key: "allowedCommands", value: "npm test" },
      { key: "permissionMode", value: "bypass" },
    ],
  });
});

test("once trusted, the whole file counts, and it still tells what it widens", async () => {
  const { load, project, stateFolder } = await makePlace();
  await project({ allowedCommands: ["ls", "npm test"], permissionMode: "accept-edits" });
  await trustFile(stateFolder, (await load()).projectFile!);
  const { config, rules, projectFile } = await load();
  expect(config.permissionMode).toBe("accept-edits");
  expect(rules.allow.map((rule) => rule.text)).toEqual(["ls", "npm test"]);
  expect(projectFile).toMatchObject({ trusted: true, trustedBefore: undefined });
  expect(projectFile?.widens).toHaveLength(2);
});

test("a file that only names read-only commands, tightens or tunes the model widens nothing", async () => {
  const { load, project } = await makePlace();
  await project({ allowedCommands: ["ls", "git status"], permissionMode: "plan", ollama: { think: "on" } });
  const { config, projectFile } = await load();
  expect(projectFile?.widens).toEqual([]);
  expect(config).toMatchObject({ permissionMode: "plan", ollama: { think: "on" } });
});

test.each([
  ["plan", "default", "plan"],
  ["bypass", "default", "default"],
  ["accept-edits", "bypass", "accept-edits"],
  ["bypass", "accept-edits", "accept-edits"],
])(
  "with %s in the user's file and %s in an untrusted project, %s is in force",
  async (mine, theirs, inForce) => {
    const { load, user, project } = await makePlace();
    await user({ permissionMode: mine });
    await project({ permissionMode: theirs });
    expect((await load()).config.permissionMode).toBe(inForce);
  },
);

test("an untrusted project cannot lower the sandbox that the user requires", async () => {
  const { load, user, project } = await makePlace();
  await user({ sandbox: "required" });
  await project({ sandbox: "auto" });
  const { config, projectFile } = await load();
  expect(config.sandbox).toBe("required");
  expect(projectFile?.widens).toEqual([{ key: "sandbox", value: "auto" }]);
});

test("even a trusted project file can neither choose the server nor switch the sandbox off", async () => {
  const { load, project, stateFolder } = await makePlace();
  await project({ sandbox: "off", ollama: { host: "evil.example:80", numCtx: 8192 } });
  await trustFile(stateFolder, (await load()).projectFile!);
  const { config, projectFile, warnings } = await load();
  expect(projectFile?.trusted).toBe(true);
  expect(config).toMatchObject({ sandbox: "auto", ollama: { host: "http://127.0.0.1:11434", numCtx: 8192 } });
  expect(warnings.map((warning) => warning.code)).toEqual([
    "config-project-key-ignored",
    "config-project-key-ignored",
  ]);
  expect(warnings[0]?.text).toContain('ollama.host "evil.example:80"');
  expect(warnings[1]?.text).toContain('sandbox "off"');
});

test("a changed file is no longer trusted, and the content trusted before can be compared", async () => {
  const { load, project, stateFolder } = await makePlace();
  await project({ allowedCommands: ["npm test"] });
  const before = (await load()).projectFile!;
  await trustFile(stateFolder, before);
  await project({ allowedCommands: ["npm test", "rm"] });
  const { rules, projectFile } = await load();
  expect(rules.allow).toEqual([]);
  expect(projectFile).toMatchObject({ trusted: false, trustedBefore: before.text });
});

test("trust goes to the content that was shown, not to what the file holds by then", async () => {
  const { load, project, stateFolder } = await makePlace();
  await project({ allowedCommands: ["npm test"] });
  const shown = (await load()).projectFile!;
  await project({ allowedCommands: ["rm"] });
  await trustFile(stateFolder, shown);
  expect((await load()).projectFile?.trusted).toBe(false);
});

test("the same content in another folder is not trusted, nor is a link to a trusted file", async () => {
  const { load, project, write, root, stateFolder } = await makePlace();
  const trusted = await project({ allowedCommands: ["rm"] });
  await trustFile(stateFolder, (await load()).projectFile!);
  await write("copy/.mini-cc.json", await readFile(trusted));
  await mkdir(join(root, "linked"));
  await symlink(trusted, join(root, "linked", ".mini-cc.json"));
  for (const name of ["copy", "linked"]) {
    const { rules, projectFile } = await load({ workspace: join(root, name) });
    expect(projectFile?.trusted, name).toBe(false);
    expect(rules.allow, name).toEqual([]);
  }
});

test("revoked trust is gone, and revoking what was never trusted says so", async () => {
  const { load, project, stateFolder } = await makePlace();
  const path = await project({ allowedCommands: ["rm"] });
  expect(await revokeTrust(stateFolder, path)).toBe(false);
  await trustFile(stateFolder, (await load()).projectFile!);
  expect(await revokeTrust(stateFolder, path)).toBe(true);
  expect((await load()).projectFile).toMatchObject({ trusted: false, trustedBefore: undefined });
});

const file = (path: string) => ({ path, sha256: "00", text: "{}" });

test("trusting one file keeps the others", async () => {
  const folder = await makeFolder();
  await trustFile(folder, file("/a/.mini-cc.json"));
  await trustFile(folder, file("/b/.mini-cc.json"));
  await revokeTrust(folder, "/a/.mini-cc.json");
  expect(Object.keys((await readTrust(folder)).files)).toEqual(["/b/.mini-cc.json"]);
});

test.skipIf(process.platform === "win32")(
  "the record is readable by its owner alone and leaves no other file",
  async () => {
    const folder = join(await makeFolder(), "new", "state");
    await trustFile(folder, file("/a/.mini-cc.json"));
    expect((await stat(join(folder, "trust.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(["trust.json"]);
  },
);

test.each(["not json", "", "[]", '{"files":{"/a":{"sha256":1}}}'])(
  "a damaged record (%j) trusts nothing, says so, and is set aside before it is replaced",
  async (content) => {
    const folder = await makeFolder();
    await writeFile(join(folder, "trust.json"), content);
    const damaged = await readTrust(folder);
    expect(damaged.files).toEqual({});
    expect(damaged.warnings[0]?.code).toBe("trust-unreadable");
    expect(await readFile(join(folder, "trust.json"), "utf8")).toBe(content);

    const [warning] = await trustFile(folder, file("/a/.mini-cc.json"));
    expect(warning?.code).toBe("trust-set-aside");
    const aside = (await readdir(folder)).filter((name) => name !== "trust.json");
    expect(aside).toHaveLength(1);
    expect(warning?.text).toContain(aside[0]);
    expect(await readFile(join(folder, aside[0]!), "utf8")).toBe(content);
    expect((await readTrust(folder)).warnings).toEqual([]);
  },
);

test("the warning about a damaged record reaches whoever loads the configuration of a project file", async () => {
  const { load, project, write } = await makePlace();
  await project({ allowedCommands: ["rm"] });
  await write("home/.local/state/mini-cc/trust.json", "not json");
  const { projectFile, warnings } = await load();
  expect(projectFile?.trusted).toBe(false);
  expect(warnings.map((warning) => warning.code)).toEqual(["trust-unreadable"]);
});

test("a state folder that cannot be made is told with the remedy", async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, "file"), "");
  const error = await failure(trustFile(join(folder, "file", "state"), file("/a/.mini-cc.json")));
  expect(error).toMatchObject({ code: "state-not-writable", exitCode: 1 });
  expect(error.hint).toContain("MINI_CC_HOME");
});
