import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EXIT } from "../../src/errors.js";
import type { ScriptedModel } from "../../src/demo/scripted-models.js";
import type { ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import { askPlace } from "./ask-setup.js";
import { plainServer } from "./plain-server.js";

const GB = 1e9;
/** Loads, and needs 57,344 bytes for each token of its window. */
const MODEL: ScriptedModel = { name: "able:8b", size: GB, parameterSize: "8B", runner: {} };

const REPORT = z.object({
  version: z.string(),
  ok: z.boolean(),
  checks: z.array(
    z.object({
      id: z.string(),
      status: z.enum(["ok", "warning", "fault", "skipped"]),
      found: z.string().min(1),
      remedy: z.string().optional(),
    }),
  ),
});

async function examine(place: CliPlace, args: readonly string[] = []) {
  const { code, stdout, stderr } = await place.run(["doctor", "--json", ...args]);
  expect(stdout.trimEnd().split("\n"), stderr).toHaveLength(1);
  const { checks, ok } = REPORT.parse(JSON.parse(stdout));
  const of = (id: string) => checks.filter((check) => check.id === id);
  return { code, ok, stderr, checks, of };
}

const place = async (script: ScriptedOllamaOptions) => (await askPlace(script)).place;

describe("doctor", () => {
  it("on a sound set-up finds no fault, one line for each finding", async () => {
    const sound = await place({ models: [MODEL] });
    const { code, stdout, stderr } = await sound.run(["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ server +answers at http:\/\/127\.0\.0\.1:\d+ \(OLLAMA_HOST\)$/m);
    expect(stdout).toMatch(/^✓ version +0\.32\.0$/m);
    expect(stdout).toMatch(/^✓ model +able:8b: it is the largest/m);
    expect(stdout).toMatch(/^✓ tools /m);
    expect(stdout).not.toMatch(/^✗/m);
    expect(stdout).not.toContain("\x1b");
    const [report = ""] = stdout.split("\n\n");
    for (const line of report.split("\n")) expect(line).toMatch(/^[✓!–] \S+ {2,}\S/);
    expect(stderr).toMatch(/^loading able:8b .*--no-load/);
  });

  it("loads the model with the very window and shape of a session", async () => {
    const { server, place: here } = await askPlace({ models: [MODEL], replies: [{ text: "Done." }] });
    const { of } = await examine(here, ["--num-ctx", "8192"]);
    expect(of("window")[0]).toMatchObject({
      status: "ok",
      found: expect.stringMatching(/8,192 tokens \(set by --num-ctx\); allocated 8,192/) as string,
    });
    expect(await here.run(["ask", "Hi", "--num-ctx", "8192"])).toMatchObject({ code: 0 });
    // A session that came after it did not have to load the model anew.
    expect(server.loads).toHaveLength(1);
    expect(server.chatBodies()[0]?.messages).toEqual([]);
  });

  it("--no-load loads nothing and says what is then not known", async () => {
    const { server, place: here } = await askPlace({ models: [MODEL] });
    const { code, of, stderr } = await examine(here, ["--no-load"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(of("window")[0]?.status).toBe("skipped");
    expect(of("gpu")[0]?.status).toBe("skipped");
    expect(server.chatBodies()).toEqual([]);
  });

  it.each<[string, object | undefined, string, RegExp]>([
    [
      "is smaller than asked for",
      { context_length: 2048, size: 9, size_vram: 9 },
      "warning",
      /allocated only 2,048/,
    ],
    ["is not told", { size: 9, size_vram: 9 }, "warning", /does not tell/],
    ["is not told, since there is no list at all", undefined, "warning", /does not tell/],
  ])("a window that the server allocated and that %s", async (_name, loaded, status, found) => {
    const host = await plainServer({
      "/api/version": { version: "0.9.0" },
      "/api/tags": { models: [{ name: "able:8b", size: 9 }] },
      "/api/show": { capabilities: ["completion", "tools"] },
      "/api/chat": { done: true, done_reason: "load" },
      ...(loaded && { "/api/ps": { models: [{ name: "able:8b", ...loaded }] } }),
    });
    const { code, of } = await examine(createPlace({ OLLAMA_HOST: host }), ["--num-ctx", "8192"]);
    expect(code).toBe(0);
    expect(of("window")).toEqual([expect.objectContaining({ status }) as unknown]);
    expect(of("window")[0]?.found).toMatch(found);
    expect(of("window")[0]?.remedy).toBeTruthy();
  });

  it("tells what spilled to the CPU, with a window that may fit", async () => {
    const here = await place({ models: [MODEL], machine: { vram: GB, memory: 8 * GB } });
    const { code, of } = await examine(here, ["--num-ctx", "16384"]);
    expect(code).toBe(0);
    expect(of("gpu")[0]).toMatchObject({ status: "warning" });
    expect(of("gpu")[0]?.found).toMatch(/^48 %/);
    expect(of("gpu")[0]?.remedy).toContain("--num-ctx 8192");
    const cpu = await place({ models: [MODEL], machine: { vram: 0, memory: 8 * GB } });
    expect((await examine(cpu)).of("gpu")[0]).toMatchObject({ status: "warning" });
  });

  it("exits with 3 if the model does not fit into the server's memory, and goes on checking", async () => {
    const here = await place({ models: [MODEL], machine: { vram: 0.5 * GB } });
    const { code, of } = await examine(here);
    expect(code).toBe(EXIT.noModel);
    expect(of("window")[0]).toMatchObject({ status: "fault" });
    expect(of("window")[0]?.remedy).toBeTruthy();
    expect(of("node")[0]?.status).toBe("ok");
  });

  it("exits with 3 without a server, names the remedy, and still checks what needs none", async () => {
    const here = createPlace({ OLLAMA_HOST: "127.0.0.1:1" });
    const { code, ok, of } = await examine(here);
    expect({ code, ok }).toEqual({ code: EXIT.noModel, ok: false });
    expect(of("server")[0]).toMatchObject({ status: "fault" });
    expect(of("server")[0]?.remedy).toContain("ollama serve");
    expect(of("model")[0]?.status).toBe("skipped");
    for (const id of ["bash", "config", "rules", "state", "node"]) expect(of(id)[0]?.status, id).toBe("ok");
  });

  it.each<[string, readonly ScriptedModel[], string[], RegExp]>([
    ["nothing is installed", [], [], /mini-cc models pull \S+/],
    ["the model is not installed", [MODEL], ["--model", "missing"], /missing/],
    [
      "the model lacks the tools that are insisted on",
      [{ ...MODEL, capabilities: ["completion"] }],
      ["--model", "able:8b", "--protocol", "native"],
      /--protocol native/,
    ],
  ])("exits with 3 and a remedy if %s", async (_name, models, args, remedy) => {
    const { code, of } = await examine(await place({ models }), args);
    expect(code).toBe(EXIT.noModel);
    expect(of("model")[0]).toMatchObject({ status: "fault" });
    expect(of("model")[0]?.remedy).toMatch(remedy);
    expect(of("window")[0]?.status).toBe("skipped");
  });

  it("warns of an old server, a cloud model, a family that is advised against, and a small model", async () => {
    const old = await examine(await place({ models: [MODEL], version: "0.8.3" }));
    expect(old.code).toBe(0);
    expect(old.of("version")[0]).toMatchObject({ status: "warning" });
    expect(old.of("version")[0]?.found).toMatch(/thinking.*window/);
    const cloud: ScriptedModel = { name: "far:cloud", remoteHost: "https://ollama.com" };
    const far = await examine(await place({ models: [cloud] }), ["--model", "far:cloud"]);
    expect(far.of("privacy")[0]).toMatchObject({ status: "warning" });
    expect(far.of("privacy")[0]?.found).toContain("leave this machine");
    const legacy = await examine(await place({ models: [{ ...MODEL, name: "qwen2.5:7b" }] }));
    expect(legacy.of("model")[1]).toMatchObject({ status: "warning" });
    const small = await examine(await place({ models: [{ ...MODEL, parameterSize: "494.03M" }] }));
    expect(small.of("model")[1]?.found).toContain("small");
  });

  it("tells how tool calls travel", async () => {
    const plain = { ...MODEL, name: "plain:7b", capabilities: ["completion"] };
    const here = await place({ models: [MODEL, plain] });
    const tools = async (...args: string[]) => (await examine(here, args)).of("tools")[0];
    expect(await tools()).toMatchObject({ status: "ok", found: expect.stringContaining("native") as string });
    const without = await tools("--model", "plain:7b");
    expect(without).toMatchObject({ status: "warning", found: expect.stringContaining("as text") as string });
    expect(without?.remedy).toContain("mini-cc models");
    expect(await tools("--protocol", "text")).toMatchObject({
      status: "ok",
      found: expect.stringMatching(/as text, set by --protocol/) as string,
    });
  });

  it("tells how the model thinks", async () => {
    const models: ScriptedModel[] = [
      { ...MODEL, name: "gpt-oss:20b", family: "gptoss", capabilities: ["completion", "tools", "thinking"] },
      { ...MODEL, name: "deepseek-r1:7b", capabilities: ["completion"] },
    ];
    const here = await place({ models });
    const thinking = async (model: string) => (await examine(here, ["-m", model])).of("thinking")[0];
    expect(await thinking("gpt-oss:20b")).toMatchObject({
      found: expect.stringContaining("levels") as string,
    });
    expect(await thinking("deepseek-r1:7b")).toMatchObject({
      found: expect.stringContaining("always") as string,
    });
  });

  it("warns of a thinking level that the model cannot follow", async () => {
    const here = await place({ models: [MODEL] });
    expect((await examine(here)).of("thinking")[0]?.status).toBe("ok");
    const { of } = await examine(here, ["--think", "high"]);
    expect(of("thinking")[0]).toMatchObject({ status: "warning" });
  });

  it("warns that files go to another machine, also while it does not answer", async () => {
    // The broadcast address: nobody can be connected to there.
    const { of } = await examine(createPlace({ OLLAMA_HOST: "255.255.255.255:1" }));
    expect(of("privacy")[0]).toMatchObject({ status: "warning" });
    expect(of("privacy")[0]?.found).toContain("255.255.255.255");
  });

  it("shows a ban that has no effect as a fault", async () => {
    const here = await place({ models: [MODEL] });
    here.userConfig({ deniedCommands: ["git push && rm", "git push"], allowedCommands: ["npm test; ls"] });
    const { code, of } = await examine(here);
    expect(code).toBe(EXIT.failed);
    const faults = of("rules").filter(({ status }) => status === "fault");
    expect(faults).toHaveLength(1);
    expect(faults[0]?.found).toContain("git push && rm");
    expect(faults[0]?.found).toContain("HAS NO EFFECT");
    const warnings = of("rules").filter(({ status }) => status === "warning");
    expect(warnings.map(({ found }) => found)).toEqual([expect.stringContaining("npm test; ls")]);
    expect((await here.run(["doctor"])).stdout).toMatch(/^✗ rules .*git push && rm/m);
  });

  it("shows files that were read, unknown keys, what is not trusted, and bypass", async () => {
    const here = await place({ models: [MODEL] });
    const user = here.userConfig({ maxStep: 3, permissionMode: "bypass" });
    here.file(".mini-cc.json", '{ "allowedCommands": ["npm test"] }');
    const { code, of } = await examine(here);
    expect(code).toBe(0);
    const [read, ...warnings] = of("config");
    expect(read?.found).toContain(user);
    const said = warnings.map(({ found, remedy }) => `${found} ${remedy ?? ""}`).join("\n");
    expect(said).toContain("maxStep");
    expect(said).toContain("mini-cc trust");
    expect(said).toContain("BYPASS");
  });

  it("with a configuration that cannot be read says where, and checks what needs none", async () => {
    const { server, place: here } = await askPlace({ models: [MODEL] });
    const path = here.file(".mini-cc.json", '{ "maxSteps": "many" }');
    const { code, of } = await examine(here);
    expect(code).toBe(EXIT.usage);
    expect(of("config")[0]).toMatchObject({ status: "fault" });
    expect(of("config")[0]?.found).toContain(path);
    expect(of("server")[0]?.status).toBe("skipped");
    expect(of("node")[0]?.status).toBe("ok");
    expect(server.requests).toEqual([]);
  });

  it("takes a mistake in a flag for what it is", async () => {
    const here = await place({ models: [MODEL] });
    const { code, stdout, stderr } = await here.run(["doctor", "--num-ctx", "much"]);
    expect({ code, stdout }).toEqual({ code: EXIT.usage, stdout: "" });
    expect(stderr).toContain("--num-ctx");
  });

  it("finds a state folder that cannot be written to, and leaves nothing in one that can", async () => {
    const here = await place({ models: [MODEL] });
    await examine(here);
    expect(readdirSync(here.state)).toEqual([]);
    const blocked = join(here.home, "a-file");
    writeFileSync(blocked, "");
    const { code, stdout } = await here.run(["doctor", "--json"], {
      env: { MINI_CC_HOME: join(blocked, "x") },
    });
    expect(code).not.toBe(0);
    expect(stdout).toContain("MINI_CC_HOME");
  });

  it("warns where git is missing", async () => {
    const here = await place({ models: [MODEL] });
    const { stdout } = await here.run(["doctor", "--json"], { env: { PATH: "/nonexistent" } });
    const { checks } = REPORT.parse(JSON.parse(stdout));
    expect(checks.find(({ id }) => id === "git")).toMatchObject({ status: "warning" });
  });

  it("is quiet about a sandbox that works and warns of one that is switched off", async () => {
    const here = await place({ models: [MODEL] });
    here.userConfig({ sandbox: "off" });
    const { code, of } = await examine(here);
    expect(code).toBe(0);
    expect(of("sandbox")[0]).toMatchObject({ status: "warning" });
    expect(of("sandbox")[0]?.remedy).toBeTruthy();
  });

  it("is coloured on a terminal only, and not if that is unwanted", async () => {
    const here = await place({ models: [MODEL] });
    const coloured = runInTerminal(here, ["doctor"], { columns: 200 });
    expect((await coloured.ended).code).toBe(0);
    expect(coloured.written()).toContain("\x1b[32m✓");
    const plain = runInTerminal(here, ["doctor", "--no-color"], { columns: 200 });
    await plain.ended;
    expect(plain.text()).toMatch(/^✓ server/m);
    expect(plain.written()).not.toContain("\x1b[32m");
  });

  it("speaks Chinese", async () => {
    const here = await place({ models: [MODEL] });
    const { code, stdout } = await here.run(["doctor", "--lang", "zh"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ 服务器 +在 http/m);
    const labels = stdout.split("\n").filter((line) => /^[✓!–✗] /.test(line));
    for (const line of labels) expect(line).toMatch(/^. (?:\S*\p{Script=Han}|Shell )/u);
  });

  it("is cancelled while the model loads", async () => {
    const server = await scriptedOllama({ models: [{ ...MODEL, runner: { realLoadMs: 60_000 } }] });
    const here = createPlace({ OLLAMA_HOST: server.url });
    const running = here.start(["doctor"]);
    await server.waitFor(({ loads }) => loads.length === 1);
    running.kill("SIGINT");
    expect((await running.ended).code).toBe(EXIT.cancelled);
    await server.waitFor(({ openRequests }) => openRequests === 0);
  });
});
