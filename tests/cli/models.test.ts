import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EXIT } from "../../src/errors.js";
import type { ScriptedModel } from "../../src/demo/scripted-models.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace, Environment } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import { plainServer } from "./plain-server.js";

const GB = 1e9;
const SMALL: ScriptedModel = { name: "small:3b", size: 2 * GB, parameterSize: "3.1B" };
const THINKER: ScriptedModel = {
  name: "thinker:8b",
  size: 3 * GB,
  capabilities: ["completion", "tools", "thinking"],
  contextLength: 8192,
};
const CHATTY: ScriptedModel = { name: "chatty:7b", size: GB, capabilities: ["completion", "vision"] };
const HUGE: ScriptedModel = { name: "huge:400b", size: 9_000 * GB };
const CLOUD: ScriptedModel = { name: "far:480b-cloud", size: 384, remoteHost: "https://ollama.com" };

async function placeWith(
  script: ScriptedOllamaOptions,
  env: Environment = {},
): Promise<{ server: ScriptedOllama; place: CliPlace }> {
  const server = await scriptedOllama(script);
  return { server, place: createPlace({ OLLAMA_HOST: server.url, ...env }) };
}

/** The line of a table that begins with the name. */
function rowOf(stdout: string, name: string): string {
  const row = stdout.split("\n").find((line) => line.replace(/^[* ]+/, "").startsWith(`${name} `));
  if (row === undefined) throw new Error(`${name} is not in:\n${stdout}`);
  return row;
}

const LISTED = z.object({
  server: z.string(),
  models: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      capabilities: z.array(z.string()).nullable(),
      trainedContext: z.number().nullable(),
      cloud: z.boolean(),
      loaded: z.object({ contextLength: z.number(), size: z.number(), sizeVram: z.number() }).nullable(),
      fit: z.object({ verdict: z.enum(["fits", "tight", "too-large"]), neededBytes: z.number() }).nullable(),
    }),
  ),
  session: z.object({ model: z.string(), because: z.string(), contextWindow: z.number() }).nullable(),
});

describe("models list", () => {
  it("is what models does, and tells size, abilities, trained window and fit of each", async () => {
    const { place } = await placeWith({ models: [HUGE, CHATTY, CLOUD, THINKER] });
    for (const args of [["models"], ["models", "list"]]) {
      const { code, stdout, stderr } = await place.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(rowOf(stdout, "thinker:8b")).toMatch(
        /3\.0 GB +7\.6B Q4_K_M +tools thinking +8,192 .*\(about 4\.2 GB\)/,
      );
      expect(rowOf(stdout, "chatty:7b")).toMatch(/vision/);
      expect(rowOf(stdout, "huge:400b")).toMatch(/too large \(about 900\d\.\d GB\)/);
      expect(rowOf(stdout, "far:480b-cloud")).toMatch(/cloud: your files would leave this machine$/);
      expect(stdout).not.toContain("\x1b");
    }
  });

  it("marks what a session would take and says why", async () => {
    const { place } = await placeWith({ models: [SMALL, THINKER, HUGE, CHATTY] });
    const first = await place.run(["models"]);
    expect(rowOf(first.stdout, "thinker:8b")).toMatch(/^\*/);
    expect(rowOf(first.stdout, "small:3b")).toMatch(/^ /);
    expect(first.stdout).toMatch(/^\* a session would take thinker:8b: .*largest.*8,192 tokens/m);
    const asked = await place.run(["models", "--model", "small:3b", "--num-ctx", "2048"]);
    expect(rowOf(asked.stdout, "small:3b")).toMatch(/^\*/);
    expect(asked.stdout).toMatch(/small:3b: it was asked for\..*2,048 tokens \(set by --num-ctx\)/);
  });

  it("puts what a session could take first and cloud models last", async () => {
    const { place } = await placeWith({ models: [CLOUD, CHATTY, THINKER, SMALL] });
    const { stdout } = await place.run(["models", "list", "--json"]);
    const names = LISTED.parse(JSON.parse(stdout)).models.map(({ name }) => name);
    expect(names).toEqual(["small:3b", "thinker:8b", "chatty:7b", "far:480b-cloud"]);
  });

  it("tells window and GPU share of a loaded model", async () => {
    const loadable = { ...SMALL, runner: {} };
    const { server, place } = await placeWith({
      models: [loadable],
      machine: { vram: 2 * GB, memory: 9 * GB },
    });
    await place.run(["doctor", "--num-ctx", "4096"]);
    expect(server.loads).toHaveLength(1);
    const { stdout } = await place.run(["models"]);
    expect(rowOf(stdout, "small:3b")).toMatch(/ 4,096, GPU 8\d %/);
    const listed = LISTED.parse(JSON.parse((await place.run(["models", "--json"])).stdout));
    expect(listed.models[0]?.loaded).toMatchObject({ contextLength: 4096, sizeVram: 2 * GB });
  });

  it("keeps its columns in line behind names with wide characters", async () => {
    const { place } = await placeWith({ models: [SMALL, { ...THINKER, name: "模型:8b" }] });
    const { stdout } = await place.run(["models"]);
    const cells = (text: string) => text.replace(/\p{Script=Han}/gu, "##").indexOf(" GB");
    expect(cells(rowOf(stdout, "模型:8b"))).toBe(cells(rowOf(stdout, "small:3b")));
  });

  it("asks for what an old server leaves out of its list", async () => {
    const host = await plainServer({
      "/api/tags": { models: [{ name: "old:7b", size: GB }] },
      "/api/show": { capabilities: ["completion", "tools"], details: { parameter_size: "7B" } },
    });
    const place = createPlace({ OLLAMA_HOST: host });
    const { code, stdout } = await place.run(["models"]);
    expect(code).toBe(0);
    expect(rowOf(stdout, "old:7b")).toMatch(/1\.0 GB +7B +tools +\?/);
  });

  it("is still a list where no session could begin, and says what is missing", async () => {
    const { place } = await placeWith({ models: [{ ...CHATTY, capabilities: ["embedding"] }] });
    const { code, stdout } = await place.run(["models"]);
    expect(code).toBe(0);
    expect(rowOf(stdout, "chatty:7b")).toMatch(/^ /);
    expect(stdout).toMatch(
      /a session could not begin: no installed model can be used\n.*mini-cc models pull/,
    );
    const asJson = LISTED.parse(JSON.parse((await place.run(["models", "--json"])).stdout));
    expect(asJson.session).toBeNull();
  });

  it("takes a model without tools if there is no other, and says so", async () => {
    const { place } = await placeWith({ models: [CHATTY] });
    const { stdout } = await place.run(["models"]);
    expect(rowOf(stdout, "chatty:7b")).toMatch(/^\*/);
    expect(stdout).toMatch(/no installed model supports tools, so its calls travel as text/);
    const native = await place.run(["models", "--protocol", "native"]);
    expect(native.stdout).toContain("a session could not begin");
  });

  it("names a model to pull where nothing is installed", async () => {
    const { place } = await placeWith({ models: [] });
    const { code, stdout } = await place.run(["models"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/mini-cc models pull \S+:\d/);
  });

  it("lets no escape sequence of a name through", async () => {
    const { place } = await placeWith({ models: [{ ...SMALL, name: "evil\x1b[31m:1b" }] });
    for (const args of [["models"], ["models", "--json"], ["models", "--lang", "zh"]]) {
      const { stdout, stderr } = await place.run(args);
      expect(stdout + stderr).toContain("evil");
      expect(stdout + stderr).not.toContain("\x1b");
    }
  });

  it("without a server exits with 3", async () => {
    const place = createPlace({ OLLAMA_HOST: "127.0.0.1:1" });
    const { code, stdout, stderr } = await place.run(["models"]);
    expect({ code, stdout }).toEqual({ code: EXIT.noModel, stdout: "" });
    expect(stderr).toContain("ollama serve");
  });
});

describe("models show", () => {
  it("tells what a session would do with the model", async () => {
    const model: ScriptedModel = {
      ...THINKER,
      family: "qwen3",
      template: "{{ .ToolCalls }}<tool_call>",
      parameters: 'stop    "<|im_end|>"\ntemperature    0.6',
    };
    const { place } = await placeWith({ models: [model] });
    const { code, stdout } = await place.run(["models", "show", "thinker:8b"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/qwen3 7\.6B Q4_K_M/);
    expect(stdout).toMatch(/tools thinking/);
    expect(stdout).toMatch(/8,192 tokens \(.*trained/);
    expect(stdout).toContain("<tool_call>");
    expect(stdout).toContain("temperature 0.6");
    expect(stdout).toContain('stop "<|im_end|>"');
  });

  it("tells what its family needs", async () => {
    const { place } = await placeWith({ models: [{ ...THINKER, family: "qwen3" }, CHATTY] });
    const show = async (...args: string[]) => (await place.run(["models", "show", ...args])).stdout;
    const thinker = await show("thinker:8b", "--think", "on");
    expect(thinker).toMatch(/^tool calls +in fields of their own/m);
    expect(thinker).toMatch(/^thinking +can be switched; set to on/m);
    expect(thinker).toMatch(/^temperature +Qwen3 repeats itself below 0\.3/m);
    const chatty = await show("chatty:7b");
    expect(chatty).toMatch(/^tool calls +as text, since the model does not support tools/m);
    expect(chatty).toMatch(/^thinking +none/m);
    expect(chatty).not.toMatch(/^temperature/m);
    expect(await show("chatty:7b", "--protocol", "native")).toMatch(/^tool calls +not at all.*--protocol/m);
    expect(JSON.parse(await show("chatty:7b", "--json"))).toMatchObject({
      profile: { protocol: "text", thinking: "none" },
    });
  });

  it("names the server's own renderer, and tells of a model without tools", async () => {
    const { place } = await placeWith({
      models: [{ ...CHATTY, modelfile: "FROM x\nRENDERER qwen3-coder\nPARSER qwen3-coder\n" }],
    });
    const { stdout } = await place.run(["models", "show", "chatty:7b"]);
    expect(stdout).toContain("renderer qwen3-coder");
    expect(stdout).toContain("does not support tools");
    const found = JSON.parse((await place.run(["models", "show", "chatty:7b", "--json"])).stdout) as object;
    expect(found).toMatchObject({ name: "chatty:7b", renderer: "qwen3-coder", size: GB });
  });

  it("of a model that is not there exits with 3", async () => {
    const { place } = await placeWith({ models: [SMALL] });
    const { code, stdout, stderr } = await place.run(["models", "show", "nothing"]);
    expect({ code, stdout }).toEqual({ code: EXIT.noModel, stdout: "" });
    expect(stderr).toContain("nothing");
    expect(await place.run(["models", "show"])).toMatchObject({ code: EXIT.usage, stdout: "" });
  });
});

describe("models pull", () => {
  const NEW: ScriptedModel = { name: "new:1b", size: 2 * GB };

  it("tells each layer once where nothing can move, and what to type next on standard output", async () => {
    const { server, place } = await placeWith({ models: [], pullable: [NEW] });
    const { code, stdout, stderr } = await place.run(["models", "pull", "new:1b"]);
    expect(code).toBe(0);
    expect(stdout).toBe("new:1b is installed\nnext: mini-cc --model new:1b\n");
    expect(stderr.match(/\(2\.0 GB\)/g)).toHaveLength(1);
    expect(stderr).not.toContain("\x1b");
    expect(server.requests.find(({ path }) => path === "/api/pull")?.body).toMatchObject({ model: "new:1b" });
  });

  it("draws a bar on a terminal", async () => {
    const { place } = await placeWith({
      models: [],
      pullable: [{ ...NEW, pull: { steps: 20, chunkDelay: 30 } }],
    });
    const terminal = runInTerminal(place, ["models", "pull", "new:1b"]);
    await terminal.waitFor(/\[#+-+\] +\d+ % +\d\.\d GB \/ 2\.0 GB +\d+\.\d MB\/s/);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text()).toMatch(/\[#{12}\] +100 % +2\.0 GB \/ 2\.0 GB/);
    expect(terminal.text()).toContain("next: mini-cc --model new:1b");
  });

  it("draws over nothing where that is not wanted", async () => {
    const { place } = await placeWith({ models: [], pullable: [NEW] });
    const terminal = runInTerminal(place, ["--plain", "models", "pull", "new:1b"]);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text()).toContain("next: mini-cc --model new:1b");
    expect(terminal.written()).not.toContain("\x1b");
  });

  it("stopped says how to go on, and goes on there", async () => {
    const { server, place } = await placeWith({
      models: [],
      pullable: [{ ...NEW, pull: { steps: 4, chunkDelay: 300 } }],
    });
    const running = place.start(["models", "pull", "new:1b"]);
    await running.waitForOutput("(2.0 GB)");
    running.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: EXIT.cancelled, stdout: "" });
    expect(stderr).toContain("mini-cc models pull new:1b goes on");
    await server.waitFor(({ openRequests }) => openRequests === 0);
    expect(await place.run(["models", "pull", "new:1b"])).toMatchObject({ code: 0 });
  });

  it.each([
    ["a broken connection", {}],
    ["an error of the server", { failure: "max retries exceeded: unexpected EOF" }],
  ])("after %s says what to do, and goes on when it is called again", async (_name, fault) => {
    const { place } = await placeWith({
      models: [],
      pullable: [{ ...NEW, pull: { steps: 4, failAfter: 2, ...fault } }],
    });
    const { code, stdout, stderr } = await place.run(["models", "pull", "new:1b"]);
    expect({ code, stdout }).toEqual({ code: EXIT.failed, stdout: "" });
    expect(stderr).toMatch(/pull (again|new:1b)/);
    expect(stderr).not.toContain("Send the prompt again");
    expect(await place.run(["models", "pull", "new:1b"])).toMatchObject({ code: 0 });
  });

  it("of a name that no registry has exits with 3", async () => {
    const { place } = await placeWith({ models: [] });
    const { code, stdout, stderr } = await place.run(["models", "pull", "nosuch"]);
    expect({ code, stdout }).toEqual({ code: EXIT.noModel, stdout: "" });
    expect(stderr).toContain("https://ollama.com/library");
    expect(stderr).toContain("nosuch");
  });

  it("of a model without tools says so, and of one that only embeds that it is of no use here", async () => {
    const vectors = { ...CHATTY, name: "vectors:1b", capabilities: ["embedding"] };
    const { place } = await placeWith({ models: [], pullable: [CHATTY, vectors] });
    const chatty = await place.run(["models", "pull", "chatty:7b"]);
    expect(chatty.code).toBe(0);
    expect(chatty.stdout).toMatch(/does not support tools: .* as text\n.*mini-cc --model chatty:7b/);
    const { stdout } = await place.run(["models", "pull", "vectors:1b"]);
    expect(stdout).toContain("does not answer prompts");
    expect(stdout).not.toContain("next: mini-cc --model");
  });
});
