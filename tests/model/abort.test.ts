import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { fail, say, silence, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { thinkingOf } from "../../src/model/thinking.js";
import { createOllamaClient } from "../../src/model/ollama-client.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatModel, failure } from "./model.js";

const HI = [new HumanMessage("Hi")];
const PHASES: [string, Reply][] = [
  ["before the first byte", silence()],
  ["after the headers", say("Hello.", { stallAfter: 0 })],
  ["while the model thinks", think("One two three four", say("Hello.", { stallAfter: 2 }))],
  ["while the model writes", say("One two three four", { stallAfter: 3 })],
  ["while words keep coming", say("word ".repeat(10_000), { chunkDelay: 1 })],
];

/** Aborts once the request has come and what it brings has been read; what reading was rejected with, and the text. */
async function abortWhileReading(server: ScriptedOllama, reason?: Error) {
  const control = new AbortController();
  let read = "";
  const reading = async () => {
    for await (const chunk of await chatModel(server.url).stream(HI, { signal: control.signal })) {
      read += thinkingOf(chunk) + chunk.text;
    }
  };
  const failed = failure(reading());
  await server.waitFor(({ requests }) => requests.length === 1);
  setTimeout(() => control.abort(reason), 100);
  return { error: await failed, read };
}

describe("aborting a chat", () => {
  test.each(PHASES)("%s closes the request at once and throws the reason", async (phase, reply) => {
    const server = await scriptedOllama({ replies: [reply] });
    const reason = new Error("the user pressed Ctrl-C");
    const { error, read } = await abortWhileReading(server, reason);
    expect(error).toBe(reason);
    expect(read !== "").toBe(phase.startsWith("while"));
    await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
    expect(server.requests[0]?.aborted).toBe(true);
  });

  test.each(PHASES)("%s works through invoke too", async (_, reply) => {
    const server = await scriptedOllama({ replies: [reply] });
    const control = new AbortController();
    const failed = failure(chatModel(server.url).invoke(HI, { signal: control.signal }));
    await server.waitFor(({ requests }) => requests.length === 1);
    const reason = new Error("the user pressed Ctrl-C");
    setTimeout(() => control.abort(reason), 50);
    expect(await failed).toBe(reason);
    await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
    expect(server.requests[0]?.aborted).toBe(true);
  });

  test("without a reason throws an AbortError", async () => {
    const server = await scriptedOllama({ replies: [silence()] });
    expect((await abortWhileReading(server)).error).toMatchObject({ name: "AbortError" });
  });

  test("before it began sends nothing", async () => {
    const server = await scriptedOllama({ replies: [say("Hello.")] });
    const reason = new Error("too late");
    const chat = chatModel(server.url).invoke(HI, { signal: AbortSignal.abort(reason) });
    expect(await failure(chat)).toBe(reason);
    expect(server.requests).toEqual([]);
  });

  test("leaves another chat of the same model alone", async () => {
    const server = await scriptedOllama({
      replies: (_, index) => (index === 0 ? silence() : say("One two three.", { chunkDelay: 40 })),
    });
    const model = chatModel(server.url);
    const control = new AbortController();
    const aborted = failure(model.invoke(HI, { signal: control.signal }));
    await server.waitFor(({ requests }) => requests.length === 1);
    const other = model.invoke(HI);
    await server.waitFor(({ requests }) => requests.length === 2);
    control.abort(new Error("only this one"));
    expect((await aborted).message).toBe("only this one");
    expect((await other).text).toBe("One two three.");
  });
});

test("leaving the loop over a reply closes the request", async () => {
  const server = await scriptedOllama({ replies: [say("One two three", { stallAfter: 2 })] });
  for await (const chunk of await chatModel(server.url).stream(HI)) {
    expect(chunk.text).not.toBe("");
    break;
  }
  await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
  expect(server.requests[0]?.aborted).toBe(true);
});

test("a reply that broke leaves no request open", async () => {
  const server = await scriptedOllama({
    replies: [fail(500, "boom"), say("Half", { errorLine: "boom" }), say("Whole.")],
  });
  for (let count = 0; count < 3; count++) {
    await chatModel(server.url)
      .invoke(HI)
      .catch(() => undefined);
  }
  await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
  expect(server.requests).toHaveLength(3);
});

describe("how long a server may be silent", () => {
  test("before its first byte is a limit that the error names with its setting", async () => {
    const server = await scriptedOllama({ replies: [silence()] });
    const error = await failure(chatModel(server.url, {}, { firstByteMs: 300 }).invoke(HI));
    expect(error.kind).toBe("timeout");
    expect(error.message).toContain("0.3 s");
    expect(error.message).toContain("ollama.firstTokenTimeout");
    await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
  });

  test("after its headers is the same limit", async () => {
    const server = await scriptedOllama({ replies: [say("Hi", { stallAfter: 0 })] });
    const error = await failure(chatModel(server.url, {}, { firstByteMs: 300 }).invoke(HI));
    expect(error.message).toContain("ollama.firstTokenTimeout");
  });

  test("in its answer is another limit", async () => {
    const server = await scriptedOllama({ replies: [say("One two three", { stallAfter: 2 })] });
    const error = await failure(chatModel(server.url, {}, { idleMs: 300 }).invoke(HI));
    expect(error.kind).toBe("timeout");
    expect(error.message).toContain("0.3 s");
    expect(error.message).toContain("ollama.idleTimeout");
    await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
  });

  test("does not add up over the pauses of a slow answer", async () => {
    const server = await scriptedOllama({
      replies: [say("a b c d e f g h", { delay: 900, chunkDelay: 150 })],
    });
    const model = chatModel(server.url, {}, { firstByteMs: 5000, idleMs: 700 });
    expect((await model.invoke(HI)).text).toBe("a b c d e f g h");
  });

  test("is not cut short by a reader that takes its time", async () => {
    const server = await scriptedOllama({ replies: [say("a b c", { chunkDelay: 20 })] });
    let text = "";
    for await (const group of createOllamaClient(server.url, { firstByteMs: 400, idleMs: 400 }).chat({
      model: "scripted",
      messages: [{ role: "user", content: "Hi" }],
    })) {
      await new Promise((resolve) => setTimeout(resolve, 600));
      text += group.map((chunk) => chunk.message?.content ?? "").join("");
    }
    expect(text).toBe("a b c");
  });
});
