import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfigFile } from "../../src/config/read-config-file.js";
import { failure, makeFolder } from "./place.js";

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(await makeFolder(), "config.json");
  await writeFile(path, content);
  return path;
}

test("comments, trailing commas and a byte order mark are accepted", async () => {
  const path = await fileWith('\uFEFF// mine\n{"model":"m1","allowedCommands":["ls",], /* more */ }\r\n');
  expect((await readConfigFile(path)).values).toEqual({ model: "m1", allowedCommands: ["ls"] });
});

test("only keys that the file names are returned, without defaults", async () => {
  const path = await fileWith('{"ollama":{"numCtx":8192}}');
  expect((await readConfigFile(path)).values).toEqual({ ollama: { numCtx: 8192 } });
});

test.each([
  ['{\n  "model": "m1,\n}\n', "2:12"],
  ['{\r\n  "model" "m1"\r\n}', "2:11"],
  ['{"model": "m1"', "1:15"],
  ["", "1:1"],
  ["// nothing\n", "2:1"],
  ["{} {}", "1:4"],
  ["{'model': 'm1'}", "1:2"],
])("the syntax error in %j is told with its line and column", async (content, place) => {
  const path = await fileWith(content);
  const error = await failure(readConfigFile(path));
  expect(error).toMatchObject({ code: "config-invalid", exitCode: 2 });
  expect(error.message).toContain(`${path}:${place}: `);
  expect(error.hint).toContain("config schema");
  expect(await readFile(path, "utf8")).toBe(content);
});

test("a value of the wrong kind is told with file, line, column, key path and what was expected", async () => {
  const path = await fileWith('{\n  "ollama": {\n    "numCtx": "big"\n  },\n  "permissionMode": "yolo"\n}\n');
  const error = await failure(readConfigFile(path));
  expect(error).toMatchObject({ code: "config-invalid", exitCode: 2 });
  expect(error.message).toContain(`${path}:3:15: ollama.numCtx: expected a whole number of at least 1024`);
  expect(error.message).toContain(`${path}:5:21: permissionMode: expected one of "default"|"accept-edits"`);
});

test("a wrong entry of a list is told with its place in the list", async () => {
  const path = await fileWith('{"allowedCommands": ["ls",\n 5]}');
  expect((await failure(readConfigFile(path))).message).toContain(
    `${path}:2:2: allowedCommands.1: expected string, received number`,
  );
});

test("a file that holds no object is told as such", async () => {
  const path = await fileWith('["ls"]');
  expect((await failure(readConfigFile(path))).message).toContain(
    `${path}:1:1: expected object, received array`,
  );
});

test.each([
  ['{"ollama":{"n_ctx":16384}}', "ollama.n_ctx", "ollama.numCtx"],
  ['{"numctx":16384}', "numctx", "ollama.numCtx"],
  ['{"Model":"m"}', "Model", "model"],
  ['{"allowed_commands":[]}', "allowed_commands", "allowedCommands"],
  ['{"limits":{"toolcall":1}}', "limits.toolcall", "limits.toolCalls"],
])("in %s the unknown key %s is a warning that suggests %s", async (content, key, nearest) => {
  const path = await fileWith(content);
  const { warnings } = await readConfigFile(path);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.code).toBe("config-unknown-key");
  expect(warnings[0]?.text).toContain(`unknown key "${key}"`);
  expect(warnings[0]?.text).toContain(`did you mean "${nearest}"?`);
});

test("an unknown key that resembles none is a warning that lists the valid keys of its place", async () => {
  const path = await fileWith('{\n"ollama": {"somethingElse": 1}}');
  const { values, warnings } = await readConfigFile(path);
  expect(values).toEqual({ ollama: {} });
  expect(warnings[0]?.text).toMatch(/config\.json:2:12: .*valid keys are ollama\.host, ollama\.numCtx/);
  expect(warnings[0]?.text).not.toContain("maxSteps");
});

test("a wrong value is an error even beside an unknown key", async () => {
  const path = await fileWith('{"unknown": 1, "model": 5}');
  expect((await failure(readConfigFile(path))).message).toContain("model: expected string");
});

test("text in another encoding is refused", async () => {
  const path = await fileWith(Buffer.from('\uFEFF{"model":"m1"}', "utf16le"));
  expect((await failure(readConfigFile(path))).message).toContain("is not UTF-8 text");
});

test("a folder, a device, a link to nowhere and a huge file are refused instead of read", async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, "folder"));
  await symlink("/dev/zero", join(folder, "device"));
  await symlink("missing", join(folder, "dangling"));
  await writeFile(join(folder, "huge"), " ".repeat(1024 * 1024 + 1));
  for (const name of ["folder", "device", "dangling", "huge"]) {
    const error = await failure(readConfigFile(join(folder, name)));
    expect(error, name).toMatchObject({ code: "config-invalid", exitCode: 2 });
    expect(error.message).toContain(`${join(folder, name)} cannot be read`);
  }
});

test("the digest changes with any byte of the file", async () => {
  const digests = await Promise.all(
    ["{}", "{} ", "\uFEFF{}", "{/**/}"].map(
      async (content) => (await readConfigFile(await fileWith(content))).sha256,
    ),
  );
  expect(new Set(digests).size).toBe(4);
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
});
