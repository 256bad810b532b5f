import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, onTestFinished, test } from "vitest";
import { fail, html, json, raw, say } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { EXIT } from "../../src/errors.js";
import { ModelError } from "../../src/model/model-error.js";
import { createOllamaClient } from "../../src/model/ollama-client.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatModel, failure, replyTo, wireTool } from "./model.js";

const HI = [new HumanMessage("Hi")];
const PAGE = "<html><body>\n<h1>Welcome to the proxy</h1>\n</body></html>\n";

async function failureOf(reply: Reply): Promise<ModelError> {
  const server = await scriptedOllama({ replies: [reply] });
  const error = await failure(replyTo(chatModel(server.url), HI));
  expect(error).toBeInstanceOf(ModelError);
  expect(error.hint).not.toBe("");
  return error;
}

/** A server of our own that answers every connection with `answer` and lives as long as the test. */
async function bareServer(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("a stream that breaks", () => {
  test("without its last line is an error, whatever came before", async () => {
    expect(await failureOf(say("Half an", { withoutDone: true }))).toMatchObject({
      kind: "stream-cut",
      exitCode: EXIT.failed,
    });
  });

  test("before its first line is an error", async () => {
    expect((await failureOf(raw())).kind).toBe("stream-cut");
  });

  test.each(['{"message":{"con', '{"message":{"content":"Hello"}'])(
    "in the middle of a line is an error: %s",
    async (half) => {
      expect((await failureOf(raw(`{"message":{"content":"Hello"}}\n${half}`))).kind).toBe("stream-cut");
    },
  );

  test("because the connection is cut is an error", async () => {
    expect((await failureOf(say("One two three", { cutAfter: 2 }))).kind).toBe("stream-cut");
  });

  test("because the connection is cut before any answer is an error", async () => {
    expect((await failureOf(say("", { cutAfter: 0 }))).kind).toBe("stream-cut");
  });

  test("with a line that is not JSON is no Ollama", async () => {
    const error = await failureOf(raw('{"message":{"content":"Hello"}}\n', "oops\n"));
    expect(error.kind).toBe("not-ollama");
    expect(error.message).toContain("oops");
  });

  test("has delivered what came before", async () => {
    const server = await scriptedOllama({ replies: [say(["One ", "two"], { cutAfter: 2, chunkDelay: 20 })] });
    let text = "";
    const reading = async () => {
      for await (const chunk of await chatModel(server.url).stream(HI)) text += chunk.text;
    };
    expect((await failure(reading())).kind).toBe("stream-cut");
    expect(text).toBe("One two");
  });
});

describe("an error line in the middle of a stream", () => {
  test("is an error with the server's words", async () => {
    const error = await failureOf(say("Half an", { errorLine: "model runner has unexpectedly stopped" }));
    expect(error.kind).toBe("runner-crashed");
    expect(error.message).toContain("model runner has unexpectedly stopped");
  });

  test("does not lose the words that came in the same read", async () => {
    const server = await scriptedOllama({
      replies: [raw('{"message":{"content":"Half an"}}\n{"error":"boom"}\n')],
    });
    let text = "";
    const reading = async () => {
      for await (const chunk of await chatModel(server.url).stream(HI)) text += chunk.text;
    };
    expect((await failure(reading())).message).toContain("boom");
    expect(text).toBe("Half an");
  });
});

describe("an answer that is no stream", () => {
  test.each([
    ["status 200", html(200, PAGE)],
    ["status 200 and no line break", html(200, "<html><body>Welcome to the proxy</body></html>")],
    ["status 502", html(502, PAGE)],
    ["status 502 and no body", html(502, "")],
  ])("of a proxy with %s names the address", async (_, reply) => {
    const server = await scriptedOllama({ replies: [reply] });
    const error = await failure(replyTo(chatModel(server.url), HI));
    expect(error).toMatchObject({ kind: "not-ollama", exitCode: EXIT.noModel });
    expect(error.message).toContain(server.url);
  });

  test.each(["null", "42", '"text"', "[]"])("but JSON %s is no Ollama, and no crash", async (body) => {
    expect(await failureOf({ status: 200, body, contentType: "application/json" })).toBeInstanceOf(
      ModelError,
    );
  });

  test("with a redirect is refused, and nothing is sent to the other address", async () => {
    const other = await scriptedOllama({ replies: [say("Mine.")] });
    const port = await bareServer((socket) =>
      socket.end(
        `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${other.url}/api/chat\r\ncontent-length: 0\r\n\r\n`,
      ),
    );
    const error = await failure(replyTo(chatModel(`http://127.0.0.1:${port}`), HI));
    expect(error).toMatchObject({ kind: "redirect", exitCode: EXIT.noModel });
    expect(error.message).toContain(other.url);
    expect(other.requests).toEqual([]);
  });
});

describe("a refusal by the server", () => {
  test("that has no such model says how to pull it", async () => {
    const server = await scriptedOllama();
    const error = await failure(replyTo(chatModel(server.url, { model: "nope" }), HI));
    expect(error).toMatchObject({ kind: "model-missing", exitCode: EXIT.noModel });
    expect(error.hint).toContain("ollama pull nope");
  });

  test("whose model has no tools says so", async () => {
    const server = await scriptedOllama({ models: [{ name: "scripted", capabilities: ["completion"] }] });
    const bound = chatModel(server.url).bindTools([wireTool("t")]);
    const error = await failure(bound.invoke(HI));
    expect(error).toMatchObject({ kind: "no-tools", exitCode: EXIT.noModel });
  });

  test.each([
    [400, "the prompt is longer than the context length currently available", "context-overflow"],
    [400, '{"type":"exceed_context_size_error","n_ctx":4096}', "context-overflow"],
    [500, "model requires more system memory (7 GiB) than is available (5 GiB)", "out-of-memory"],
    [500, "model runner has unexpectedly stopped, this may be due to resource limits", "runner-crashed"],
    [500, "llama-server process has terminated: exit status 2", "load-failed"],
    [500, "error parsing tool call: raw='ls', err=invalid character", "model-output"],
    [503, "server busy, please try again.  maximum pending requests exceeded", "busy"],
    [500, "something nobody has seen before", "server-error"],
  ])("%i %s keeps its words", async (status, text, kind) => {
    const error = await failureOf(fail(status, text));
    expect(error).toMatchObject({ kind, code: kind, exitCode: EXIT.failed });
    expect(error.message).toContain(text);
    expect(error.message).toContain(String(status));
  });

  test("with an error that is an object shows it", async () => {
    expect((await failureOf(json({ error: { code: 7 } }, 500))).message).toContain('{"code":7}');
  });
});

describe("a server that cannot be reached", () => {
  test("is named together with the way to start it", async () => {
    const server = await scriptedOllama();
    await server.close();
    const error = await failure(replyTo(chatModel(server.url), HI));
    expect(error).toMatchObject({ kind: "unreachable", exitCode: EXIT.noModel });
    expect(error.message).toContain(server.url);
    expect(error.hint).toContain("ollama serve");
  });

  test("under a name that no one knows is named", async () => {
    const error = await failure(createOllamaClient("http://nowhere.invalid:1", TINY).version());
    expect(error).toMatchObject({ kind: "unreachable" });
    expect(error.message).toContain("nowhere.invalid");
  });

  test("is not what a server on 127.0.0.1 is for somebody who writes localhost", async () => {
    const server = await scriptedOllama({ replies: [say("Found.")] });
    const url = server.url.replace("127.0.0.1", "localhost");
    expect((await replyTo(chatModel(url), HI)).text).toBe("Found.");
  });

  test("can be asked about without a chat", async () => {
    const server = await scriptedOllama({ version: "0.32.1" });
    expect(await createOllamaClient(server.url, TINY).version()).toBe("0.32.1");
  });

  test("is told apart from one that is not Ollama", async () => {
    const port = await bareServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{}"),
    );
    const error = await failure(createOllamaClient(`http://127.0.0.1:${port}`, TINY).version());
    expect(error).toMatchObject({ kind: "not-ollama", exitCode: EXIT.noModel });
  });

  test("may be one that does not speak HTTP", async () => {
    const port = await bareServer((socket) => socket.end("220 smtp.example ready\r\n"));
    const error = await failure(createOllamaClient(`http://127.0.0.1:${port}`, TINY).version());
    expect(error).toMatchObject({ name: "ModelError", exitCode: EXIT.noModel });
  });
});

const TINY = { firstByteMs: 5000, idleMs: 5000 };

test("no reply, however odd, makes anything appear on standard output", async () => {
  const replies = [
    html(200, PAGE),
    html(502, PAGE),
    fail(500, "boom"),
    { status: 500, body: "{not json", contentType: "application/json" },
    raw("not json\n"),
    say("cut", { cutAfter: 1 }),
    say("", { doneReason: "load" }),
  ];
  const server = await scriptedOllama({ replies });
  const program = fileURLToPath(new URL("odd-replies.ts", import.meta.url));
  const run = promisify(execFile)(process.execPath, [
    "--import",
    "tsx",
    program,
    server.url,
    `${replies.length}`,
  ]);
  const { stdout, stderr } = await run;
  expect(stderr).toBe("asked 7 times\n");
  expect(stdout).toBe("");
  expect(server.chatBodies()).toHaveLength(replies.length);
});
