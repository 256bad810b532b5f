import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { totalmem } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { say } from "../../src/demo/reply.js";
import type { ScriptedModel } from "../../src/demo/scripted-models.js";
import { readResult } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

const JSON_FORMAT = ["--output-format", "json"];
const replies = () => say("Hi.");

const SMALL = { name: "small:1b", size: totalmem() / 100 };
const MIDDLE = { name: "middle:3b", size: totalmem() / 50 };
const HUGE = { name: "huge:400b", size: totalmem() * 2 };
const CHATTY = { name: "chatty:7b", size: totalmem() / 20, capabilities: ["completion"] };
const CLOUD = { name: "giant:cloud", size: 400, remoteHost: "https://ollama.com" };

describe("the model", () => {
  it("is the one of the flag, then of the environment, the project, the user", async () => {
    const names = ["by-flag", "by-environment", "by-project", "by-user"];
    const { ask, place, server } = await askPlace({ models: names.map((name) => ({ name })), replies });
    place.userConfig({ model: "by-user" });
    const used = async (args: string[], env = {}) => {
      expect(await ask(["hi", ...args], { env })).toMatchObject({ code: 0 });
      return server.chatBodies().at(-1)!.model;
    };
    expect(await used([])).toBe("by-user");
    place.file(".mini-cc.json", '{ "model": "by-project" }');
    expect(await used([])).toBe("by-project");
    const env = { MINI_CC_MODEL: "by-environment" };
    expect(await used([], env)).toBe("by-environment");
    expect(await used(["--model", "by-flag"], env)).toBe("by-flag");
    expect(await used([], { MINI_CC_MODEL: "" })).toBe("by-project");
  });

  it("that nobody names is the one used last", async () => {
    const { ask, server } = await askPlace({ models: [SMALL, MIDDLE], replies });
    await ask(["hi", "-m", "small:1b"]);
    await ask(["hi"]);
    expect(server.chatBodies().map(({ model }) => model)).toEqual(["small:1b", "small:1b"]);
  });

  it.each<[string, ScriptedModel[], string]>([
    ["the largest that fits in memory", [SMALL, HUGE, MIDDLE, CLOUD], MIDDLE.name],
    ["one that can call tools", [SMALL, CHATTY], SMALL.name],
    ["the smallest if none fits", [{ ...HUGE, name: "huger:800b", size: HUGE.size * 2 }, HUGE], HUGE.name],
  ])("that nobody has ever used is %s", async (_name, models, expected) => {
    const { ask } = await askPlace({ models, replies });
    const { code, stdout } = await ask(["hi", ...JSON_FORMAT]);
    expect(code).toBe(0);
    expect(readResult(stdout).model).toBe(expected);
  });

  it("is never one of the cloud unless it is named, and then the user is told", async () => {
    const { ask, server } = await askPlace({ models: [CLOUD], replies });
    const unnamed = await ask(["hi"]);
    expect(unnamed).toMatchObject({ code: 3, stdout: "" });
    expect(unnamed.stderr).toContain("ollama pull qwen2.5");
    expect(server.chatBodies()).toEqual([]);
    const named = await ask(["hi", "-m", "giant:cloud"]);
    expect(named).toMatchObject({ code: 0, stdout: "Hi.\n" });
    expect(named.stderr).toContain("leave this machine");
    // Having been used once does not make it the choice of the next run.
    expect(await ask(["hi"])).toMatchObject({ code: 3 });
    expect(server.chatBodies()).toHaveLength(1);
  });

  it.each([
    ["qwen2.5", "qwen2.5:latest"],
    ["qwen2.5:latest", "qwen2.5"],
  ])("%s is the installed %s", async (named, installed) => {
    const { ask, server } = await askPlace({ models: [{ name: installed }], replies });
    expect(await ask(["hi", "-m", named])).toMatchObject({ code: 0, stdout: "Hi.\n" });
    await ask(["hi"]);
    expect(server.chatBodies()).toHaveLength(2);
  });

  it("gets the window and the thinking that were asked for, and never more window than it was trained for", async () => {
    const thinker = {
      name: "thinker",
      contextLength: 8192,
      capabilities: ["completion", "tools", "thinking"],
    };
    const { ask, server } = await askPlace({ models: [thinker], replies });
    const first = await ask(["hi", "--num-ctx", "6000", "--think", "on", ...JSON_FORMAT]);
    expect(readResult(first.stdout).contextWindow).toBe(6000);
    const second = await ask(["hi", "--num-ctx", "99999", ...JSON_FORMAT]);
    expect(readResult(second.stdout).contextWindow).toBe(8192);
    expect(server.chatBodies()).toMatchObject([
      { think: true, truncate: false, shift: false, options: { num_ctx: 6000 }, keep_alive: "30m" },
      { think: false, truncate: false, shift: false, options: { num_ctx: 8192 } },
    ]);
  });
});

describe("the server", () => {
  it.each([
    ["host and port", (port: string) => `127.0.0.1:${port}`],
    ["a name", (port: string) => `http://localhost:${port}/`],
    ["an address to listen on", (port: string) => `0.0.0.0:${port}`],
    ["a port alone", (port: string) => `:${port}`],
    ["quotes, as Windows leaves them", (port: string) => `"http://127.0.0.1:${port}"`],
  ])("may be written as %s", async (_name, write) => {
    const { ask, server } = await askPlace({ replies });
    const written = write(new URL(server.url).port);
    const { code, stderr } = await ask(["hi"], { env: { OLLAMA_HOST: written } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    if (!written.startsWith('"')) {
      expect(await ask(["hi", "--host", written], { env: { OLLAMA_HOST: "127.0.0.1:1" } })).toMatchObject({
        code: 0,
      });
    }
  });

  it("may come from the user's file, behind flag and environment", async () => {
    const { ask, place, server } = await askPlace({ replies }, { OLLAMA_HOST: undefined });
    place.userConfig({ ollama: { host: server.url } });
    expect(await ask(["hi"])).toMatchObject({ code: 0 });
    expect(await ask(["hi"], { env: { OLLAMA_HOST: "127.0.0.1:1" } })).toMatchObject({ code: 3 });
  });

  it.each(["ftp://localhost", "http://user:secret@localhost:1", "local host"])(
    "written as %s is a usage mistake that does not repeat a password",
    async (host) => {
      const { ask } = await askPlace({});
      for (const options of [{ env: { OLLAMA_HOST: host } }, {}]) {
        const flag = "env" in options ? [] : ["--host", host];
        const { code, stdout, stderr } = await ask(["hi", ...flag], options);
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toMatch(/OLLAMA_HOST|--host/);
        expect(stderr).not.toContain("secret");
      }
    },
  );

  it("is asked for nothing that a hello does not need", async () => {
    const { ask, server } = await askPlace({ replies });
    await ask(["hi"]);
    await ask(["hi", "-m", "scripted"]);
    const asked = server.requests.map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter((request) => request === "POST /api/chat")).toHaveLength(2);
    expect(
      asked.every((request) => /^(GET \/api\/(tags|version|ps)|POST \/api\/(show|chat))$/.test(request)),
    ).toBe(true);
  });

  it("that does not unload the model in the end is told of, in the language of the user", async () => {
    const { ask, place, server } = await askPlace({ replies });
    place.userConfig({ ollama: { unloadOnExit: true } });
    const host = await serverInFront(server.url, (body) => body.includes('"keep_alive":0'));
    const { code, stdout, stderr } = await ask(["hi", "--host", host, "--lang", "zh"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hi.\n" });
    expect(stderr).toMatch(/^警告：没有卸载 scripted:latest：.*busy\n$/);
  });
});

/** Hands requests on, but for those that it refuses as busy. */
async function serverInFront(target: string, refuses: (body: string) => boolean): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const { method = "GET", url = "" } = request;
      const handedOn = { method, ...(method === "POST" && { body }) };
      const reply = refuses(body)
        ? Response.json({ error: "busy" }, { status: 500 })
        : await fetch(target + url, handedOn);
      response.writeHead(reply.status).end(await reply.text());
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("--debug writes requests and raw replies to a file that only its owner can read, and says where", async () => {
  const { ask, place } = await askPlace({ replies });
  const { code, stdout, stderr } = await ask(["a question"], { env: { MINI_CC_DEBUG: "1" } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Hi.\n" });
  const [path = ""] = /\S*debug\S*/.exec(stderr.replaceAll("warning:", "")) ?? [];
  expect(path).toContain(place.state);
});
