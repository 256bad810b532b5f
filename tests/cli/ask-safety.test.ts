import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, calls, fail, say, think } from "../../src/demo/reply.js";
import { eventsOf, readEvents, readResult } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

/** Clears the screen, writes the clipboard, sets the title, turns text round, hides text, in 7-bit and 8-bit forms. */
const HOSTILE = [
  "\x1b[2J\x1b[1;1H",
  "\x1b]52;c;aGVsbG8=\x07",
  "\x1b]0;title\x1b\\",
  "\x9b31m",
  "\x9d52;c;aGk=\x9c",
  "\u202eevil\u202c",
  "zero\u200bwidth",
  "bell\x07back\x08\x7f",
  "over\rwritten",
].join(" ");

const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

function expectHarmless({ stdout, stderr }: { stdout: string; stderr: string }): void {
  for (const text of [stdout, stderr]) {
    expect(JSON.stringify(UNSAFE.exec(text)?.[0] ?? "harmless"), JSON.stringify(text)).toBe('"harmless"');
  }
}

const FORMATS = ["text", "json", "stream-json"];
const BYPASS = ["--permission-mode", "bypass"];

describe("control sequences", () => {
  it.each(FORMATS)("in the model's words and arguments reach no stream (%s)", async (format) => {
    const thinker = { name: "scripted", capabilities: ["completion", "tools", "thinking"] };
    const { ask } = await askPlace({
      models: [thinker],
      replies: [
        think(HOSTILE, call("run_command", { command: `touch a ${HOSTILE}` }, { text: HOSTILE })),
        call("write_file", { path: `b${HOSTILE}`, content: HOSTILE }),
        call(`tool${HOSTILE}`, { [HOSTILE]: HOSTILE }),
        // Split in the middle of a sequence.
        say(["Answer ", "\x1b", "]52;c;aGk=", "\x07", "\x1b[", "31m", "end. ", HOSTILE]),
      ],
    });
    const result = await ask(["go", "--think", "on", "--output-format", format]);
    expect(result.code).toBe(4);
    expectHarmless(result);
    expect(result.stdout).toMatch(/Answer[^]*end\./);
    if (format === "stream-json") {
      const said = eventsOf(readEvents(result.stdout), "text-delta").map(({ text }) => text);
      expect(said.join(""), "JSON keeps the text as it is").toContain(HOSTILE);
    }
  });

  it.each(FORMATS)(
    "in files, their names and the output of commands reach no stream (%s)",
    async (format) => {
      const name = "x\x1b[2J\u202etxt";
      const { ask, place } = await askPlace({
        replies: [
          calls(
            call("list_files", { path: "." }),
            call("search_code", { pattern: "evil" }),
            call("read_file", { path: name }),
            call("run_command", { command: "cat x*" }),
            call("edit_file", { path: name, old_text: "evil", new_text: "good" }),
            call("read_file", { path: `missing${HOSTILE}` }),
          ),
          say("Done."),
        ],
      });
      place.file(name, `${HOSTILE}\n`);
      const result = await ask(["go", ...BYPASS, "--output-format", format]);
      expect(result.code).toBe(0);
      expectHarmless(result);
      if (format !== "text") {
        const end = format === "json" ? readResult(result.stdout) : readEvents(result.stdout).at(-1);
        expect(end).toMatchObject({ changedFiles: [name] });
      }
    },
  );

  it.each([
    ["with a status", fail(500, `boom ${HOSTILE}`)],
    ["in the stream", say("x", { errorLine: `boom ${HOSTILE}` })],
    ["as something else", { status: 200, body: `boom ${HOSTILE}\n`, contentType: "text/html" }],
  ])("in an error of the server %s reach no stream", async (_name, reply) => {
    const { ask } = await askPlace({ replies: () => reply });
    for (const format of FORMATS) {
      const result = await ask(["go", "--output-format", format]);
      expect([1, 3]).toContain(result.code);
      expect(result.stderr).toContain("boom");
      expectHarmless(result);
    }
  });

  it("in what the server tells of its models reach no stream", async () => {
    const { ask } = await askPlace({
      models: [{ name: `bad${HOSTILE}` }, { name: "chatty", capabilities: ["completion"] }],
      replies: () => say("Hi."),
    });
    for (const args of [["hi"], ["hi", "-m", "chatty"], ["hi", "--output-format", "json"]]) {
      expectHarmless(await ask(args));
    }
  });

  it.each<[string, string[]]>([
    ["a command", [`a${HOSTILE}`]],
    ["a flag", [`--a${HOSTILE}`]],
    ["a model", ["ask", "hi", "--model", HOSTILE]],
    ["a format", ["ask", "hi", "--output-format", HOSTILE]],
    ["a host", ["ask", "hi", "--host", HOSTILE]],
    ["a session", ["ask", "hi", "--resume", HOSTILE]],
    ["a folder", ["ask", "hi", "--cwd", HOSTILE]],
    ["a language", ["ask", "hi", "--lang", HOSTILE]],
    ["a rule", ["ask", "hi", "--allow", `echo${HOSTILE}`]],
    ["a mode", ["ask", "hi", "--permission-mode", HOSTILE]],
    ["a checked command", ["permissions", "check", `rm ${HOSTILE}`]],
    ["a checked command in JSON", ["permissions", "check", `rm ${HOSTILE}`, "--json"]],
  ])("in %s of the command line reach no stream", async (_name, args) => {
    const { place } = await askPlace({ replies: () => say("Hi.") });
    const result = await place.run(args);
    expect(result.stdout + result.stderr).not.toBe("");
    expectHarmless(result);
  });

  it.each<[string, string[]]>([
    ["ask", ["ask", "hi"]],
    ["config", ["config"]],
    ["permissions", ["permissions"]],
    ["permissions in JSON", ["permissions", "list", "--json"]],
    ["trust", ["trust"]],
  ])("in the configuration reach no stream of %s", async (_name, args) => {
    const { place } = await askPlace({ replies: () => say("Hi.") });
    const values = {
      [HOSTILE]: 1,
      model: HOSTILE,
      allowedCommands: [`x ${HOSTILE}`],
      deniedCommands: [`y ${HOSTILE}`],
    };
    place.file(".mini-cc.json", JSON.stringify(values));
    expectHarmless(await place.run(args));
    place.file(".mini-cc.json", JSON.stringify({ permissionMode: HOSTILE, [HOSTILE]: 1 }));
    expectHarmless(await place.run(args));
  });

  it.each<[string, string[]]>([
    ["init", ["init"]],
    ["config", ["config"]],
    ["config path", ["config", "path"]],
    ["permissions", ["permissions"]],
    ["trust", ["trust"]],
    ["trust --revoke", ["trust", "--revoke"]],
    ["ask", ["ask", "hi"]],
  ])("in the name of the folder reach no stream of %s", async (_name, args) => {
    const { place } = await askPlace({ replies: () => say("Hi.") });
    const folder = "folder\x1b[2J\u202e";
    place.file(`${folder}/a.txt`, "");
    const cwd = `${place.workspace}/${folder}`;
    // Twice: the first may write the file that the second finds.
    for (let time = 0; time < 2; time++) expectHarmless(await place.run(args, { cwd }));
  });
});

describe("what leaves the machine", () => {
  it("is nothing but the requests to the server, whatever tracing variables say", async () => {
    const received: string[] = [];
    const elsewhere = createServer((request, response) => {
      received.push(request.url ?? "");
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    onTestFinished(() => {
      elsewhere.close();
      elsewhere.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const { ask, place } = await askPlace({ replies: [call("read_file", { path: "a.txt" }), say("Hi.")] });
    place.file("a.txt", "a secret");
    const traced = ["LANGSMITH", "LANGCHAIN"].flatMap((name) => [
      [`${name}_TRACING`, "true"],
      [`${name}_TRACING_V2`, "true"],
      [`${name}_ENDPOINT`, url],
      [`${name}_API_KEY`, "key"],
    ]);
    const env = {
      ...(Object.fromEntries(traced) as Record<string, string>),
      LANGCHAIN_CALLBACKS_BACKGROUND: "false",
      HTTP_PROXY: url,
      http_proxy: url,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
    };
    expect(await ask(["hi"], { env })).toMatchObject({ code: 0, stdout: "Hi.\n", stderr: "" });
    expect(received).toEqual([]);
  });

  it("is told when the server is another machine", async () => {
    const { ask } = await askPlace({});
    // A name that never resolves: it is told before anything is sent, or at the latest with the failure.
    const { code, stderr } = await ask(["hi", "--host", "http://ollama.invalid:1"]);
    expect(code).toBe(3);
    expect(stderr).toContain("ollama.invalid");
  });

  it("does not include the variables of the shell: commands do not inherit tokens", async () => {
    const { ask, server } = await askPlace({
      replies: [call("run_command", { command: "env" }), say("Done.")],
    });
    const env = { GITHUB_TOKEN: "tok-123", AWS_SECRET_ACCESS_KEY: "tok-456", MY_PASSWORD: "tok-789" };
    expect(await ask(["go", ...BYPASS], { env })).toMatchObject({ code: 0 });
    const sent = JSON.stringify(server.chatBodies());
    expect(sent).toContain("PATH=");
    expect(sent).not.toMatch(/tok-\d/);
  });
});

it("a start in the home folder is warned about, since no sandbox can confine commands there", async () => {
  const { ask, place } = await askPlace({ replies: [say("Hello.")] });
  const { code, stderr } = await ask(["hi", "--cwd", place.home]);
  expect(code).toBe(0);
  expect(stderr).toContain("no sandbox can confine commands there");
});
