import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { call, calls, fail, html, raw, say, silence, think } from "../../src/demo/reply.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatLines, parseLines, postChat, refusal } from "./ndjson.js";

describe("a scripted reply", () => {
  it("streams text word by word and ends with a line of counts and durations in whole nanoseconds", async () => {
    const { url } = await scriptedOllama({
      replies: [say("All is well.", { promptMs: 2, outputMs: 1.5, loadMs: 3 })],
    });
    const lines = await chatLines(url);
    expect(lines.slice(0, -1).map((line) => line.message)).toEqual([
      { role: "assistant", content: "All" },
      { role: "assistant", content: " is" },
      { role: "assistant", content: " well." },
    ]);
    expect(lines.map((line) => line.done)).toEqual([false, false, false, true]);
    expect(lines.every((line) => line.model === "scripted" && line.created_at !== undefined)).toBe(true);
    expect(lines.at(-1)).toMatchObject({
      message: { role: "assistant", content: "" },
      done_reason: "stop",
      total_duration: 6_500_000,
      load_duration: 3_000_000,
      prompt_eval_duration: 2_000_000,
      eval_count: 3,
      eval_duration: 1_500_000,
    });
  });

  it("keeps every character of a text, and sends a list of chunks as it is", async () => {
    const text = "  First\n\n\tsecond,  第三 🙂\n";
    const { url } = await scriptedOllama({ replies: [say(text), say(["a", "", "b c"])] });
    const words = await chatLines(url);
    expect(words.map((line) => line.message?.content).join("")).toBe(text);
    const chunks = await chatLines(url);
    expect(chunks.map((line) => line.message?.content)).toEqual(["a", "", "b c", ""]);
  });

  it("sends thinking before the text and each call in a line of its own", async () => {
    const { url } = await scriptedOllama({
      models: [{ name: "scripted", capabilities: ["completion", "tools", "thinking"] }],
      replies: [
        think(["It is", " in a.js."], {
          ...say("Reading."),
          toolCalls: [{ name: "read_file", arguments: { path: "a.js" } }],
        }),
        calls(call("read_file", { path: "a.js" }), call("read_file", '{"path":')),
      ],
    });
    const [first, second, text, toolCall] = await chatLines(url, { think: true });
    expect(first?.message).toEqual({ role: "assistant", content: "", thinking: "It is" });
    expect(second?.message?.thinking).toBe(" in a.js.");
    expect(text?.message?.content).toBe("Reading.");
    expect(toolCall?.message?.tool_calls?.[0]?.function).toEqual({
      index: 0,
      name: "read_file",
      arguments: { path: "a.js" },
    });
    expect(toolCall?.done).toBe(false);

    const both = (await chatLines(url)).flatMap((line) => line.message?.tool_calls ?? []);
    expect(both.map((each) => [each.function.index, each.function.arguments])).toEqual([
      [0, { path: "a.js" }],
      [1, '{"path":'],
    ]);
    expect(both[0]?.id).toMatch(/^call_\w{8}$/);
    expect(both[0]?.id).not.toBe(both[1]?.id);
  });

  it("can send calls in the last line, with the id that the script gives or none", async () => {
    const { url } = await scriptedOllama({
      replies: [
        call("list_files", { path: "." }, { callsInLastLine: true }),
        {
          toolCalls: [
            { name: "a", arguments: {}, id: "one" },
            { name: "b", arguments: {}, id: null },
          ],
        },
      ],
    });
    const late = await chatLines(url);
    expect(late).toHaveLength(1);
    expect(late[0]).toMatchObject({
      done: true,
      message: { tool_calls: [{ function: { name: "list_files" } }] },
    });
    const ids = (await chatLines(url))
      .flatMap((line) => line.message?.tool_calls ?? [])
      .map((each) => each.id);
    expect(ids).toEqual(["one", undefined]);
  });

  it("reports the done reason and the counts of the script, else a token for each 4 bytes of the request", async () => {
    const server = await scriptedOllama({
      replies: [say("cut", { doneReason: "length", promptTokens: 77, outputTokens: 5 }), say("ok")],
    });
    expect((await chatLines(server.url)).at(-1)).toMatchObject({
      done_reason: "length",
      prompt_eval_count: 77,
      eval_count: 5,
    });
    const last = (
      await chatLines(server.url, { messages: [{ role: "user", content: "你好".repeat(50) }] })
    ).at(-1);
    expect(last?.prompt_eval_count).toBe(Math.ceil(Buffer.byteLength(server.requests[1]!.text) / 4));
  });

  it("comes as one object when the request does not want a stream", async () => {
    const { url } = await scriptedOllama({
      replies: [
        call("list_files", { path: "." }, { text: "Let me look." }),
        say("", { errorLine: "out of memory" }),
      ],
    });
    const body: unknown = await (await postChat(url, { stream: false })).json();
    expect(body).toMatchObject({
      message: { content: "Let me look.", tool_calls: [{ function: { name: "list_files" } }] },
      done: true,
      eval_count: 4,
    });
    expect(await refusal(url, { stream: false })).toEqual({ status: 500, error: "out of memory" });
  });

  it("is chosen by a function of the request and its number", async () => {
    const { url } = await scriptedOllama({
      replies: ({ messages }, index) => Promise.resolve(say([`${index}: ${messages.at(-1)?.content ?? ""}`])),
    });
    expect((await chatLines(url))[0]?.message?.content).toBe("0: hello");
    expect(
      (await chatLines(url, { messages: [{ role: "user", content: "bye" }] }))[0]?.message?.content,
    ).toBe("1: bye");
  });

  it("is missed with a clear error when the script has ended or fails", async () => {
    const short = await scriptedOllama({ replies: [say("one")] });
    await chatLines(short.url);
    expect(await refusal(short.url, {})).toEqual({
      status: 500,
      error: "the script has no reply for chat request 2, only 1",
    });
    const broken = await scriptedOllama({
      replies: () => {
        throw new Error("no tool result");
      },
    });
    expect(await refusal(broken.url, {})).toEqual({
      status: 500,
      error: "the scripted reply failed: no tool result",
    });
  });

  it("streams thousands of chunks, one or many to a write", async () => {
    const tokens = Array.from({ length: 5000 }, (_, index) => ` ${index}`);
    const { url } = await scriptedOllama({ replies: [say(tokens), say(tokens, { chunksPerWrite: 64 })] });
    for (let round = 0; round < 2; round += 1) {
      const lines = await chatLines(url);
      expect(lines.map((line) => line.message?.content).join("")).toBe(tokens.join(""));
      expect(lines.at(-1)?.eval_count).toBe(5000);
    }
  });
});

describe("a scripted fault", () => {
  it("cuts the connection after so many chunks, which still arrive", async () => {
    const { url, requests } = await scriptedOllama({
      replies: [say("one two three", { cutAfter: 2 }), say("x", { cutAfter: 0 })],
    });
    const response = await postChat(url);
    expect(response.status).toBe(200);
    const { text, broken } = await readUntilBroken(response);
    expect(parseLines(text).map((line) => line.message?.content)).toEqual(["one", " two"]);
    expect(broken).toBe(true);
    await expect(postChat(url)).rejects.toThrow("fetch failed");
    expect(requests.map((request) => request.aborted)).toEqual([false, false]);
  });

  it("ends the stream in good order without a done line", async () => {
    const { url } = await scriptedOllama({ replies: [say("one two", { withoutDone: true })] });
    expect((await chatLines(url)).map((line) => line.done)).toEqual([false, false]);
  });

  it("puts an error line after the chunks in place of the last one", async () => {
    const { url } = await scriptedOllama({
      replies: [say("one", { errorLine: "model runner has unexpectedly stopped" })],
    });
    const lines = await chatLines(url);
    expect(lines[0]?.message?.content).toBe("one");
    expect(lines.slice(1)).toEqual([{ error: "model runner has unexpectedly stopped" }]);
  });

  it("answers an error status as JSON, a page as HTML and pieces byte for byte", async () => {
    const { url } = await scriptedOllama({
      replies: [
        fail(503, "server busy"),
        html(502, "<h1>Bad gateway</h1>"),
        raw('{"half":', Buffer.from([0xe4, 0xbd])),
      ],
    });
    expect(await refusal(url, {})).toEqual({ status: 503, error: "server busy" });
    const page = await postChat(url);
    expect([page.status, page.headers.get("content-type"), await page.text()]).toEqual([
      502,
      "text/html; charset=utf-8",
      "<h1>Bad gateway</h1>",
    ]);
    const bytes = Buffer.from(await (await postChat(url)).arrayBuffer());
    expect(bytes).toEqual(Buffer.concat([Buffer.from('{"half":'), Buffer.from([0xe4, 0xbd])]));
  });

  it("waits before the first byte and between chunks", async () => {
    const { url } = await scriptedOllama({ replies: [say("a b c", { delay: 60, chunkDelay: 40 })] });
    const started = performance.now();
    const response = await postChat(url);
    const headers = performance.now();
    await response.text();
    expect(headers - started).toBeGreaterThan(50);
    expect(performance.now() - started).toBeGreaterThan(120);
  });
});

describe("the record", () => {
  it("holds every request with its text, body, headers and order", async () => {
    const server = await scriptedOllama({ replies: [say("ok")] });
    await fetch(`${server.url}/api/version`);
    await postChat(server.url, { options: { num_ctx: 8192 } });
    await fetch(`${server.url}/api/show`, { method: "POST", body: "no json", headers: { "x-test": "yes" } });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/version",
      "POST /api/chat",
      "POST /api/show",
    ]);
    const [, chat, show] = server.requests;
    expect(JSON.parse(chat!.text)).toEqual(chat!.body);
    expect(server.chatBodies()).toEqual([chat!.body]);
    expect(server.chatBodies()[0]?.options).toEqual({ num_ctx: 8192 });
    expect(show).toMatchObject({ text: "no json", body: undefined, headers: { "x-test": "yes" } });
    expect(Math.abs(Date.now() - chat!.at)).toBeLessThan(60_000);
  });

  it("keeps only the newest requests when told so", async () => {
    const server = await scriptedOllama({ keepRequests: 2 });
    for (const path of ["/a", "/b", "/c"]) await fetch(server.url + path);
    expect(server.requests.map(({ path }) => path)).toEqual(["/b", "/c"]);
  });

  it.each([
    ["before the first byte", silence()],
    ["during a long delay", say("late", { delay: 60_000 })],
    ["between two chunks", say("one two three", { chunkDelay: 60_000 })],
    ["in a stream that fell silent", say("one two", { stallAfter: 1 })],
    ["in a stream that fell silent after the headers", say("one two", { stallAfter: 0 })],
    ["while the reader does not keep up", say(Array.from({ length: 200_000 }, () => "word"))],
  ])("notices a client that leaves %s", async (_, reply) => {
    const server = await scriptedOllama({ replies: [reply] });
    const abort = new AbortController();
    const response = postChat(server.url, {}, abort.signal);
    response.catch(() => undefined);
    await server.waitFor(() => server.requests.length === 1);
    if (reply.delay === undefined) await response;
    expect(server.openRequests).toBe(1);
    expect(server.requests[0]?.aborted).toBe(false);
    abort.abort();
    await server.waitFor(() => server.openRequests === 0);
    expect(server.requests[0]?.aborted).toBe(true);
  });

  it("does not call a request aborted that was answered to the end", async () => {
    const server = await scriptedOllama({ replies: [say("one two three")] });
    await chatLines(server.url);
    await server.waitFor(() => server.openRequests === 0);
    expect(server.requests[0]?.aborted).toBe(false);
  });

  it("says what it saw when what a test waits for does not come", async () => {
    const server = await scriptedOllama();
    await fetch(`${server.url}/api/ps`);
    await expect(server.waitFor(({ requests }) => requests.length === 2, 20)).rejects.toThrow(
      "waited 20 ms in vain; requests: GET /api/ps; open: 0",
    );
  });

  it("ends with close, which breaks what is still open", async () => {
    const server = await scriptedOllama({ replies: [silence()] });
    const failed = expect(postChat(server.url)).rejects.toThrow("fetch failed");
    await server.waitFor(() => server.openRequests === 1);
    await server.close();
    await failed;
    expect(server.requests[0]?.aborted).toBe(false);
    await expect(fetch(server.url)).rejects.toThrow("fetch failed");
  });

  it("survives a client that leaves in the middle of its own request", async () => {
    const server = await scriptedOllama({ replies: [say("still here")] });
    const half = httpRequest(`${server.url}/api/chat`, {
      method: "POST",
      headers: { "content-length": "100" },
    });
    half.on("error", () => undefined);
    half.write("{");
    await server.waitFor(() => server.openRequests === 1);
    half.destroy();
    await server.waitFor(() => server.openRequests === 0);
    expect(server.requests).toEqual([]);
    expect((await chatLines(server.url))[0]?.message?.content).toBe("still");
  });
});

async function readUntilBroken(response: Response): Promise<{ text: string; broken: boolean }> {
  let text = "";
  try {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) text += part;
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}
