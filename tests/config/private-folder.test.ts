import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makePrivateFolder } from "../../src/config/private-folder.js";
import { createPlace } from "../helpers/run-cli.js";

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-private-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a folder of the user's state", () => {
  it("is made with those above it, for its owner alone", () => {
    const folder = temporary();
    makePrivateFolder(join(folder, "a", "b", "c"));
    for (const path of ["a", "a/b", "a/b/c"]) {
      expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
    }
  });

  it("that is there stays as it is", () => {
    const folder = join(temporary(), "mine");
    mkdirSync(folder, { mode: 0o755 });
    makePrivateFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it("is not made where a file is in the way, which stays", () => {
    const file = join(temporary(), "file");
    writeFileSync(file, "mine");
    expect(() => makePrivateFolder(file)).toThrow("EEXIST");
    expect(() => makePrivateFolder(join(file, "below"))).toThrow("ENOTDIR");
    expect(statSync(file).size).toBe(4);
  });

  it.skipIf(!existsSync("/proc/self"))("is an error, and no endless try, where no folder can be made", () => {
    expect(() => makePrivateFolder("/proc/mini-cc/state")).toThrow("ENOENT");
  });

  it.skipIf(!existsSync("/proc/self"))("that cannot be made stops no doctor", async () => {
    const place = createPlace({ MINI_CC_HOME: "/proc/mini-cc", OLLAMA_HOST: "http://127.0.0.1:1" });
    const { code, stdout } = await place.run(["doctor"]);
    expect(code).not.toBe(0);
    expect(stdout).toContain("/proc/mini-cc");
  });
});
