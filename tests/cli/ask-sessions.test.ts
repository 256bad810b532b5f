import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { expectValidConversation, outline } from "../agent/setup.js";
import { readResult } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

const JSON_FORMAT = ["--output-format", "json"];

function chatTexts(server: ScriptedOllama): string[] {
  return server.requests.filter(({ path }) => path === "/api/chat").map(({ text }) => text);
}

describe("a session that goes on", () => {
  it("with --continue sends the same bytes as before and then the new prompt", async () => {
    const { ask, place, server } = await askPlace({
      replies: [
        call("read_file", { path: "notes.txt" }, { text: "I look." }),
        call("run_command", { command: "touch marker" }),
        say("The notes say hello."),
        say("As I said: hello."),
      ],
    });
    place.file("notes.txt", "hello");
    const first = await ask(["what do they say?", ...JSON_FORMAT]);
    expect(first.code).toBe(4);
    place.file("notes.txt", "changed meanwhile");
    const second = await ask(["-c", "say it again", ...JSON_FORMAT]);
    expect(second.code).toBe(0);
    expect(readResult(second.stdout).id).toBe(readResult(first.stdout).id);
    expect(readResult(second.stdout)).toMatchObject({ denied: [], usage: { steps: 1 } });

    const texts = chatTexts(server);
    expect(texts).toHaveLength(4);
    texts.slice(1).forEach((text, index) => {
      // Without the brackets that end the list of messages.
      const before = texts[index]!.slice(0, -2);
      expect(text.startsWith(before), `request ${index + 2} begins with request ${index + 1}`).toBe(true);
    });
    const messages = server.chatBodies().at(-1)!.messages;
    expectValidConversation(messages);
    expect(outline(messages).at(-2)).toBe("assistant: The notes say hello.");
    // What changed meanwhile comes last.
    expect(messages.at(-1)?.content).toMatch(/^say it again\n\n\[Files .*: notes\.txt has changed\./);
    expect(second.stderr).toContain("notes.txt has changed");
  });

  it("with --resume is the one that is named, from any number of them", async () => {
    const { ask, server } = await askPlace({ replies: (_request, index) => say(`Answer ${index}.`) });
    const ids: string[] = [];
    for (const prompt of ["one", "two", "three"]) {
      ids.push(readResult((await ask([prompt, ...JSON_FORMAT])).stdout).id);
    }
    expect(new Set(ids).size).toBe(3);
    expect(await ask(["-r", ids[0]!, "go on"])).toMatchObject({ code: 0 });
    expect(outline(server.chatBodies().at(-1)!.messages).slice(1)).toEqual([
      "user: one",
      "assistant: Answer 0.",
      "user: go on",
    ]);
    expect(await ask(["--continue", "and on"])).toMatchObject({ code: 0 });
    expect(server.chatBodies().at(-1)!.messages.at(-3)!.content).not.toBe("two");
  });

  it("with --continue is the one that was used last, also if it began before others", async () => {
    const { ask, server } = await askPlace({ replies: (_request, index) => say(`Answer ${index}.`) });
    const first = readResult((await ask(["one", ...JSON_FORMAT])).stdout).id;
    await ask(["two"]);
    await ask(["-r", first, "one again"]);
    await ask(["-c", "go on"]);
    expect(outline(server.chatBodies().at(-1)!.messages).slice(1)).toContain("user: one again");
  });

  it("is looked for in its folder alone", async () => {
    const { ask, place } = await askPlace({ replies: (_request, index) => say(`Answer ${index}.`) });
    place.file("other/keep", "");
    const { id } = readResult((await ask(["one", ...JSON_FORMAT])).stdout);
    const elsewhere = ["-C", join(place.workspace, "other")];
    for (const args of [["-c"], ["-r", id]]) {
      const { code, stdout, stderr } = await ask(["go on", ...elsewhere, ...args]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/no (earlier )?session/);
    }
  });

  it.each([
    [["-c", "go on"], /no earlier session/],
    [["go on", "-r", "nothing"], /no session nothing/],
    [["go on", "-r", "../../trust"], /no session/],
    [["go on", "-r"], /ID/],
  ])("that is not there is a usage mistake: %j", async (args, says) => {
    const { ask, server } = await askPlace({ replies: [say("x")] });
    const { code, stdout, stderr } = await ask([...args, ...JSON_FORMAT]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(says);
    expect(server.chatBodies()).toEqual([]);
  });

  it("may go on with another model, with the same conversation", async () => {
    const { ask, server } = await askPlace({
      models: [{ name: "small:1b" }, { name: "large:7b" }],
      replies: [say("One."), say("Two.")],
    });
    await ask(["one", "-m", "small:1b"]);
    expect(await ask(["two", "-c", "-m", "large:7b"])).toMatchObject({ code: 0, stdout: "Two.\n" });
    const [before, after] = server.chatBodies();
    expect(after!.model).toBe("large:7b");
    expect(after!.messages.slice(0, 2)).toEqual(before!.messages);
  });
});

it("sessions and their folders can be read by their owner alone", async () => {
  const { ask, place } = await askPlace({ replies: [say("One.")] });
  await ask(["one"]);
  const files = readdirSync(join(place.state, "sessions"), { recursive: true, withFileTypes: true });
  expect(files.filter((entry) => entry.isFile())).toHaveLength(1);
  for (const entry of files) {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    expect((mode & 0o077).toString(8), entry.name).toBe("0");
  }
});

it("a state folder that cannot be written is told, and the answer still comes", async () => {
  const { ask, place } = await askPlace({ replies: [say("One.")] });
  const file = place.file("no-folder", "");
  const { code, stdout, stderr } = await ask(["one"], { env: { MINI_CC_HOME: join(file, "state") } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "One.\n" });
  expect(stderr).toMatch(/warning.*not/i);
});

it("two sessions of one folder begin with the same bytes, also if a file has changed", async () => {
  const { ask, place, server } = await askPlace({ replies: [say("One."), say("One.")] });
  place.file("a.txt", "1");
  await ask(["hello"]);
  place.file("a.txt", "2");
  place.file("b.txt", "2");
  await ask(["hello"]);
  const [first, second] = chatTexts(server);
  expect(second).toBe(first);
});
