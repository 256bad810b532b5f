import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import { expectValidConversation } from "../agent/setup.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { askPlace } from "./ask-setup.js";

const BYPASS = ["--permission-mode", "bypass"];

function mount(...args: string[]): boolean {
  try {
    execFileSync("mount", args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A file system of its own in the place of the state folder. */
function mountState({ state }: CliPlace, kilobytes: number): boolean {
  const mounted = mount("-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", state);
  if (mounted) onTestFinished(() => void execFileSync("umount", ["-l", state]));
  return mounted;
}

const told = (stderr: string) => stderr.match(/this session is not being saved/g) ?? [];

it("that is full: the work is done all the same, that it is not saved is told once, and what was saved opens", async (context) => {
  const { ask, place, server } = await askPlace({
    replies: [
      say("First."),
      call("write_file", { path: "a.txt", content: "a" }),
      call("run_command", { command: "echo b > b.txt" }),
      say("Both are there."),
      say("Still here."),
    ],
  });
  if (!mountState(place, 512)) context.skip("mounting a file system is not possible here");
  place.userConfig({ sandbox: "off", undo: false });
  await ask(["one", ...BYPASS]);
  try {
    writeFileSync(join(place.state, "filler"), Buffer.alloc(1024 * 1024));
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  }
  const full = await ask(["-c", `two ${"x".repeat(20_000)}`, ...BYPASS]);
  expect(full).toMatchObject({ code: 0, stdout: "Both are there.\n" });
  expect(told(full.stderr)).toHaveLength(1);
  expect([place.text("a.txt"), place.text("b.txt")]).toEqual(["a", "b\n"]);
  execFileSync("rm", [join(place.state, "filler")]);
  const after = await ask(["-c", "three", ...BYPASS]);
  expect(after).toMatchObject({ code: 0, stdout: "Still here.\n" });
  const { messages } = server.chatBodies().at(-1)!;
  expectValidConversation(messages);
  expect(messages.map(({ content }) => content)).toContain("First.");
});

it("that can only be read: a saved session goes on, and that it is not saved is told once", async (context) => {
  const { ask, place, server } = await askPlace({ replies: [say("First."), say("Second."), say("Third.")] });
  if (!mountState(place, 1024)) context.skip("mounting a file system is not possible here");
  place.userConfig({ sandbox: "off", undo: false });
  await ask(["one"]);
  expect(mount("-o", "remount,ro", place.state)).toBe(true);
  const readOnly = await ask(["-c", "two"]);
  expect(readOnly).toMatchObject({ code: 0, stdout: "Second.\n" });
  expect(told(readOnly.stderr)).toHaveLength(1);
  expect(
    server
      .chatBodies()
      .at(-1)!
      .messages.map(({ content }) => content),
  ).toContain("First.");
  const fresh = await ask(["anew"]);
  expect(fresh).toMatchObject({ code: 0, stdout: "Third.\n" });
  expect(told(fresh.stderr)).toHaveLength(1);
});
