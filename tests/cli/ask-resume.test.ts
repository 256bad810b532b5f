import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import { expectValidConversation, outline } from "../agent/setup.js";
import { readResult } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

const JSON_FORMAT = ["--output-format", "json"];
const BYPASS = ["--permission-mode", "bypass"];

describe("a session that goes on", () => {
  it("tells user and model of a command that was going on when mini-cc was killed, and never runs it again", async () => {
    const { ask, place, server } = await askPlace({
      replies: [
        call("run_command", { command: "echo once >> log.txt; echo begun; sleep 5" }),
        say("I checked it."),
        say("Yes."),
      ],
    });
    place.userConfig({ sandbox: "off" });
    const running = place.start(["ask", "do it", ...BYPASS, "--output-format", "stream-json"]);
    await running.waitForOutput('"text":"begun');
    running.kill("SIGKILL");
    await running.ended;
    const { code, stderr } = await ask(["-c", "go on", ...BYPASS]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/stopped in the middle of run_command \(echo once .*may have taken effect/);
    const { messages } = server.chatBodies().at(-1)!;
    expectValidConversation(messages);
    expect(messages.find(({ role }) => role === "tool")?.content).toContain("may have taken effect");
    expect(place.text("log.txt")).toBe("once\n");
    const again = await ask(["-c", "and now?", ...BYPASS]);
    expect(again).toMatchObject({ code: 0, stdout: "Yes.\n" });
    expect(again.stderr).not.toContain("may have taken effect");
  });

  it("is held with the model that it was held with, unless another is named now", async () => {
    const { ask, place, server } = await askPlace({
      models: [{ name: "small:1b" }, { name: "large:7b" }],
      replies: () => say("Yes."),
    });
    place.userConfig({ model: "large:7b" });
    await ask(["one", "-m", "small:1b"]);
    await ask(["two", "-c"]);
    await ask(["three", "-c", "-m", "large:7b"]);
    await ask(["four", "-c"]);
    expect(server.chatBodies().map(({ model }) => model)).toEqual([
      "small:1b",
      "small:1b",
      "large:7b",
      "large:7b",
    ]);
  });

  it("whose model has vanished goes on with another and says so", async () => {
    const before = await askPlace({ models: [{ name: "old:1b" }], replies: [say("Old.")] });
    await before.ask(["one"]);
    const { server } = await askPlace({ models: [{ name: "new:1b" }], replies: [say("New.")] });
    const after = await before.ask(["two", "-c"], { env: { OLLAMA_HOST: server.url } });
    expect(after).toMatchObject({ code: 0, stdout: "New.\n" });
    expect(after.stderr).toMatch(/held with old:1b.*goes on with new:1b.*models pull old:1b/);
    expect(outline(server.chatBodies()[0]!.messages).slice(1)).toEqual([
      "user: one",
      "assistant: Old.",
      "user: two",
    ]);
  });

  it("may be named by the beginning of its id, and another one by more of it", async () => {
    const { ask } = await askPlace({ replies: () => say("Yes.") });
    const first = readResult((await ask(["one", ...JSON_FORMAT])).stdout).id;
    const second = readResult((await ask(["two", ...JSON_FORMAT])).stdout).id;
    expect(readResult((await ask(["-r", second.slice(0, -2), "x", ...JSON_FORMAT])).stdout).id).toBe(second);
    const { code, stderr } = await ask(["-r", first.slice(0, 4), "x"]);
    expect(code).toBe(2);
    expect(stderr).toContain(first);
  });

  it("of another folder says where it belongs; where that is gone, a copy goes on here", async () => {
    const { ask, place, server } = await askPlace({ replies: () => say("Yes.") });
    place.file("other/keep", "");
    const other = join(place.workspace, "other");
    const { id } = readResult((await ask(["one", ...JSON_FORMAT, "-C", other])).stdout);
    const there = await ask(["-r", id, "two"]);
    expect(there.code).toBe(2);
    expect(there.stderr).toContain(`mini-cc -C "${other}" --resume ${id}`);
    rmSync(other, { recursive: true });
    expect((await ask(["-r", id, "two"])).stderr).toMatch(/does not exist any more: .*--fork/);
    const copy = await ask(["-r", id, "--fork", "two", ...JSON_FORMAT]);
    expect(copy.code).toBe(0);
    expect(readResult(copy.stdout).id).not.toBe(id);
    expect(outline(server.chatBodies().at(-1)!.messages).slice(1, 3)).toEqual([
      "user: one",
      "assistant: Yes.",
    ]);
  });

  it("is refused while another process has it, and a copy of it is not", async () => {
    const { ask, place, server } = await askPlace({
      replies: (_, index) => (index === 1 ? say("Wait", { stallAfter: 1 }) : say("Yes.")),
    });
    const { id } = readResult((await ask(["one", ...JSON_FORMAT])).stdout);
    const holder = place.start(["ask", "-c", "two"]);
    await server.waitFor(({ openRequests, requests }) => openRequests === 1 && requests.length > 1);
    const refused = await ask(["-c", "three", ...JSON_FORMAT]);
    expect(refused.code).toBe(1);
    expect(readResult(refused.stdout).error).toMatchObject({
      code: "session-in-use",
      message: `this session is in use by process ${holder.pid}`,
      hint: expect.stringContaining("--fork") as string,
    });
    const copy = await ask(["-c", "--fork", "three", ...JSON_FORMAT]);
    expect(copy.code).toBe(0);
    expect(readResult(copy.stdout).id).not.toBe(id);
    expect(await ask(["a session of its own"])).toMatchObject({ code: 0, stdout: "Yes.\n" });
    holder.kill("SIGINT");
    expect((await holder.ended).code).toBe(130);
    expect((await ask(["-r", id, "four"])).code).toBe(0);
    expectValidConversation(server.chatBodies().at(-1)!.messages);
  });

  it("with --fork but no session to copy is a usage mistake", async () => {
    const { ask } = await askPlace({ replies: () => say("Yes.") });
    const { code, stderr } = await ask(["--fork", "x"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--resume ID.*--continue/);
  });

  it("in a folder that was renamed is found by a copy", async () => {
    const { ask, place } = await askPlace({ replies: () => say("Yes.") });
    place.file("before/keep", "");
    const { id } = readResult(
      (await ask(["one", ...JSON_FORMAT, "-C", join(place.workspace, "before")])).stdout,
    );
    renameSync(join(place.workspace, "before"), join(place.workspace, "after"));
    const args = ["-C", join(place.workspace, "after"), "-r", id, "--fork", "two"];
    expect(await ask(args)).toMatchObject({ code: 0, stdout: "Yes.\n" });
  });
});

it("a turn whose time is up ends with exit code 5 and leaves no process, and the next goes on", async () => {
  const { ask, place, server } = await askPlace({
    replies: [call("run_command", { command: "echo $$ > pid; sleep 60" }), say("Back.")],
  });
  place.userConfig({ sandbox: "off" });
  const late = await ask(["go", ...BYPASS, "--max-minutes", "0.05", ...JSON_FORMAT]);
  expect(late.code).toBe(5);
  expect(readResult(late.stdout)).toMatchObject({ outcome: "limit", error: { code: "limit-minutes" } });
  await delay(100);
  expect(() => process.kill(Number(place.text("pid")), 0)).toThrow();
  expect(await ask(["-c", "go on", ...BYPASS])).toMatchObject({ code: 0, stdout: "Back.\n" });
  expectValidConversation(server.chatBodies().at(-1)!.messages);
  const left = readdirSync(join(place.state, "sessions"), { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => name.endsWith(".lock"))).toEqual([]);
});
