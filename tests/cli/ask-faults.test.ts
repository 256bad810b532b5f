import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, fail, html, raw, say, silence } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { eventsOf, readEvents, readResult } from "../helpers/event-schema.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliResult } from "../helpers/run-cli.js";
import { askPlace } from "./ask-setup.js";

/** Anything that speaks HTTP, but not as Ollama does. */
async function otherServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The failure as JSON tells it; the same must stand on standard error, with the next step and without a stack. */
function failure({ code, stdout, stderr }: CliResult): {
  exit: number | null;
  code: string;
  message: string;
} {
  const { outcome, error } = readResult(stdout);
  expect(outcome).toBe("failed");
  expect(stderr).toContain(error!.message);
  expect(error!.hint).toMatch(/\w/);
  expect(stderr).toContain(error!.hint);
  expect(stderr).not.toMatch(/^\s+at |\.js:\d|undefined/m);
  return { exit: code, code: error!.code, message: error!.message };
}

const JSON_FORMAT = ["--output-format", "json"];
/** As the user would wait, but not as long. */
const IMPATIENT = { ollama: { firstTokenTimeout: "400ms", idleTimeout: "300ms" } };

describe("a failure of the server", () => {
  const FAULTS: [string, Reply, number, string, RegExp][] = [
    ["404", fail(404, "model 'scripted' not found"), 3, "model-missing", /not found/],
    ["400 without chat", fail(400, '"scripted" does not support chat'), 3, "no-chat", /support chat/],
    ["500", fail(500, "something broke"), 1, "server-error", /500.*something broke/],
    [
      "500 of a dead runner",
      fail(500, "llama runner process has terminated: signal: killed"),
      1,
      "load-failed",
      /terminated/,
    ],
    ["503", fail(503, "service unavailable"), 1, "server-error", /503/],
    [
      "a connection cut before the answer",
      say("x", { cutAfter: 0 }),
      1,
      "stream-cut",
      /closed the connection/,
    ],
    ["a stream cut in the middle", say("one two three", { cutAfter: 2 }), 1, "stream-cut", /middle/],
    ["a stream that ends without done", say("one two", { withoutDone: true }), 1, "stream-cut", /middle/],
    ["an error in the stream", say("one two", { errorLine: "odd" }), 1, "server-error", /reported: odd/],
    ["a stall in the middle", say("one two three", { stallAfter: 2 }), 1, "timeout", /idleTimeout/],
    ["silence", silence(), 1, "timeout", /firstTokenTimeout/],
    [
      "HTML with status 200",
      html(200, "<html>\n<body>Sign in</body>\n</html>\n"),
      3,
      "not-ollama",
      /Sign in|<html>/,
    ],
    ["HTML with status 502", html(502, "<h1>Bad Gateway</h1>"), 3, "not-ollama", /Bad Gateway/],
    ["a line that is not JSON", raw("data: {}\n\n"), 3, "not-ollama", /data:/],
  ];
  it.each(FAULTS)(
    "%s ends the turn with its cause and the next step",
    async (_name, reply, exit, code, message) => {
      const { ask, place, server } = await askPlace({ replies: [reply] });
      place.userConfig(IMPATIENT);
      const found = failure(await ask(["hi", ...JSON_FORMAT]));
      expect(found).toMatchObject({ exit, code });
      expect(found.message).toMatch(message);
      // A fault is not papered over by asking again.
      expect(server.chatBodies()).toHaveLength(1);
    },
  );

  it("an empty reply is asked again once, and then ends the turn with its cause", async () => {
    const { ask, server } = await askPlace({ replies: () => say([], { outputTokens: 0 }) });
    const found = failure(await ask(["hi", ...JSON_FORMAT]));
    expect(found).toMatchObject({ exit: 1, code: "reply-empty" });
    expect(found.message).toMatch(/nothing/);
    expect(server.chatBodies()).toHaveLength(2);
  });

  const PASSING: [string, Reply, string][] = [
    ["a busy server", fail(503, "server busy, please try again. maximum pending requests exceeded"), "503"],
    ["a model that stopped", fail(500, "model runner has unexpectedly stopped"), "unexpectedly stopped"],
  ];
  it.each(PASSING)("that passes, %s, is told and tried again", async (_name, reply, cause) => {
    const { ask, server } = await askPlace({ replies: [reply, say("Here.")] });
    const { code, stdout } = await ask(["hi", "--output-format", "stream-json"]);
    expect(code).toBe(0);
    const events = readEvents(stdout);
    expect(eventsOf(events, "notice")).toMatchObject([{ text: expect.stringContaining(cause) as string }]);
    expect(events.at(-1)).toMatchObject({ outcome: "done", text: "Here." });
    const [first, second] = server.requests.filter(({ path }) => path === "/api/chat");
    expect(second!.text).toBe(first!.text);
  });

  it("that does not pass after all is told in the end", async () => {
    const { ask, server } = await askPlace({
      replies: () => fail(500, "model runner has unexpectedly stopped"),
    });
    expect(failure(await ask(["hi", ...JSON_FORMAT]))).toMatchObject({ exit: 1, code: "runner-crashed" });
    expect(server.chatBodies()).toHaveLength(2);
  });

  it("after work was done tells the work, and keeps what was said", async () => {
    const { ask, place } = await askPlace({
      replies: [
        call("write_file", { path: "a.txt", content: "a\n" }),
        call("run_command", { command: "node --version" }),
        say("I have writ", { cutAfter: 2 }),
      ],
    });
    const flags = ["--permission-mode", "accept-edits", "--allow", "node --version"];
    const result = await ask(["go", ...flags, ...JSON_FORMAT]);
    expect(failure(result)).toMatchObject({ exit: 1, code: "stream-cut" });
    expect(readResult(result.stdout)).toMatchObject({
      text: "I have",
      changedFiles: ["a.txt"],
      commands: [{ command: "node --version", exitCode: 0 }],
    });
    expect(result.stderr).toContain("a.txt");
    expect(place.text("a.txt")).toBe("a\n");
  });

  it("leaves a conversation that the next prompt can use", async () => {
    const { ask, server } = await askPlace({
      replies: [say("one two three", { cutAfter: 2 }), fail(500, "no"), say("Here.")],
    });
    expect(await ask(["first"])).toMatchObject({ code: 1 });
    expect(await ask(["-c", "second"])).toMatchObject({ code: 1 });
    expect(await ask(["-c", "third"])).toMatchObject({ code: 0, stdout: "Here.\n" });
    const messages = server.chatBodies().at(-1)!.messages;
    expect(messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    expect(messages[2]!.content).toContain("one two");
  });

  it("in text is on standard error, and what was said until then on standard output", async () => {
    const { ask } = await askPlace({ replies: [say("one two three", { cutAfter: 2 })] });
    const { code, stdout, stderr } = await ask(["hi"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "one two\n" });
    expect(stderr).toMatch(/middle of a reply[^]*ollama serve/);
  });
});

describe("before the first prompt", () => {
  it("a server that is not there is told with how to start it", async () => {
    const result = await createPlace().run(["ask", "hi", "--host", "127.0.0.1:1", ...JSON_FORMAT]);
    const { exit, code, message } = failure(result);
    expect({ exit, code }).toEqual({ exit: 3, code: "unreachable" });
    expect(message).toContain("http://127.0.0.1:1");
    expect(result.stderr).toContain("ollama serve");
  });

  it("a model that is not installed is told with the command that pulls it", async () => {
    const { ask, server } = await askPlace({});
    const result = await ask(["hi", "-m", "nowhere:7b", ...JSON_FORMAT]);
    expect(failure(result)).toMatchObject({ exit: 3, code: "model-missing" });
    expect(readResult(result.stdout).model).toBe("nowhere:7b");
    expect(result.stderr).toContain("ollama pull nowhere:7b");
    expect(server.chatBodies()).toEqual([]);
  });

  it("a server without models is told with a model to pull", async () => {
    const { ask } = await askPlace({ models: [] });
    const result = await ask(["hi", ...JSON_FORMAT]);
    expect(failure(result)).toMatchObject({ exit: 3, code: "model-missing" });
    expect(result.stderr).toContain("ollama pull qwen2.5");
  });

  it("a model without tools is told, where they are insisted on, with the installed ones that have them", async () => {
    const { ask, server } = await askPlace({
      models: [{ name: "chatty", capabilities: ["completion"] }, { name: "able:3b" }],
    });
    const result = await ask(["hi", "--model", "chatty", "--protocol", "native", ...JSON_FORMAT]);
    expect(failure(result)).toMatchObject({ exit: 3, code: "no-tools" });
    expect(result.stderr).toContain("able:3b");
    expect(result.stderr).toMatch(/leave out --protocol native/i);
    expect(server.chatBodies()).toEqual([]);
  });

  it.each<[string, number, RequestListener]>([
    [
      "a web page",
      200,
      (_request, response) => response.setHeader("content-type", "text/html").end("<html>Hello</html>"),
    ],
    ["a gateway's error", 502, (_request, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>")],
    ["JSON of another kind", 200, (_request, response) => response.end('{"models": "none"}')],
    [
      "nothing but status 404",
      404,
      (_request, response) => response.writeHead(404).end("404 page not found"),
    ],
  ])("%s in place of an answer is told as what it is", async (_name, _status, answer) => {
    const url = await otherServer(answer);
    const { exit, code, message } = failure(
      await createPlace().run(["ask", "hi", "--host", url, ...JSON_FORMAT]),
    );
    expect({ exit, code }).toEqual({ exit: 3, code: "not-ollama" });
    expect(message).toContain(url);
  });

  it("a redirect is not followed", async () => {
    const reached: string[] = [];
    const elsewhere = await otherServer((request, response) => {
      reached.push(request.url ?? "");
      response.end("{}");
    });
    const url = await otherServer((request, response) => {
      response.writeHead(307, { location: elsewhere + (request.url ?? "") }).end();
    });
    const { exit, code, message } = failure(
      await createPlace().run(["ask", "hi", "--host", url, ...JSON_FORMAT]),
    );
    expect({ exit, code }).toEqual({ exit: 3, code: "redirect" });
    expect(message).toContain(elsewhere);
    expect(reached).toEqual([]);
  });

  it("a server that takes the connection and closes it is told", async () => {
    const url = await otherServer((request) => request.socket.destroy());
    const { exit, message } = failure(await createPlace().run(["ask", "hi", "--host", url, ...JSON_FORMAT]));
    expect([1, 3]).toContain(exit);
    expect(message).toContain(url);
  });

  it("a server that takes the connection and never answers is given up after the configured time", async () => {
    const url = await otherServer(() => undefined);
    const place = createPlace();
    place.userConfig(IMPATIENT);
    const { exit, code } = failure(await place.run(["ask", "hi", "--host", url, ...JSON_FORMAT]));
    expect(exit).toBe(3);
    expect(code).toBe("unreachable");
  });

  it("stream-json holds session and turn-end also when the server is not there", async () => {
    const { code, stdout } = await createPlace().run([
      "ask",
      "hi",
      "--host",
      "127.0.0.1:1",
      "--output-format",
      "stream-json",
    ]);
    expect(code).toBe(3);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.map(({ type }) => type)).toEqual(["session", "turn-end"]);
  });
});
