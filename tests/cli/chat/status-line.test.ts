import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitBranch } from "../../../src/cli/chat/git-branch.js";
import { loadMessages } from "../../../src/cli/messages/catalogue.js";
import type { StatusFacts } from "../../../src/cli/chat/status-line.js";
import { statusText } from "../../../src/cli/chat/status-line.js";
import { createColours, widthOf } from "../../../src/cli/render/terminal.js";

const facts: StatusFacts = {
  model: "qwen2.5-coder:7b",
  window: 16_384,
  used: 2_000,
  mode: "default",
  sandboxed: true,
  folder: "/home/ann/src/parser",
  branch: "main",
};

async function status(columns: number, changed: Partial<StatusFacts> = {}, language: "en" | "zh" = "en") {
  const messages = await loadMessages(language);
  const look = { messages, colours: createColours(0), columns, homeDir: "/home/ann" };
  return statusText({ ...facts, ...changed }, look);
}

describe("the status line", () => {
  it.each<[number, string]>([
    [100, "qwen2.5-coder:7b · 12 % of 16k · default · sandbox · ~/src/parser · on main"],
    [74, "qwen2.5-coder:7b · 12 % of 16k · default · ~/src/parser · on main"],
    [60, "qwen2.5-coder:7b · 12 % of 16k · default · on main"],
    [45, "qwen2.5-coder:7b · 12 % of 16k · default"],
    [30, "12 % of 16k · default"],
    [10, "default"],
    [5, "defa…"],
  ])("leaves out first what matters least: %i cells", async (columns, text) => {
    expect(await status(columns)).toBe(text);
    expect(widthOf(text)).toBeLessThanOrEqual(columns);
  });

  it("is measured in cells", async () => {
    const text = "qwen2.5-coder:7b · 已用 12%（共 16k） · default · 沙箱 · ~/src/parser · 分支 main";
    expect(await status(widthOf(text), {}, "zh")).toBe(text);
    expect(await status(widthOf(text) - 1, {}, "zh")).not.toContain("沙箱");
  });

  it("keeps a missing sandbox longer than folder and branch", async () => {
    expect(await status(60, { sandboxed: false })).toBe(
      "qwen2.5-coder:7b · 12 % of 16k · default · no sandbox",
    );
  });

  it("names no window that is not known, no branch outside of a repository, and the home folder by its sign", async () => {
    expect(await status(100, { window: 0, branch: undefined, folder: "/home/ann" })).toBe(
      "qwen2.5-coder:7b · default · sandbox · ~",
    );
    expect(await status(100, { folder: "/home/anna" })).toContain(" · /home/anna · ");
  });

  it("shows bypass in red, and a window that is nearly full in yellow", async () => {
    const look = { messages: await loadMessages("en"), colours: createColours(1), columns: 80, homeDir: "/" };
    const text = statusText({ ...facts, mode: "bypass", used: 12_000 }, look);
    expect(text).toContain("\x1b[31m\x1b[1mbypass\x1b[22m\x1b[39m");
    expect(text).toContain("\x1b[33m73 % of 16k\x1b[39m");
  });

  it("lets no name write to the terminal", async () => {
    const text = await status(200, { branch: "a\x1b[2Jb", folder: "/x\ny", model: "m\x07" });
    expect(text).not.toMatch(/[\x00-\x1f]/);
  });
});

describe("the branch of a folder", () => {
  function repository(): { root: string; git: (...args: string[]) => string } {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-branch-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
      });
    git("init", "--quiet", "--initial-branch=topic/one");
    git("commit", "--quiet", "--allow-empty", "--message=x");
    return { root, git };
  }

  it("is found from a folder below, and with a slash in its name", async () => {
    const { root } = repository();
    mkdirSync(join(root, "a/b"), { recursive: true });
    expect(await gitBranch(join(root, "a/b"))).toBe("topic/one");
  });

  it("is that of a worktree in a worktree", async () => {
    const { root, git } = repository();
    git("worktree", "add", "--quiet", "-b", "other", "tree");
    expect(await gitBranch(join(root, "tree"))).toBe("other");
  });

  it("is the beginning of the commit where no branch is checked out", async () => {
    const { root, git } = repository();
    git("checkout", "--quiet", "--detach");
    expect(await gitBranch(root)).toBe(git("rev-parse", "HEAD").slice(0, 7));
  });

  it("is none outside of a repository, and where the folder of git is no such", async () => {
    const { root } = repository();
    expect(await gitBranch(join(root, "gone"))).toBe("topic/one");
    const other = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-branch-")));
    onTestFinished(() => rmSync(other, { recursive: true, force: true }));
    expect(await gitBranch(other)).toBeUndefined();
    writeFileSync(join(other, ".git"), "gitdir: nowhere\n");
    expect(await gitBranch(other)).toBeUndefined();
  });
});
