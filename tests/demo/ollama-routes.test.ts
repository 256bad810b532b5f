import { describe, expect, it } from "vitest";
import { say } from "../../src/demo/reply.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatLines, parseLines, postChat, refusal } from "./ndjson.js";

const tools = [{ type: "function", function: { name: "read_file", description: "reads", parameters: {} } }];

async function get(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", body: JSON.stringify(body) });
}

describe("what the server says of itself and its models", () => {
  it("greets, tells its version and knows no other page", async () => {
    const { url } = await scriptedOllama({ version: "0.20.1" });
    expect(await (await fetch(url)).text()).toBe("Ollama is running");
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    expect(await get(`${url}/api/version`)).toEqual({ version: "0.20.1" });
    const unknown = await fetch(`${url}/api/nothing`);
    expect([unknown.status, await unknown.text()]).toEqual([404, "404 page not found"]);
  });

  it("lists models newest first, with size, capabilities and the mark of a cloud model", async () => {
    const { url } = await scriptedOllama({
      models: [
        { name: "qwen2.5", size: 4_000, modifiedAt: "2026-01-02T00:00:00Z" },
        {
          name: "big:cloud",
          modifiedAt: "2026-03-01T00:00:00Z",
          capabilities: ["completion", "tools", "thinking"],
          remoteHost: "https://ollama.com:443",
        },
      ],
    });
    expect(await get(`${url}/api/tags`)).toMatchObject({
      models: [
        {
          name: "big:cloud",
          remote_host: "https://ollama.com:443",
          capabilities: ["completion", "tools", "thinking"],
        },
        { name: "qwen2.5:latest", model: "qwen2.5:latest", size: 4_000, details: { family: "qwen2" } },
      ],
    });
    expect(JSON.stringify(await get(`${url}/api/tags`)).match(/remote_host/g)).toHaveLength(1);
  });

  it("shows a model by any form of its name, with trained length, template and parameters", async () => {
    const { url } = await scriptedOllama({
      models: [
        {
          name: "Gemma3:4b",
          family: "gemma3",
          contextLength: 131_072,
          template: "{{ .Prompt }}!",
          parameters: "num_ctx   8192",
        },
      ],
    });
    const shown: unknown = await (await post(`${url}/api/show`, { name: "gemma3:4B" })).json();
    expect(shown).toMatchObject({
      template: "{{ .Prompt }}!",
      parameters: "num_ctx   8192",
      capabilities: ["completion", "tools"],
      details: { family: "gemma3" },
      model_info: { "general.architecture": "gemma3", "gemma3.context_length": 131_072 },
    });
    const missing = await post(`${url}/api/show`, { model: "qwen2.5" });
    expect([missing.status, await missing.json()]).toEqual([404, { error: "model 'qwen2.5' not found" }]);
  });

  it("loads a model with the window asked for, at most the trained one, and unloads it", async () => {
    const { url } = await scriptedOllama({
      models: [{ name: "scripted", contextLength: 16_384, size: 100, sizeVram: 60 }],
      replies: [say("ok")],
    });
    expect(await get(`${url}/api/ps`)).toEqual({ models: [] });
    expect(await chatLines(url, { messages: [] })).toMatchObject([{ done: true, done_reason: "load" }]);
    expect(await get(`${url}/api/ps`)).toMatchObject({
      models: [{ context_length: 4096, size: 100, size_vram: 60 }],
    });
    await chatLines(url, { options: { num_ctx: 65_536 } });
    expect(await get(`${url}/api/ps`)).toMatchObject({
      models: [{ name: "scripted:latest", context_length: 16_384 }],
    });
    expect(await chatLines(url, { messages: [], keep_alive: 0 })).toMatchObject([
      { done: true, done_reason: "unload" },
    ]);
    expect(await get(`${url}/api/ps`)).toEqual({ models: [] });
  });

  it("pulls with progress lines and has the model afterwards, or says in the stream that there is none", async () => {
    const { url } = await scriptedOllama({
      models: [],
      pullable: [{ name: "qwen2.5", size: 1000 }],
      replies: [say("hi")],
    });
    const lines = parseLines(await (await post(`${url}/api/pull`, { model: "qwen2.5" })).text()) as {
      status: string;
      total?: number;
      completed?: number;
    }[];
    expect(lines[0]).toEqual({ status: "pulling manifest" });
    expect(lines.filter(({ total }) => total === 1000).map(({ completed }) => completed)).toEqual([
      undefined,
      250,
      500,
      750,
      1000,
    ]);
    expect(lines.at(-1)).toEqual({ status: "success" });
    expect((await chatLines(url, { model: "qwen2.5:latest" }))[0]?.message?.content).toBe("hi");

    const missing = await post(`${url}/api/pull`, { model: "qwen99" });
    expect(missing.status).toBe(200);
    expect(parseLines(await missing.text()).at(-1)).toEqual({
      error: "pull model manifest: file does not exist",
    });
  });
});

describe("a chat request that the real server refuses", () => {
  it.each([
    ["no model", { model: "" }, 400, "model is required"],
    ["a model that is not there", { model: "qwen2.5" }, 404, "model 'qwen2.5' not found"],
    [
      "tools for a model without them",
      { model: "plain", tools },
      400,
      "registry.ollama.ai/library/plain:latest does not support tools",
    ],
    ["thinking from a model without it", { think: true }, 400, '"scripted" does not support thinking'],
    [
      "a thinking level from a model without it",
      { think: "low" },
      400,
      '"scripted" does not support thinking',
    ],
    ["chat with an embedding model", { model: "embed" }, 400, '"embed" does not support chat'],
    [
      "an unknown thinking level",
      { think: "much" },
      400,
      'invalid think value: "much" (must be "high", "medium", "low", "max", true, or false)',
    ],
    [
      "a window in a string",
      { options: { num_ctx: "8192" } },
      500,
      'option "num_ctx" must be of type integer',
    ],
    [
      "a temperature in a string",
      { options: { temperature: "0" } },
      500,
      'option "temperature" must be of type float32',
    ],
    ["a single stop word", { options: { stop: "END" } }, 500, 'option "stop" must be of type array'],
    [
      "truncate in a string",
      { truncate: "false" },
      400,
      "json: cannot unmarshal string into Go struct field ChatRequest.truncate of type bool",
    ],
    [
      "content in parts",
      { messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }] },
      400,
      "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string",
    ],
    [
      "arguments in a string",
      {
        messages: [
          {
            role: "assistant",
            content: "",
            tool_calls: [{ function: { name: "read_file", arguments: "{}" } }],
          },
        ],
      },
      400,
      "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments",
    ],
  ])("%s", async (_, body, status, error) => {
    const { url } = await scriptedOllama({
      models: [
        { name: "scripted" },
        { name: "plain", capabilities: ["completion"] },
        { name: "embed", capabilities: ["embedding"] },
      ],
      replies: [say("the reply is still there")],
    });
    expect(await refusal(url, body)).toEqual({ status, error });
    expect((await chatLines(url))[0]?.message?.content).toBe("the");
  });

  it("a body that is no JSON", async () => {
    const { url } = await scriptedOllama();
    const response = await fetch(`${url}/api/chat`, { method: "POST", body: "{" });
    expect(response.status).toBe(400);
  });

  it("accepts what it accepts: null, false, options it does not know, a history with calls", async () => {
    const { url } = await scriptedOllama({ replies: [say("ok")] });
    const response = await postChat(url, {
      think: false,
      tools,
      format: null,
      options: { num_ctx: 8192.5, temperature: 0, seed: null, unheard_of: "x", stop: ["END"] },
      messages: [
        { role: "system", content: "You are brief." },
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", function: { name: "read_file", arguments: { path: "x" } } }],
        },
        { role: "tool", content: "text", tool_name: "read_file", tool_call_id: "a" },
      ],
    });
    expect(response.status).toBe(200);
  });
});
