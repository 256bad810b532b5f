import { mkdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failure, makePlace } from "./place.js";

test("without files, variables and flags every value is a default", async () => {
  const { load } = await makePlace();
  const loaded = await load();
  expect(loaded.config).toMatchObject({ maxSteps: 50, debug: false, ollama: { think: "off" } });
  expect(loaded.config.model).toBeUndefined();
  expect(loaded.config.ollama.numCtx).toBeUndefined();
  expect(new Set(Object.values(loaded.origins).map((origin) => origin.layer))).toEqual(new Set(["default"]));
  expect(loaded).toMatchObject({ filesRead: [], warnings: [], rules: { allow: [], deny: [] } });
  expect(loaded.readOnlyDefaultsActive).toBe(true);
  expect(loaded.projectFile).toBeUndefined();
});

test("the model comes from the flag, then the variable, then the project, then the user", async () => {
  const { load, user, project } = await makePlace();
  const userFile = await user({ model: "m1" });
  const first = await load();
  expect([first.config.model, first.origins["model"]]).toEqual(["m1", { layer: "user", source: userFile }]);

  const projectFile = await project({ model: "m2" });
  const second = await load();
  expect([second.config.model, second.origins["model"]]).toEqual([
    "m2",
    { layer: "project", source: projectFile },
  ]);

  const env = { MINI_CC_MODEL: "m3" };
  const third = await load({ env });
  expect([third.config.model, third.origins["model"]]).toEqual([
    "m3",
    { layer: "environment", source: "MINI_CC_MODEL" },
  ]);

  const fourth = await load({ env, flags: { model: "m4" } });
  expect([fourth.config.model, fourth.origins["model"]]).toEqual([
    "m4",
    { layer: "flag", source: "--model" },
  ]);
});

test("objects merge key by key, each with its own origin", async () => {
  const { load, user, project } = await makePlace();
  const userFile = await user({ ollama: { numCtx: 8192, keepAlive: "5m" }, limits: { minutes: 5 } });
  const projectFile = await project({ ollama: { numCtx: 16384 } });
  const { config, origins } = await load();
  expect(config.ollama).toMatchObject({ numCtx: 16384, keepAlive: "5m", numPredict: 4096 });
  expect(config.limits).toEqual({ minutes: 5, toolCalls: 200, tokens: 2_000_000 });
  expect(origins["ollama.numCtx"]).toEqual({ layer: "project", source: projectFile });
  expect(origins["ollama.keepAlive"]).toEqual({ layer: "user", source: userFile });
  expect(origins["ollama.numPredict"]?.layer).toBe("default");
});

test("OLLAMA_HOST beats the user's file, and the origin says so", async () => {
  const { load, user } = await makePlace();
  await user({ ollama: { host: "a:1" } });
  expect((await load()).config.ollama.host).toBe("a:1");
  const { config, origins } = await load({ env: { OLLAMA_HOST: "b:2" } });
  expect(config.ollama.host).toBe("b:2");
  expect(origins["ollama.host"]).toEqual({ layer: "environment", source: "OLLAMA_HOST" });
});

test("command lists of files and flags add up and every entry keeps its origin", async () => {
  const { load, user, project } = await makePlace();
  const userFile = await user({ allowedCommands: ["npm test"], deniedCommands: ["rm"] });
  const projectFile = await project({ allowedCommands: ["ls"], deniedCommands: ["git push"] });
  const { rules } = await load({ flags: { allow: ["make", "go test"] } });
  expect(rules.allow).toEqual([
    { text: "npm test", origin: { layer: "user", source: userFile } },
    { text: "ls", origin: { layer: "project", source: projectFile } },
    { text: "make", origin: { layer: "flag", source: "--allow" } },
    { text: "go test", origin: { layer: "flag", source: "--allow" } },
  ]);
  expect(rules.deny.map((rule) => rule.text)).toEqual(["rm", "git push"]);
});

test("an allowedCommands key in any file, even empty or not counted, switches the read-only list off", async () => {
  const place = await makePlace();
  expect((await place.load({ flags: { allow: ["make"] } })).readOnlyDefaultsActive).toBe(true);
  const userFile = await place.user({ allowedCommands: [] });
  expect((await place.load()).readOnlyDefaultsActive).toBe(false);
  await rm(userFile);
  await place.project({ allowedCommands: ["rm"] });
  const loaded = await place.load();
  expect(loaded.readOnlyDefaultsActive).toBe(false);
  expect(loaded.rules.allow).toEqual([]);
});

test("the nearest project file up to the repository's root is used, and no other", async () => {
  const { load, write, repository } = await makePlace();
  const outer = await write("repository/.mini-cc.json", '{"model":"outer"}');
  await write(".mini-cc.json", '{"model":"beyond the repository"}');
  const deep = join(repository, "packages", "a", "src");
  await mkdir(deep, { recursive: true });
  expect((await load({ workspace: deep })).filesRead).toEqual([outer]);

  const inner = await write("repository/packages/a/.mini-cc.json", '{"maxSteps":7}');
  const loaded = await load({ workspace: deep });
  expect(loaded.filesRead).toEqual([inner]);
  expect(loaded.config).toMatchObject({ maxSteps: 7 });
  expect(loaded.config.model).toBeUndefined();
});

test("a worktree, whose .git is a file, ends the search too", async () => {
  const { load, write, root } = await makePlace();
  await write("repository/.mini-cc.json", '{"model":"outer"}');
  await write("repository/tree/.git", "gitdir: elsewhere");
  expect((await load({ workspace: join(root, "repository", "tree") })).filesRead).toEqual([]);
});

test("outside a repository only the workspace itself is looked at", async () => {
  const { load, write, root } = await makePlace();
  await write("plain/.mini-cc.json", '{"model":"m"}');
  await mkdir(join(root, "plain", "sub"));
  expect((await load({ workspace: join(root, "plain", "sub") })).filesRead).toEqual([]);
  expect((await load({ workspace: join(root, "plain") })).filesRead).toHaveLength(1);
});

test("a workspace reached through a link is searched in its real place", async () => {
  const { load, project, repository, root } = await makePlace();
  const projectFile = await project({ model: "m" });
  await mkdir(join(repository, "sub"));
  await symlink(join(repository, "sub"), join(root, "link"));
  expect((await load({ workspace: join(root, "link") })).projectFile?.path).toBe(projectFile);
});

test("a link from the project to the user's file does not give it the project's precedence", async () => {
  const { load, user, repository } = await makePlace();
  const userFile = await user({ model: "m1", permissionMode: "accept-edits" });
  await symlink(userFile, join(repository, ".mini-cc.json"));
  const loaded = await load();
  expect(loaded.filesRead).toEqual([userFile]);
  expect(loaded.projectFile).toBeUndefined();
  expect(loaded.origins["model"]?.layer).toBe("user");
});

test.each(["mini-cc.json", ".mini-cc.jsonc", "mini-cc.config.json", ".mini-cc/config.json"])(
  "%s in the project is named as not read",
  async (name) => {
    const { load, write } = await makePlace();
    const path = await write(`repository/${name}`, '{"model":"m"}');
    const { config, warnings } = await load();
    expect(config.model).toBeUndefined();
    expect(warnings.map((warning) => warning.code)).toEqual(["config-not-read"]);
    expect(warnings[0]?.text).toContain(`${path} is not read`);
  },
);

test("near-miss names in the user's folders are named as not read", async () => {
  const { load, write, user } = await makePlace();
  const beside = await write("home/.config/mini-cc/config.jsonc", "{}");
  const atHome = await write("home/.mini-cc.json", "{}");
  const texts = (await load()).warnings.map((warning) => warning.text);
  expect(texts).toEqual([
    expect.stringContaining(`${beside} is not read`),
    expect.stringContaining(`${atHome} is not read`),
  ]);
  await user({});
  expect((await load()).warnings.map((warning) => warning.text)).toEqual([expect.stringContaining(beside)]);
});

test("the project file of a workspace that is also MINI_CC_HOME is not called a near miss", async () => {
  const { load, project, repository } = await makePlace();
  const projectFile = await project({ model: "m" });
  const loaded = await load({ env: { MINI_CC_HOME: repository } });
  expect(loaded.warnings).toEqual([]);
  expect(loaded.filesRead).toEqual([projectFile]);
});

test("MINI_CC_HOME holds the user's file", async () => {
  const { load, write, root } = await makePlace();
  const path = await write("one/config.json", '{"maxSteps":3}');
  const loaded = await load({ env: { MINI_CC_HOME: join(root, "one") }, homeDir: undefined });
  expect(loaded.filesRead).toEqual([path]);
  expect(loaded.config.maxSteps).toBe(3);
});

test("a broken file stops everything and stays as it is", async () => {
  const { load, write, user } = await makePlace();
  await user({ model: "m1" });
  const content = '{"model":"m2","allowedCommands":["ls" "cat"],} // mine';
  const path = await write("repository/.mini-cc.json", content);
  const error = await failure(load());
  expect(error).toMatchObject({ code: "config-invalid", exitCode: 2 });
  expect(error.message).toContain(`${path}:1:39`);
  expect(await readFile(path, "utf8")).toBe(content);
});

test("a server address that cannot be used is told with the file and key that hold it", async () => {
  const { load, user } = await makePlace();
  const path = await user({ ollama: { host: "ftp://box" } });
  expect((await failure(load())).message).toContain(
    `${path}:1:19: ollama.host: "ftp://" is not http:// or https://`,
  );
});

test("loading writes nothing", async () => {
  const { load, home } = await makePlace();
  await load();
  await expect(stat(join(home, ".config"))).rejects.toThrow("ENOENT");
  await expect(stat(join(home, ".local"))).rejects.toThrow("ENOENT");
});

test("a workspace that is missing or no folder is a usage mistake", async () => {
  const { load, write, root } = await makePlace();
  const file = await write("file", "");
  for (const workspace of [join(root, "missing"), file]) {
    const error = await failure(load({ workspace }));
    expect(error).toMatchObject({ code: "workspace-invalid", exitCode: 2 });
    expect(error.message).toContain(workspace);
  }
});

test("every flag reaches its key", async () => {
  const { load } = await makePlace();
  const { config, origins } = await load({
    flags: {
      model: "m",
      host: "box:1",
      numCtx: "8192",
      think: "high",
      permissionMode: "plan",
      maxSteps: "9",
      maxToolCalls: "8",
      maxMinutes: "0.5",
      maxTokens: "7",
      protocol: "text",
      lang: "zh",
      debug: true,
    },
  });
  expect(config).toMatchObject({
    model: "m",
    ollama: { host: "box:1", numCtx: 8192, think: "high" },
    permissionMode: "plan",
    maxSteps: 9,
    limits: { toolCalls: 8, minutes: 0.5, tokens: 7 },
    protocol: "text",
    language: "zh",
    debug: true,
  });
  const fromFlags = Object.values(origins).filter((origin) => origin.layer === "flag");
  expect(fromFlags.map((origin) => origin.source).sort()).toEqual([
    "--debug",
    "--host",
    "--lang",
    "--max-minutes",
    "--max-steps",
    "--max-tokens",
    "--max-tool-calls",
    "--model",
    "--num-ctx",
    "--permission-mode",
    "--protocol",
    "--think",
  ]);
});

test.each([
  [{ numCtx: "abc" }, "--num-ctx", "at least 1024"],
  [{ numCtx: "" }, "--num-ctx", "at least 1024"],
  [{ maxSteps: "0" }, "--max-steps", "at least 1"],
  [{ maxSteps: "1.5" }, "--max-steps", "whole number"],
  [{ maxToolCalls: "0" }, "--max-tool-calls", "at least 1"],
  [{ maxTokens: "many" }, "--max-tokens", "whole number"],
  [{ maxMinutes: "0" }, "--max-minutes", "above 0"],
  [{ maxMinutes: "soon" }, "--max-minutes", "above 0"],
  [{ permissionMode: "yolo" }, "--permission-mode", '"default"|"accept-edits"|"plan"|"bypass"'],
  [{ think: "true" }, "--think", '"off"|"on"|"low"|"medium"|"high"'],
  [{ protocol: "xml" }, "--protocol", '"auto"|"native"|"text"'],
  [{ lang: "fr" }, "--lang", '"auto"|"en"|"zh"'],
  [{ host: "a b" }, "--host", "server address such as"],
  [{ model: "" }, "--model", "name of a model"],
])("the flag values %j are refused with the flag and what it takes", async (flags, name, valid) => {
  const { load } = await makePlace();
  const error = await failure(load({ flags }));
  expect(error).toMatchObject({ code: "option-invalid", exitCode: 2 });
  expect(error.message).toContain(name);
  expect(error.message).toContain(valid);
  expect(error.message).toContain(JSON.stringify(Object.values(flags)[0]));
});

test("a password in a server address is not repeated, wherever the address was given", async () => {
  const { load, user } = await makePlace();
  const host = "http://me:secret@box";
  expect((await failure(load({ flags: { host } }))).message).not.toContain("secret");
  expect((await failure(load({ env: { OLLAMA_HOST: host } }))).message).not.toContain("secret");
  await user({ ollama: { host } });
  expect((await failure(load())).message).not.toContain("secret");
});

test("an empty variable counts as not set; blanks and quotes around a value are dropped", async () => {
  const { load } = await makePlace();
  const empty = await load({
    env: { MINI_CC_MODEL: " ", OLLAMA_HOST: "", MINI_CC_LANG: "", MINI_CC_DEBUG: "" },
  });
  expect(new Set(Object.values(empty.origins).map((origin) => origin.layer))).toEqual(new Set(["default"]));
  const quoted = await load({ env: { MINI_CC_MODEL: " m\r", OLLAMA_HOST: '"box:1"' } });
  expect(quoted.config).toMatchObject({ model: "m", ollama: { host: "box:1" } });
});

test("a variable with a wrong value is refused by its name", async () => {
  const { load } = await makePlace();
  const error = await failure(load({ env: { MINI_CC_LANG: "fr" } }));
  expect(error).toMatchObject({ code: "option-invalid", exitCode: 2 });
  expect(error.message).toContain("MINI_CC_LANG");
});

test.each([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
])("MINI_CC_DEBUG=%s means debug %s", async (value, debug) => {
  const { load } = await makePlace();
  expect((await load({ env: { MINI_CC_DEBUG: value } })).config.debug).toBe(debug);
});
