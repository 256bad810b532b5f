import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VerdictKind } from "../../src/permissions/access.js";
import { READING_GIT_ENVIRONMENT } from "../../src/permissions/command-environment.js";
import { READ_ONLY_COMMANDS } from "../../src/permissions/defaults.js";
import { createPolicy } from "../../src/permissions/policy.js";
import type { PolicyOptions } from "../../src/permissions/policy.js";
import { judgeLine, makePlace, policyOptions } from "./place.js";
import type { TestPlace } from "./place.js";

let place: TestPlace;

beforeAll(() => {
  place = makePlace();
  const at = (path: string): string => join(place.workspaceRoot, path);
  mkdirSync(at("src"));
  mkdirSync(at("certificates"));
  writeFileSync(at("src/a.ts"), "");
  writeFileSync(at(".env"), "KEY=1");
  writeFileSync(at("certificates/server.pem"), "k");
  mkdirSync(join(place.outside, "sub"));
  writeFileSync(join(place.outside, "secret.txt"), "s");
  mkdirSync(at("links"));
  symlinkSync(place.outside, at("links/out"));
  symlinkSync(join(place.outside, "sub"), at("links/sub"));
});
afterAll(() => {
  place.remove();
});

const read = READ_ONLY_COMMANDS;

/** Verdict, rules, lines. */
type Row = [VerdictKind, readonly string[], string[]];

const groups: Record<string, Row[]> = {
  "a word that names something outside or secret asks, however it is spelt": [
    ["ask", read, ["cat links/out/secret.txt", "cat links/sub/../secret.txt", "cat links/*/secret.txt"]],
    ["ask", read, ["cat .e*", "cat {.env,x}", "cat {/etc/passwd,x}", "cat /etc/pass*", "cat certificates/*"]],
    ["ask", read, ["grep -f/etc/passwd x", "grep -rf /etc/passwd x", "grep --fil=/etc/passwd x"]],
    ["ask", read, ["grep {x,/etc/passwd}", "grep -e {x,/etc/passwd}", "grep --rege=x /etc/passwd"]],
    [
      "ask",
      read,
      ["git show HEAD:.env", "git diff --no-index a /etc/passwd", "ls $'\\x2fetc'", "ls -l{a,/etc}"],
    ],
    ["ask", read, ["ls ~", "ls ~root", "ls x=~/y", "cat $PWD/../x", "cat < /etc/passwd", "cat < .env"]],
    ["ask", read, ['cat "$(ls)"', 'grep "$(ls)" x']],
    ["allow", read, ["grep -rn '/api' src", "grep -e '/api' src", "grep -rn --include=*.ts x src"]],
    ["allow", read, ["git log --grep '/x'", "git log main..dev", 'cat "$PWD/src/a.ts"', "cat src/*"]],
    ["ask", ["fd", "wait"], ["fd --base-directory /etc x", "fd x /etc", "wait -p 'a[$(id)]'"]],
    ["ask", ["find", "rg", "npm test"], ["find / -name x", "rg x /etc", "rg --files /etc", "npm test -- /x"]],
    ["ask", ["docker run", "node"], ["docker run -v /:/h x", "node <(cat x)"]],
    ["allow", ["curl", "git commit"], ["curl https://example.org/x", "git commit -m 'a/../../b'"]],
  ],
  "a folder change counts for the words that follow": [
    ["allow", ["cd", ...read], ["cd src && cat a.ts"]],
    [
      "ask",
      ["cd", ...read],
      ["cd .. && ls", "cd links/out && ls", "cd links && cat out/x", "cd && ls", "cd - && ls"],
    ],
    ["ask", ["cd", ...read], ["cd src && cd b && ls", "while ls; do cd src; done"]],
    ["ask", ["cd", "./ls"], ["cd src && ./ls"]],
    ["ask", ["cd", "bash", ...read], ['cd src && cat "$PWD/a.ts"', "cd src && bash -c 'cat \"$PWD/a.ts\"'"]],
  ],
  "options and scripts that write or run ask, and a rule that names them covers them": [
    ["ask", ["sed"], ["sed -ni p x", "sed -ne '1e id' x", "sed 's/a/b/;w out' x", "sed '/[]/p;s/]/w f/' x"]],
    ["allow", ["sed"], ["sed -n '/a/,/b/p;10q' x", "sed -e 's|a|b|g' -e '$d' x", "sed 'y/abc/xyz/' x"]],
    ["allow", ["sed -i", "git branch -D"], ["sed -i 's/a/b/' x", "git branch -D old"]],
    [
      "ask",
      ["awk"],
      ["awk -f x", "awk '{print > \"x\"}' a", "awk '{getline l < \"x\"}' a", "awk 'BEGIN{ARGV[1]=1}'"],
    ],
    ["allow", ["awk"], ["awk -F: '/x/ || $1 == 2 {print $1}' a"]],
    [
      "ask",
      ["sort", "uniq", "tree", "date"],
      ["sort *", "sort --o=x y", "uniq a{1,2}", "tree -ao x", "date 0101"],
    ],
    [
      "ask",
      ["tar", "jq", "less", "diff"],
      ["tar -xf a", "tar -tf host:a", "jq env", "less a", "diff -l a b"],
    ],
    [
      "ask",
      ["git"],
      ["git -C src status", "git log --outp=x", "git grep -O x", "git fetch ext::sh", "git anything"],
    ],
    ["ask", ["git config", "git rebase"], ["git config core.pager x", "git rebase --exec id"]],
    [
      "allow",
      ["git"],
      ["git --no-pager log -3", "git branch", "git tag -l 'v*'", "git config --get user.name"],
    ],
  ],
  "wrappers need both parts, known options, and words that can be checked": [
    ["allow", ["env", "ls"], ["env ls", "env LANG=C ls"]],
    ["ask", ["env", "ls"], ["env X=1 ls", "env -i ls", "env", "env -S 'ls x'"]],
    ["allow", ["ls", "xargs", "cat"], ["ls | xargs cat", "ls | xargs -n 1 cat"]],
    ["ask", ["ls", "xargs", "rm", "sort"], ["ls | xargs rm", "ls | xargs sort"]],
    ["allow", ["bash", "ls"], ["bash -c 'ls && ls'", "bash script.sh"]],
    ["ask", ["bash", "ls"], ["bash -c 'ls; id'", "ls | bash", "bash -i", 'bash -c "$x"']],
    ["ask", ["exec", "eval", "source", "export"], ["exec ls", "eval ls", "source x", "export A=1"]],
  ],
  "hard denials hold wherever the command hides": [
    ["deny", [], ["rm -r -f /usr/", "rm / -rf", "rm -rf -- //", "rm -rf /tmp/..", "rm -rf ../../../../.."]],
    [
      "deny",
      [],
      ["rm -rf ~/*", 'rm -rf "${HOME}"/', "rm -rf /home/*", "rm -rf /{bin,etc}", "cd / && rm -rf *"],
    ],
    ["deny", [], ["\\rm -rf /", "/bin/rm -rf /", "'r'm -rf /", "chmod -R 777 /", "find / -delete"]],
    ["deny", [], ["sudo -u root bash -c 'cd /; rm -rf *'", "eval 'rm -rf /'", "trap 'rm -rf /' EXIT"]],
    [
      "deny",
      [],
      ["bash <<< 'rm -rf /'", "bash <<E\nrm -rf /\nE", "ls | xargs rm -rf /", "find . -exec rm -rf / \\;"],
    ],
    ["deny", [], ["nice -n 5 timeout 5 rm -rf /", "if ls; then rm -rf /; fi", "echo $(rm -rf /)"]],
    [
      "deny",
      [],
      [
        "f() { f | f & }; f",
        "tee /dev/sda < x",
        "cp x /dev/nvme0n1",
        "{ ls; } > /dev/sda",
        "wipefs -a /dev/sdb",
      ],
    ],
    ["deny", [], [`${"ls; ".repeat(4000)}rm -rf /`, "rm -rf / # \u202e", "rm -rf / \u0007"]],
    ["deny", read, ["echo x > .git/hooks/pre-commit", "echo x >> .Mini-CC.json"]],
    [
      "ask",
      [],
      ["rm -rf build", "rm -rf .", "chmod -R u+w src", "dd if=/dev/sda of=x", "mkfs.ext4 disk.img"],
    ],
  ],
};

describe.each(Object.entries(groups))("%s", (_, rows) => {
  const cases = rows.flatMap(([verdict, allowed, lines]) =>
    lines.map((line) => ({ verdict, allowed, line, shown: JSON.stringify(line).slice(0, 60) })),
  );
  it.each(cases)("$shown → $verdict", async ({ verdict, allowed, line }) => {
    const judged = await judgeLine(place, line, allowed);
    expect(judged.verdict, judged.because.join("; ")).toBe(verdict);
  });
});

describe("rules", () => {
  it("a prefix ends at a word: git status does not cover git statusx", async () => {
    expect((await judgeLine(place, "git status -s", ["git status"])).verdict).toBe("allow");
    expect((await judgeLine(place, "git statusx", ["git status"])).verdict).toBe("ask");
  });

  it("a denied rule beats any allowed one, also behind wrappers, folders, git's options and nested shells", async () => {
    const changes = { denied: [{ text: "git push", origin: "user settings" }], mode: "bypass" } as const;
    for (const line of [
      "git push",
      "/usr/bin/git push origin",
      "git -C src --no-pager push",
      "sudo env A=1 git push",
      "ls && bash -c 'git push'",
      "echo $(git push)",
    ]) {
      const judged = await judgeLine(place, line, ["git push", "git"], changes);
      expect(judged.verdict, line).toBe("deny");
      expect(judged.because[0]).toContain('"git push"');
    }
    expect((await judgeLine(place, "git pushx", [], changes)).verdict).toBe("allow");
  });

  it("the built-in list counts only while it is active", async () => {
    expect((await judgeLine(place, "ls", [], { readOnlyDefaultsActive: true })).verdict).toBe("allow");
    expect((await judgeLine(place, "ls", [])).verdict).toBe("ask");
  });

  it("an exact rule covers one line, character by character, and nothing else", async () => {
    const rules = ["=ls && npm test > out.txt"];
    expect((await judgeLine(place, "ls && npm test > out.txt", rules)).verdict).toBe("allow");
    expect((await judgeLine(place, "ls && npm test > out.txt ", rules)).verdict).toBe("ask");
    expect((await judgeLine(place, "ls && npm test", rules)).verdict).toBe("ask");
    expect((await judgeLine(place, "rm -rf /", ["=rm -rf /"])).verdict).toBe("deny");
  });

  it("a rule kept for the session counts from then on", async () => {
    const policy = createPolicy(policyOptions(place));
    const judge = (command: string): Promise<{ verdict: VerdictKind }> =>
      policy.judge({ kind: "run", command });
    expect((await judge("npm test")).verdict).toBe("ask");
    policy.allowForSession("npm test");
    expect((await judge("npm test -- x")).verdict).toBe("allow");
    expect((await judge("npm run x")).verdict).toBe("ask");
    expect(() => policy.allowForSession("a && b")).toThrow(/no plain/);
  });

  it.each([
    ["npm test -- --watch", "npm test"],
    ["npm run build", "npm run build"],
    ["git commit -m 'some words'", "git commit"],
    ["cargo build --release", "cargo build"],
    ["tsc --noEmit", "tsc"],
    ["./gradlew test", "./gradlew test"],
    ["npm run build && npm test", "=npm run build && npm test"],
    ["npm test > out.txt", "=npm test > out.txt"],
    ["CI=1 npm test", "=CI=1 npm test"],
    ["rm -rf build", "=rm -rf build"],
    ["git push origin main", "=git push origin main"],
    ["node build.js", "=node build.js"],
    ["npm test -- /etc/hosts", "=npm test -- /etc/hosts"],
    ["git branch -D old", "=git branch -D old"],
    ["jq env", "=jq env"],
  ])("for %j the rule that would be kept is %j, and it then allows the line", async (line, rule) => {
    const judged = await judgeLine(place, line, []);
    expect(judged.rememberAs).toEqual([rule]);
    expect((await judgeLine(place, line, [rule])).verdict).toBe("allow");
  });

  it("nothing can be kept for a line that is denied, allowed, or shows hidden characters", async () => {
    expect((await judgeLine(place, "rm -rf /", [])).rememberAs).toEqual([]);
    expect((await judgeLine(place, "ls", ["ls"])).rememberAs).toEqual([]);
    expect((await judgeLine(place, "npm test \u200b", [])).rememberAs).toEqual([]);
  });
});

describe("verdicts", () => {
  it("each simple command of a line has its own verdict and reason", async () => {
    const { commands, verdict, because } = await judgeLine(place, "ls && rm x | cat", ["ls", "cat"]);
    expect(verdict).toBe("ask");
    expect(because).toEqual(['no rule allows "rm x"']);
    expect(commands).toEqual([
      { text: "ls", verdict: "allow", because: 'the rule "ls" allows it (test)' },
      { text: "rm x", verdict: "ask", because: 'no rule allows "rm x"' },
      { text: "cat", verdict: "allow", because: 'the rule "cat" allows it (test)' },
    ]);
  });

  it("all reasons are told, the gravest first", async () => {
    const { because } = await judgeLine(place, "X=1 rm $y > out; mkfs.ext4 /dev/sda", []);
    expect(because[0]).toMatch(/disk/);
    expect(because.join("\n")).toMatch(
      /no rule allows "rm"[\s\S]*writes a file[\s\S]*variable "X"[\s\S]*"\$y"/,
    );
  });

  it("a line that is too long for a question asks, one that bash cannot be given is denied", async () => {
    expect((await judgeLine(place, `echo ${"a".repeat(17_000)}`, ["echo"])).verdict).toBe("ask");
    expect(
      (await judgeLine(place, `echo ${"a".repeat(140_000)}`, ["echo"], { mode: "bypass" })).verdict,
    ).toBe("deny");
    expect((await judgeLine(place, `sudo ${"a ".repeat(600)}rm -rf /`, ["sudo"])).verdict).toBe("deny");
  });

  it("without bash nothing runs unasked, not even an exact rule", async () => {
    for (const rule of ["ls", "=ls"]) {
      expect((await judgeLine(place, "ls", [rule], { shellFound: false })).verdict).toBe("ask");
    }
  });

  it("an internal failure asks, it never throws and never allows", async () => {
    const broken = policyOptions(place, { pathVariable: undefined as unknown as string });
    const judged = await createPolicy({ ...broken, allowed: [{ text: "ls", origin: "test" }] }).judge({
      kind: "run",
      command: "ls",
    });
    expect(judged.verdict).toBe("ask");
    expect(judged.because[0]).toMatch(/could not be judged/);
  });
});

describe("what the disk says", () => {
  it("a listed name that PATH leads into the workspace asks, and so does a PATH with a relative entry", async () => {
    const bin = join(place.workspaceRoot, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "ls"), "#!/bin/sh\n");
    chmodSync(join(bin, "ls"), 0o755);
    for (const pathVariable of [`${bin}:/usr/bin`, ":/usr/bin", ".:/usr/bin", "bin:/usr/bin"]) {
      expect((await judgeLine(place, "ls", ["ls"], { pathVariable })).verdict, pathVariable).toBe("ask");
    }
    expect((await judgeLine(place, "ls", ["ls"], { pathVariable: `/usr/bin:${bin}` })).verdict).toBe("allow");
  });

  it("a git line asks when the repository's configuration names a program, also through an include", async () => {
    const repository = makePlace();
    const git = (...args: string[]): void => {
      execFileSync("git", ["-C", repository.workspaceRoot, ...args]);
    };
    const judge = (): Promise<{ verdict: VerdictKind; because: string[] }> =>
      judgeLine(repository, "git status", ["git status", "=git status"]);
    expect((await judge()).verdict).toBe("allow");
    git("config", "user.name", "x");
    expect((await judge()).verdict).toBe("allow");
    git("config", "filter.x.clean", "program");
    expect((await judge()).because.join()).toContain("filter.x.clean");
    git("config", "--unset", "filter.x.clean");
    git("config", "include.path", "../more");
    writeFileSync(join(repository.workspaceRoot, "more"), "[core]\n\tfsmonitor = program\n");
    expect((await judge()).because.join()).toContain("core.fsmonitor");
    expect((await judge()).verdict).toBe("ask");
    repository.remove();
  });

  it("a folder for hooks matters to a git line that changes something, not to one that reads without hooks", async () => {
    const repository = makePlace();
    const root = repository.workspaceRoot;
    const git = (args: string[], env?: NodeJS.ProcessEnv): void => {
      execFileSync("git", ["-C", root, ...args], { env: { ...process.env, ...env }, stdio: "ignore" });
    };
    mkdirSync(join(root, "hooks"));
    writeFileSync(join(root, "hooks/post-index-change"), `#!/bin/sh\ntouch '${repository.outside}/ran'\n`);
    chmodSync(join(root, "hooks/post-index-change"), 0o755);
    writeFileSync(join(root, "a"), "a");
    git(["add", "a"]);
    git(["config", "core.hooksPath", "hooks"]);

    const rules = ["git status", "git commit"];
    expect((await judgeLine(repository, "git commit -m x", rules)).verdict).toBe("ask");
    expect((await judgeLine(repository, "git status", rules)).verdict).toBe("allow");
    const statusAfterTouch = (env?: NodeJS.ProcessEnv): boolean => {
      utimesSync(join(root, "a"), 1_000_000, 1_000_000);
      git(["status"], env);
      return existsSync(join(repository.outside, "ran"));
    };
    expect(statusAfterTouch({ ...READING_GIT_ENVIRONMENT })).toBe(false);
    expect(statusAfterTouch()).toBe(true);
    repository.remove();
  });
});

describe("modes", () => {
  const modes = ["default", "accept-edits", "plan", "bypass"] as const;
  const lines: [string, VerdictKind[]][] = [
    ["ls", ["allow", "allow", "allow", "allow"]],
    ["npm test", ["allow", "allow", "deny", "allow"]],
    ["touch x", ["ask", "ask", "deny", "allow"]],
    ["ls > x", ["ask", "ask", "deny", "allow"]],
    ["rm -rf /", ["deny", "deny", "deny", "deny"]],
    ["echo x > .mini-cc.json", ["deny", "deny", "deny", "deny"]],
    ["ls && npm test", ["allow", "allow", "deny", "allow"]],
  ];
  it.each(lines)("%j", async (line, expected) => {
    const options: Partial<PolicyOptions> = { readOnlyDefaultsActive: true };
    const verdicts = await Promise.all(
      modes.map((mode) => judgeLine(place, line, ["npm test"], { ...options, mode })),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(expected);
    expect(verdicts[2]?.by).toBe(line === "ls" || expected[0] === "deny" ? "rule" : "mode");
  });
});

describe("properties", () => {
  const listed = ["ls", "cat", "echo"];

  it("blanks between words change nothing", async () => {
    const word = fc.constantFrom(
      "ls",
      "cat",
      "rm",
      "a",
      "'b c'",
      ".env",
      "-la",
      "|",
      "&&",
      "> x",
      "$y",
      "2>&1",
    );
    const blank = fc.constantFrom(" ", "  ", "\t", " \t ", " \\\n ");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word, blank), { minLength: 1, maxLength: 8 }), async (parts) => {
        const narrow = await judgeLine(place, parts.map(([text]) => text).join(" "), listed);
        const wide = await judgeLine(place, ` ${parts.flat().join("")}`, listed);
        expect(wide.verdict).toBe(narrow.verdict);
      }),
      { numRuns: 150 },
    );
  });

  it("a command that is not listed asks, whatever allowed text and separator it is added to", async () => {
    const start = fc.constantFrom(
      "ls",
      "cat a b",
      "echo 'x'",
      "ls # c\nls",
      "(ls)",
      "! ls",
      "cat <<'E'\nx\nE\n",
    );
    const link = fc.constantFrom(";", "&&", "||", "|", "|&", "&", "\n", " $(", " `", " <(", ' "$(');
    const close: Record<string, string> = { " $(": ")", " `": "`", " <(": ")", ' "$(': ')"' };
    const added = fc.constantFrom(
      "rm x",
      "'rm' x",
      "r\\m x",
      "$z",
      "./ls",
      "env ls",
      "X=1 ls",
      "ls > f",
      "eval ls",
    );
    await fc.assert(
      fc.asyncProperty(start, link, added, async (before, separator, after) => {
        const line = `${before}${separator} ${after}${close[separator] ?? ""}`;
        expect((await judgeLine(place, line, listed)).verdict, line).toBe("ask");
      }),
      { numRuns: 200 },
    );
  });

  it("any text at all gets a verdict with a reason", async () => {
    const piece = fc.constantFrom(
      ..."ls rm cat $ ( ) { } < > | & ; ` \" ' \\ # ! = ~ * [ ] \n <<E \0 é".split(" "),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const judged = await judgeLine(place, pieces.join(""), []);
        expect(judged.verdict).not.toBe("allow");
        expect(judged.because.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
