import { messageOf, UserError } from "../../errors.js";
import type { Allocation } from "../../model/allocation.js";
import { allocationOf } from "../../model/allocation.js";
import { sameModel } from "../../model/choose-model.js";
import type { LoadedModel } from "../../model/ollama-client.js";
import { profileOf } from "../../model/profiles.js";
import { recommendedModel, weaknessOf } from "../../model/recommended-models.js";
import type { Check, Finding } from "./doctor-checks.js";
import { fault, ok, skipped, warning } from "./doctor-checks.js";
import { modelServer } from "./model-server.js";
import { byteText, fitText, originText, tokenText, windowText } from "./model-words.js";
import type { Start } from "../start.js";

/** Releases of Ollama before which something is missing that a session can do without. */
const OLD_SERVERS = [
  { before: [0, 8], lacks: "streamedCalls" },
  { before: [0, 9], lacks: "thinkSwitch" },
  { before: [0, 10], lacks: "allocatedWindow" },
] as const;

interface InMemory {
  model: LoadedModel;
  allocation: Allocation;
}

/** The checks of the server, in the order in which each needs the ones before it. */
export function serverChecks(
  { loaded, messages }: Start,
  { load, say, signal }: { load: boolean; say: (line: string) => void; signal: AbortSignal },
): Check[] {
  const server = modelServer(loaded);
  const { client, memoryBytes, isLoopback } = server;
  const { config } = loaded;
  const { findings, remedies } = messages.doctor;

  const version = once(() => client.version(signal));
  const chosen = once(async () => {
    await version();
    return server.choose(signal);
  });
  const window = once(async () => {
    const { name, details } = await chosen();
    return server.window(name, details);
  });
  const inMemory = once(async (): Promise<InMemory | "not-loaded" | "untold"> => {
    const { name } = await chosen();
    const { tokens } = await window();
    if (load) {
      say(findings.loading(name, tokens));
      await client.load(name, { numCtx: tokens, keepAlive: config.ollama.keepAlive }, signal);
    }
    const models = await unlessFailed(client.loadedModels(signal));
    if (models === undefined) return "untold";
    const model = models.find((candidate) => sameModel(candidate.name, name));
    const allocation = allocationOf(name, models, tokens);
    return model && allocation ? { model, allocation } : "not-loaded";
  });

  /** For a check whose model or server is not there, which another check tells. */
  async function withModel(
    inspect: (model: Awaited<ReturnType<typeof chosen>>) => Promise<Finding[]> | Finding[],
  ): Promise<Finding[]> {
    const found = await unlessFailed(chosen());
    if (found === undefined) return [skipped(findings.needsModel)];
    return inspect(found);
  }

  return [
    {
      id: "server",
      async run() {
        await version();
        return [ok(findings.server(client.baseUrl, originText(server.origin, messages)))];
      },
    },
    {
      id: "version",
      async run() {
        const found = await unlessFailed(version());
        if (found === undefined) return [skipped(findings.needsServer)];
        const lacks = missingIn(found).map((name) => findings.lacks[name]);
        return [lacks.length === 0 ? ok(found) : warning(findings.oldServer(found, lacks), remedies.update)];
      },
    },
    {
      id: "privacy",
      run() {
        if (!isLoopback) {
          return Promise.resolve([warning(findings.remote(client.baseUrl), remedies.remote)]);
        }
        return withModel(({ name, details }) => [
          details.cloud ? warning(findings.cloud(name), remedies.local) : ok(findings.staysHere),
        ]);
      },
    },
    {
      id: "model",
      async run() {
        if ((await unlessFailed(version())) === undefined) return [skipped(findings.needsServer)];
        try {
          const { name, because, details } = await chosen();
          const weakness = weaknessOf(name, details.parameterSize);
          return [
            ok(findings.model(name, messages.models.because[because])),
            ...(weakness === undefined
              ? []
              : [warning(messages.models.weakness[weakness](name), remedies.other(recommended()))]),
          ];
        } catch (error) {
          signal.throwIfAborted();
          const proposes = server.requested === undefined && isMissing(error);
          return [fault(messageOf(error), proposes ? remedies.pull(recommended()) : hintOf(error))];
        }
      },
    },
    {
      id: "tools",
      run: () =>
        withModel(({ name, details }) => {
          if (config.protocol === "text") {
            return [ok(findings.toolsSetToText(originText(loaded.origins["protocol"], messages)))];
          }
          if (details.capabilities === undefined) return [warning(findings.toolsUnknown, remedies.update)];
          return [
            profileOf(name, details).protocol === "native"
              ? ok(findings.tools)
              : warning(findings.toolsAsText, remedies.tools(recommended())),
          ];
        }),
    },
    {
      id: "thinking",
      run: () =>
        withModel(({ name, details }) => {
          const setting = config.ollama.think;
          const { thinking } = profileOf(name, details);
          if (thinking === "switch") return [ok(findings.thinks(setting))];
          if (thinking === "levels") return [ok(findings.thinksInLevels(setting))];
          if (thinking === "in-text") return [ok(findings.thinksInText)];
          return [
            setting === "off"
              ? ok(findings.thinksNot)
              : warning(findings.thinkIgnored(setting), remedies.think(setting)),
          ];
        }),
    },
    {
      id: "memory",
      run: () =>
        withModel(async ({ name, details }) => {
          const installed = await client.installedModels(signal);
          const size = installed.find((model) => sameModel(model.name, name))?.size ?? 0;
          const fit = server.fit(details, size, (await window()).tokens);
          if (fit === undefined) return [skipped(findings.memoryElsewhere)];
          const rule = messages.models.fitRule(byteText(memoryBytes));
          const found = findings.memory(fitText(fit, messages), rule);
          return [fit.verdict === "fits" ? ok(found) : warning(found, remedies.memory)];
        }),
    },
    {
      id: "window",
      run: () =>
        withModel(async ({ details }) => {
          const asked = await window();
          const wanted = windowText(asked, messages);
          if (details.cloud) return [skipped(findings.windowElsewhere(wanted))];
          const found = await inMemory();
          if (found === "not-loaded") return [skipped(findings.notLoaded(wanted))];
          const given = found === "untold" ? undefined : found.allocation.window;
          if (given === undefined) return [warning(findings.windowUnknown(wanted), remedies.update)];
          if (given < asked.tokens)
            return [warning(findings.windowSmaller(wanted, tokenText(given)), remedies.window)];
          return [ok(findings.window(wanted, tokenText(given)))];
        }),
    },
    {
      id: "gpu",
      run: () =>
        withModel(async ({ details }) => {
          const found = details.cloud ? "untold" : await unlessFailed(inMemory());
          if (typeof found !== "object") return [skipped(findings.gpuUnknown)];
          const { model, allocation } = found;
          const { spilled, smallerWindow } = allocation;
          if (model.sizeVram === 0) return [warning(findings.cpuOnly, remedies.cpuOnly)];
          if (spilled === 0) return [ok(findings.gpu(byteText(model.size)))];
          const percent = Math.max(1, Math.round(spilled * 100));
          return [warning(findings.spilled(percent), remedies.spilled(smallerWindow))];
        }),
    },
  ];

  function recommended(): string {
    return recommendedModel(memoryBytes).model;
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

async function unlessFailed<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof UserError && error.code === "model-missing";
}

function hintOf(error: unknown): string | undefined {
  return error instanceof UserError ? error.hint : undefined;
}

/** Builds that somebody made for himself call themselves 0.0.0 and are taken for new. */
function missingIn(version: string): (typeof OLD_SERVERS)[number]["lacks"][] {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined || /^v?0\.0\.0/.test(version)) return [];
  const isOlder = ([a, b]: readonly [number, number]) =>
    Number(major) < a || (Number(major) === a && Number(minor) < b);
  return OLD_SERVERS.filter(({ before }) => isOlder(before)).map(({ lacks }) => lacks);
}
