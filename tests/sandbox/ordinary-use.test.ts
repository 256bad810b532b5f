import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createProcessRegistry } from "../../src/processes/process-registry.js";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import {
  git,
  giveTo,
  initRepository,
  makePlace,
  run,
  sandboxIsMissing,
  sandboxOptions,
  testUsers,
} from "./place.js";
import type { PlaceOptions, SandboxPlace } from "./place.js";

const places: SandboxPlace[] = [];

afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

function newPlace(options?: PlaceOptions): SandboxPlace {
  const place = makePlace(options);
  places.push(place);
  return place;
}

const missing = await sandboxIsMissing();
const because = missing === undefined ? "" : ` (skipped: ${missing})`;
const exitsWith = (code: number) => ({ kind: "exited", code });

describe.skipIf(missing !== undefined)(`ordinary work in the sandbox${because}`, () => {
  describe.each(testUsers())("by $title", (user) => {
    const WORKSPACES = [
      { title: "in the temporary folder", options: {} },
      { title: "in the home folder", options: { workspace: "home/code/app" } },
      { title: "with blanks and Chinese in its name", options: { workspace: '我的 项目/ü "q" $x\'s' } },
      // Only root has a place of its own that is not hidden.
      ...(user.isRoot ? [{ title: "elsewhere on the disk", options: { under: "/var/lib" } }] : []),
    ];

    it.each(WORKSPACES)("runs node, git and npm test in a workspace $title", async ({ options }) => {
      const place = newPlace(options);
      const scripts = { test: "node --test" };
      writeFileSync(join(place.workspaceRoot, "package.json"), JSON.stringify({ name: "app", scripts }));
      writeFileSync(
        join(place.workspaceRoot, "sum.test.cjs"),
        `require("node:test")("adds", () => require("node:assert").equal(1 + 1, 2));`,
      );
      const sandbox = await createSandbox(sandboxOptions(place));
      giveTo(user, place);
      const does = (command: string) => run(place, sandbox, command, { user });

      expect((await does("npm test")).output).toMatch(/pass 1\b/);
      expect((await does("git add -A && git commit -q -m second && git status --short")).end).toEqual(
        exitsWith(0),
      );
      expect((await does("git log --format=%an:%s")).output).toBe("Tester:second\nTester:first\n");
      const written = await does(
        `node -e 'require("fs").writeFileSync("out.txt", process.cwd())'; rm sum.test.cjs`,
      );
      expect(written).toEqual({ end: exitsWith(0), output: "" });
      expect(readFileSync(join(place.workspaceRoot, "out.txt"), "utf8")).toBe(place.workspaceRoot);
      expect(existsSync(join(place.workspaceRoot, "sum.test.cjs"))).toBe(false);
    });

    it("gives each command an empty temporary and home folder of its own", async () => {
      const place = newPlace();
      const sandbox = await createSandbox(sandboxOptions(place));
      giveTo(user, place);
      const command = `touch ~/mine "$(mktemp)" && ls -A ~ && dirname "$(mktemp)"`;
      for (let time = 0; time < 2; time++) {
        expect((await run(place, sandbox, command, { user })).output).toBe(".gitconfig\nmine\n/tmp\n");
      }
      expect(readdirSync(place.homeDir)).toEqual([".gitconfig"]);
    });

    it("lets the processes of one command talk to each other", async () => {
      const place = newPlace();
      const sandbox = await createSandbox(sandboxOptions(place));
      giveTo(user, place);
      const server = `node -e 'require("http").createServer((_, r) => r.end("hello")).listen(8123, "127.0.0.1")'`;
      const client =
        "until exec 3<>/dev/tcp/127.0.0.1/8123; do sleep 0.1; done 2>/dev/null; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3";
      expect((await run(place, sandbox, `${server} & ${client}; kill %1`, { user })).output).toMatch(
        /hello$/,
      );
    });

    it("leaves nothing in the workspace that the command did not make", async () => {
      const place = newPlace();
      const before = readdirSync(place.workspaceRoot, { recursive: true });
      const sandbox = await createSandbox(sandboxOptions(place));
      giveTo(user, place);
      await run(place, sandbox, "true", { user });
      expect(readdirSync(place.workspaceRoot, { recursive: true })).toEqual(before);
    });
  });

  it.each([
    { title: "an exit code", command: "exit 7", code: 7 },
    { title: "a program that is not there", command: "no-such-program", code: 127 },
    { title: "the end by a signal, as a shell does", command: "kill -TERM $$", code: 128 + 15 },
  ])("reports $title", async ({ command, code }) => {
    const place = newPlace();
    const sandbox = await createSandbox(sandboxOptions(place));
    expect((await run(place, sandbox, command)).end).toEqual(exitsWith(code));
  });

  it("passes on every byte of the output, of both streams", async () => {
    const place = newPlace();
    const sandbox = await createSandbox(sandboxOptions(place));
    const { output } = await run(place, sandbox, "seq 1 100000; echo '错误: 完' >&2; printf end");
    const numbers = Array.from({ length: 100_000 }, (_, at) => `${at + 1}\n`).join("");
    expect(output.replace("错误: 完\n", "")).toBe(`${numbers}end`);
  });

  it("runs in a folder of the workspace", async () => {
    const place = newPlace();
    const cwd = join(place.workspaceRoot, "packages", "甲 乙");
    mkdirSync(cwd, { recursive: true });
    const sandbox = await createSandbox(sandboxOptions(place));
    expect((await run(place, sandbox, "pwd; echo $PWD", { cwd })).output).toBe(`${cwd}\n${cwd}\n`);
  });

  it("is ended with everything in it by a cancel", async () => {
    const place = newPlace();
    const sandbox = await createSandbox(sandboxOptions(place));
    const registry = createProcessRegistry();
    const controller = new AbortController();
    const script = "(trap '' TERM; while :; do date +%N > tick; sleep 0.05; done) & wait";
    const running = registry.run(
      {
        argv: sandbox.wrap(["/bin/bash", "-c", script], { cwd: place.workspaceRoot, network: false }),
        cwd: place.workspaceRoot,
        env: place.env,
        maxOutputBytes: 1_000,
      },
      controller.signal,
    );
    const tick = join(place.workspaceRoot, "tick");
    await expect.poll(() => existsSync(tick), { timeout: 10_000 }).toBe(true);
    controller.abort();
    expect((await running).end).toEqual({ kind: "cancelled" });
    rmSync(tick);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(existsSync(tick)).toBe(false);
    await registry.dispose();
  });

  describe("shows of the home folder", () => {
    function install(path: string, says: string): void {
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho ${says}\n`);
      chmodSync(path, 0o755);
    }

    it("the known toolchains, but not the keys beside them", async () => {
      const place = newPlace();
      install(join(place.homeDir, ".cargo", "bin", "cargo"), "cargo runs");
      install(join(place.outside, "nvm", "versions", "node", "tool"), "tool runs");
      symlinkSync(join(place.outside, "nvm"), join(place.homeDir, ".nvm"));
      writeFileSync(join(place.homeDir, ".cargo", "credentials.toml"), "token");
      writeFileSync(join(place.homeDir, ".npmrc"), "token");
      const sandbox = await createSandbox(sandboxOptions(place));
      const { output } = await run(
        place,
        sandbox,
        "~/.cargo/bin/cargo; ~/.nvm/versions/node/tool; ls -A ~ ~/.cargo; touch ~/.cargo/bin/planted",
      );
      expect(output).toContain("cargo runs\ntool runs\n");
      expect(output).not.toMatch(/credentials|npmrc/);
      expect(output).toContain("Read-only file system");
    });

    it("what PATH names, with the lib beside it, through links as well", async () => {
      const place = newPlace();
      const installed = join(place.homeDir, "opt", "tool-1.2");
      install(join(installed, "bin", "tool"), `"$(cat "$(dirname "$0")/../lib/words")"`);
      mkdirSync(join(installed, "lib"));
      writeFileSync(join(installed, "lib", "words"), "the library is there");
      writeFileSync(join(place.homeDir, "opt", "secret"), "secret");
      const current = join(place.outside, "current");
      symlinkSync(installed, current);
      place.env["PATH"] = `${join(current, "bin")}:${place.env["PATH"]}`;
      const sandbox = await createSandbox(sandboxOptions(place));
      const { output } = await run(place, sandbox, `tool; cat ~/opt/secret`);
      expect(output).toContain("the library is there\n");
      expect(output).toContain("No such file");
    });

    it("nothing whole because PATH or a variable names the home folder itself, or a folder that is not there", async () => {
      const place = newPlace();
      writeFileSync(join(place.homeDir, "secret"), "secret");
      mkdirSync(join(place.homeDir, ".local", "lib"), { recursive: true });
      mkdirSync(join(place.homeDir, ".local", "share", "keyrings"), { recursive: true });
      place.env["GOPATH"] = place.homeDir;
      place.env["PATH"] = `${place.env["PATH"]}:${place.homeDir}/:${place.base}:${place.homeDir}/.local/bin`;
      const sandbox = await createSandbox(sandboxOptions(place));
      expect((await run(place, sandbox, "ls -A ~ ~/.local")).output).not.toMatch(/secret|share/);
    });

    it("the whole repository when the workspace is a part of it, for reading", async () => {
      const place = newPlace({ workspace: "home/mono" });
      const root = place.workspaceRoot;
      const part = join(root, "packages", "part");
      mkdirSync(part, { recursive: true });
      writeFileSync(join(root, "shared.txt"), "shared");
      writeFileSync(join(part, "own.txt"), "own");
      git(place, root, "add", "-A");
      git(place, root, "commit", "--quiet", "-m", "second");
      const sandbox = await createSandbox(sandboxOptions(place, { workspaceRoot: part }));
      const does = (command: string) => run(place, sandbox, command, { cwd: part });
      expect((await does("cat ../../shared.txt; git status --short")).output).toBe("shared");
      expect(
        (await does("echo more >> own.txt; git commit -q -a -m third; git log --format=%s")).output,
      ).toBe("third\nsecond\nfirst\n");
      const { output } = await does(
        "echo x > ../../shared.txt; git config core.pager planted; mv ../../.git ../../g",
      );
      expect(output.match(/Read-only file system|Device or resource busy/g)).toHaveLength(3);
      expect(readFileSync(join(root, ".git", "config"), "utf8")).not.toContain("planted");
    });
  });

  describe("follows a .git file", () => {
    it("of a worktree, so that commits work and its steering files stay", async () => {
      const place = newPlace({ workspace: "home/main" });
      const main = place.workspaceRoot;
      const workspaceRoot = join(place.homeDir, "trees", "side");
      git(place, main, "worktree", "add", "--quiet", workspaceRoot);
      const sandbox = await createSandbox(sandboxOptions(place, { workspaceRoot }));
      const does = (command: string) => run(place, sandbox, command, { cwd: workspaceRoot });
      expect((await does("touch a; git add a; git commit -q -m second; git log --format=%s")).output).toBe(
        "second\nfirst\n",
      );
      const own = join(main, ".git", "worktrees", "side");
      for (const path of [
        join(workspaceRoot, ".git"),
        join(own, "commondir"),
        join(main, ".git", "config"),
      ]) {
        const before = readFileSync(path, "utf8");
        await does(
          `echo planted > '${path}'; rm -f '${path}'; mv '${own}' '${own}2'; mv '${path}' '${path}2'`,
        );
        expect(readFileSync(path, "utf8")).toBe(before);
      }
    });

    it("of a submodule, so that commits work", async () => {
      const place = newPlace({ workspace: "home/main" });
      initRepository(place, join(place.outside, "library"));
      git(
        place,
        place.workspaceRoot,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        join(place.outside, "library"),
        "library",
      );
      const workspaceRoot = join(place.workspaceRoot, "library");
      const sandbox = await createSandbox(sandboxOptions(place, { workspaceRoot }));
      const does = (command: string) => run(place, sandbox, command, { cwd: workspaceRoot });
      expect((await does("git commit -q --allow-empty -m second; git log --format=%s")).output).toBe(
        "second\nfirst\n",
      );
      await does("git config core.pager planted");
      expect(git(place, workspaceRoot, "config", "--list")).not.toContain("planted");
    });

    it.each([
      { title: "another repository", named: ".git" },
      { title: "a worktree of another repository", named: ".git/worktrees/side" },
    ])("only if what it names says the same: $title stays hidden", async ({ named }) => {
      const place = newPlace();
      const other = join(place.homeDir, "other");
      initRepository(place, other);
      git(place, other, "worktree", "add", "--quiet", join(place.homeDir, "side"));
      const pointer = join(place.workspaceRoot, ".git");
      rmSync(pointer, { recursive: true });
      writeFileSync(pointer, `gitdir: ${join(other, named)}\n`);
      const sandbox = await createSandbox(sandboxOptions(place));
      expect((await run(place, sandbox, "git log; ls -A ~")).output).toMatch(
        /not a git repository.*\n\.gitconfig\n$/,
      );
    });
  });

  it("works where the system's temporary folder is somewhere else", async () => {
    const place = newPlace();
    const temporaryFolder = mkdtempSync(join(tmpdir(), "other-"));
    writeFileSync(join(temporaryFolder, "secret"), "secret");
    place.env["TMPDIR"] = temporaryFolder;
    const sandbox = await createSandbox(sandboxOptions(place, { temporaryFolder }));
    const { output } = await run(place, sandbox, `echo $TMPDIR; ls -A '${temporaryFolder}'`);
    rmSync(temporaryFolder, { recursive: true });
    expect(output).toBe("/tmp\n");
  });
});
