import { describe, expect, it } from "vitest";
import { seatbeltProfile } from "../../src/sandbox/seatbelt.js";
import type { ProfilePlace } from "../../src/sandbox/seatbelt.js";

// The profile is text here: that `sandbox-exec` accepts it is not shown by these tests, which run everywhere.

const WORKSPACE = '/Users/me/code/我的 "app"\\';

const PLACE: ProfilePlace = {
  workspaceRoot: WORKSPACE,
  homeDir: "/Users/me",
  temporaryFolder: "/private/var/folders/x/T",
  repositoryRoot: WORKSPACE,
  gitFolders: [`${WORKSPACE}/.git`],
  toolchains: ["/Users/me/.nvm"],
};

/** What the profile says: of the rules that name the operation and fit the path, the last one. */
function verdict(profile: string, operation: string, path: string): string {
  const rules = profile.split("\n").filter((line) => {
    const [, operations = "", filters = ""] = /^\((?:allow|deny) ([^"(]*)(.*)\)$/.exec(line) ?? [];
    const named = operations
      .trim()
      .split(" ")
      .some((name) => name === operation || (name.endsWith("*") && operation.startsWith(name.slice(0, -1))));
    const paths = [...filters.matchAll(/\((subpath|literal) "((?:[^"\\]|\\.)*)"\)/g)].map(
      ([, kind, text = ""]) => ({
        kind,
        path: text.replace(/\\(.)/g, "$1"),
      }),
    );
    const fits = paths.some((filter) =>
      filter.kind === "literal" ? filter.path === path : `${path}/`.startsWith(`${filter.path}/`),
    );
    return named && (filters === "" || fits);
  });
  return /^\((allow|deny)/.exec(rules.at(-1) ?? "(deny")?.[1] ?? "";
}

describe("the seatbelt profile", () => {
  const profile = seatbeltProfile(PLACE, false);

  it.each([
    { operation: "file-write-data", path: `${WORKSPACE}/src/a.ts`, is: "allow" },
    { operation: "file-write-create", path: "/private/var/folders/x/T/tmp1", is: "allow" },
    { operation: "file-write-data", path: "/dev/null", is: "allow" },
    { operation: "file-write-data", path: "/Users/me/.zshrc", is: "deny" },
    { operation: "file-write-data", path: "/etc/hosts", is: "deny" },
    { operation: "file-write-create", path: `${WORKSPACE}-sibling`, is: "deny" },
    { operation: "file-write-create", path: `${WORKSPACE}/.mini-cc.json`, is: "deny" },
    { operation: "file-write-create", path: `${WORKSPACE}/.git/index.lock`, is: "allow" },
    { operation: "file-write-data", path: `${WORKSPACE}/.git/config`, is: "deny" },
    { operation: "file-write-create", path: `${WORKSPACE}/.git/hooks/pre-commit`, is: "deny" },
    { operation: "file-write-create", path: `${WORKSPACE}/.git/commondir`, is: "deny" },
    { operation: "file-write-unlink", path: `${WORKSPACE}/.git`, is: "deny" },
    { operation: "file-read-data", path: "/usr/lib/libSystem.dylib", is: "allow" },
    { operation: "file-read-data", path: `${WORKSPACE}/src/a.ts`, is: "allow" },
    { operation: "file-read-data", path: "/Users/me/.nvm/versions/node", is: "allow" },
    { operation: "file-read-data", path: "/Users/me/.ssh/id_ed25519", is: "deny" },
    { operation: "file-read-metadata", path: "/Users/me/code", is: "allow" },
    { operation: "network-outbound", path: "", is: "deny" },
  ])("$is: $operation of $path", ({ operation, path, is }) => {
    expect(verdict(profile, operation, path)).toBe(is);
  });

  it("opens the network only if it is asked to", () => {
    expect(verdict(seatbeltProfile(PLACE, true), "network-outbound", "")).toBe("allow");
  });

  it("lets a worktree write to its own part of the shared git folder, and not to the .git file", () => {
    const shared = "/Users/me/main/.git";
    const own = `${shared}/worktrees/side`;
    const worktree = seatbeltProfile({ ...PLACE, gitFolders: [shared, own] }, false);
    const writes = (path: string) => verdict(worktree, "file-write-data", path);
    expect([`${shared}/objects/ab`, `${own}/index`].map(writes)).toEqual(["allow", "allow"]);
    expect(
      [`${WORKSPACE}/.git`, `${shared}/config`, `${shared}/worktrees/other/HEAD`, `${own}/commondir`].map(
        writes,
      ),
    ).toEqual(["deny", "deny", "deny", "deny"]);
  });

  it("has balanced brackets on every line, whatever the paths contain", () => {
    for (const line of profile.split("\n")) {
      const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, "");
      expect(bare.split("(").length, line).toBe(bare.split(")").length);
      expect(bare).not.toContain('"');
    }
  });
});
