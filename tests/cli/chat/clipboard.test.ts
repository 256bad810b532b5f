import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { copyToClipboard } from "../../../src/cli/chat/clipboard.js";

/** Programs that write down what they are given, on a PATH of their own. */
function setUp(...programs: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "mini-cc-clipboard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const program of programs) {
    const script = `#!/bin/sh\n/bin/cat > "${folder}/$(/usr/bin/basename "$0").got"\n`;
    writeFileSync(join(folder, program), script, { mode: 0o755 });
  }
  const sent: string[] = [];
  const copy = (
    environment: Record<string, string>,
    platform: NodeJS.Platform = "linux",
    text = "some 文字",
  ) =>
    copyToClipboard(text, {
      environment: { PATH: folder, ...environment },
      platform,
      send: (sequence) => sent.push(sequence),
    });
  return { copy, sent, got: (program: string) => readFileSync(join(folder, `${program}.got`), "utf8") };
}

describe("the clipboard", () => {
  it.each<[string, string, Record<string, string>, NodeJS.Platform]>([
    ["wl-copy", "on Wayland", { WAYLAND_DISPLAY: "wayland-0" }, "linux"],
    ["xclip", "on X", { DISPLAY: ":0" }, "linux"],
    ["pbcopy", "on macOS", {}, "darwin"],
    ["clip.exe", "in WSL", { WSL_DISTRO_NAME: "Debian" }, "linux"],
    ["tmux", "in tmux over ssh", { TMUX: "/tmp/t", SSH_CONNECTION: "1 2 3 4", DISPLAY: ":10" }, "linux"],
  ])("is reached by %s %s", async (program, _where, environment, platform) => {
    const { copy, sent, got } = setUp("wl-copy", "xclip", "pbcopy", "clip.exe", "tmux");
    expect(await copy(environment, platform)).toBe(program);
    expect(got(program)).toBe("some 文字");
    expect(sent).toEqual([]);
  });

  it("is reached by the terminal over ssh, and where no program is", async () => {
    const base64 = Buffer.from("some 文字").toString("base64");
    const ssh = setUp("xclip");
    expect(await ssh.copy({ SSH_CONNECTION: "1 2 3 4", DISPLAY: ":10" })).toBe("OSC 52");
    expect(ssh.sent).toEqual([`\x1b]52;c;${base64}\x07`]);
    const bare = setUp();
    expect(await bare.copy({ DISPLAY: ":0" })).toBe("OSC 52");
    expect(bare.sent).toEqual([`\x1b]52;c;${base64}\x07`]);
  });

  it("is not reached by more than a terminal takes", async () => {
    const { copy, sent } = setUp();
    expect(await copy({}, "linux", "x".repeat(100_000))).toBeUndefined();
    expect(sent).toEqual([]);
  });
});
