import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { starterNotes, writeStarterNotes } from "../../src/notes/starter-notes.js";
import { failure, makeFolder } from "../config/place.js";

/** The commands that the starter lists for a folder with these files. */
async function commandsOf(files: Record<string, string>): Promise<string[]> {
  const folder = await makeFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const text = (await starterNotes(folder))?.text ?? "";
  return [...text.matchAll(/^- `(.*)`$/gm)].map(([, command = ""]) => command);
}

const scripts = (names: string[], more: object = {}) =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, "x"])), ...more });

test.each<[string, Record<string, string>, string[]]>([
  [
    "package.json: the usual scripts first, those that npm runs by itself left out",
    { "package.json": scripts(["zap", "pretest", "test", "prepare", "build:all", "preview", "lint"]) },
    ["npm install", "npm test", "npm run lint", "npm run zap", "npm run build:all", "npm run preview"],
  ],
  [
    "package.json with a lock file",
    { "package.json": scripts(["test", "dev"]), "pnpm-lock.yaml": "" },
    ["pnpm install", "pnpm test", "pnpm run dev"],
  ],
  [
    "package.json that names its manager",
    { "package.json": scripts(["test"], { packageManager: "yarn@4.1.0" }), "package-lock.json": "{}" },
    ["yarn install", "yarn test"],
  ],
  [
    "bun, whose test is another command",
    { "package.json": scripts(["test"]), "bun.lockb": "\xff\0" },
    ["bun install", "bun run test"],
  ],
  ["a damaged package.json", { "package.json": '{"scripts": {"test": "x",,}' }, ["npm install", "npm test"]],
  [
    "names that a shell would read otherwise",
    { "package.json": scripts(["$(touch x)", "a b", "-x", "ok", "`id`"]) },
    ["npm install", "npm run ok"],
  ],
  [
    "Makefile with phony targets",
    { Makefile: "CC := gcc\n.PHONY: clean test \\\n  build\n\nbuild: main.o\n\tcc\nmain.o: main.c\n" },
    ["make build", "make test", "make clean"],
  ],
  [
    "Makefile without",
    { Makefile: "X = 1\nall: out/x\n\techo a: b\nout/x: y\n%.o: %.c\ntest:: all\n.SUFFIXES:\n" },
    ["make test", "make all"],
  ],
  [
    "pyproject.toml with uv",
    { "pyproject.toml": '[dependency-groups]\ndev = ["pytest>=8", "ruff"]\n# mypy later', "uv.lock": "" },
    ["uv sync", "uv run pytest", "uv run ruff check ."],
  ],
  [
    "pyproject.toml with poetry",
    { "pyproject.toml": "[tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = '*'\n" },
    ["poetry install", "poetry run pytest"],
  ],
  ["plain pyproject.toml", { "pyproject.toml": "[tool.mypy]" }, ["pip install -e .", "mypy ."]],
  ["Cargo.toml", { "Cargo.toml": "" }, ["cargo build", "cargo test", "cargo clippy", "cargo fmt --check"]],
  ["go.mod", { "go.mod": "" }, ["go build ./...", "go test ./...", "go vet ./..."]],
  [
    "justfile",
    { justfile: "set shell := ['bash']\nversion := '1'\n@test *args:\n  x\n_private:\nbuild target='a':\n" },
    ["just build", "just test"],
  ],
  [
    "Taskfile.yml",
    {
      "Taskfile.yml":
        "version: '3'\nvars:\n  A: b\ntasks:\n  zip:\n    cmds:\n      - x\n  test:\n    desc: y\n",
    },
    ["task test", "task zip"],
  ],
  ["deno.jsonc", { "deno.jsonc": '{ /* c */ "tasks": { "test": "x" } }' }, ["deno task test"]],
  ["gradle with its wrapper", { "build.gradle.kts": "", gradlew: "" }, ["./gradlew build", "./gradlew test"]],
  ["maven", { "pom.xml": "" }, ["mvn test"]],
  [
    "several kinds in one folder",
    { "package.json": scripts(["test"]), Makefile: "test:\n", "tox.ini": "" },
    ["npm install", "npm test", "tox", "make test"],
  ],
  ["nothing that it knows", { "notes.txt": "" }, []],
])("the commands of %s", async (_, files, commands) => {
  expect(await commandsOf(files)).toEqual(commands);
});

test("a folder with many scripts gets a short list", async () => {
  const names = Array.from({ length: 80 }, (_, index) => `job-${index}`);
  expect((await commandsOf({ "package.json": scripts([...names, "test"]) })).slice(0, 2)).toEqual([
    "npm install",
    "npm test",
  ]);
  expect((await commandsOf({ "package.json": scripts(names) })).length).toBeLessThanOrEqual(12);
});

test("a file outside is not read through a link", async () => {
  const outside = await makeFolder();
  await writeFile(join(outside, "package.json"), scripts(["secret"]));
  const folder = await makeFolder();
  await symlink(join(outside, "package.json"), join(folder, "package.json"));
  expect((await starterNotes(folder))?.text).not.toContain("secret");
});

test("notes that exist are never overwritten, under either name", async () => {
  for (const name of ["AGENTS.md", "CLAUDE.md"]) {
    const folder = await makeFolder();
    const starter = await starterNotes(folder);
    await writeFile(join(folder, name), "mine");
    expect(await starterNotes(folder)).toBeUndefined();
    if (starter?.path !== join(folder, name)) continue;
    expect(await failure(writeStarterNotes(starter))).toMatchObject({ code: "notes-not-writable" });
    expect(await readFile(starter.path, "utf8")).toBe("mine");
  }
});
