import type { ExitCode } from "../../errors.js";
import { EXIT, messageOf, UserError } from "../../errors.js";
import type { ChosenModel } from "../../model/choose-model.js";
import { sameModel } from "../../model/choose-model.js";
import type { MemoryFit } from "../../model/memory-fit.js";
import type { ModelDescription } from "../../model/model-description.js";
import type { InstalledModel, LoadedModel } from "../../model/ollama-client.js";
import { recommendedModel } from "../../model/recommended-models.js";
import { visible } from "../../printable.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import type { Messages } from "../messages/catalogue.js";
import type { ModelServer, SessionWindow } from "./model-server.js";
import { modelServer } from "./model-server.js";
import { abilityText, byteText, fitText, loadedText, tokenText, windowText } from "./model-words.js";
import type { CommandContext } from "../program.js";
import { jsonLine } from "../render/json-line.js";
import { table } from "../render/table.js";
import { inRows } from "../render/terminal.js";
import { start } from "../start.js";

/** An installed model, with what the server tells of it one by one. */
interface ModelRow extends InstalledModel {
  details: ModelDescription | undefined;
  /** Why there are no details. */
  problem: string | undefined;
  loaded: LoadedModel | undefined;
  /** For the window that a session would ask for; undefined if it runs elsewhere. */
  fit: MemoryFit | undefined;
}

/** What a session would take, or why it could not begin. */
type SessionChoice = { chosen: ChosenModel; window: SessionWindow } | { problem: UserError };

/** Questions that a server is asked at the same time. */
const AT_ONCE = 4;

/** `mini-cc models list`: what is installed, and what a session would take. Throws ModelError without a server. */
export async function listModels(context: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { loaded, messages } = await start(context);
  for (const { text } of loaded.warnings) process.stderr.write(`${visible(text)}\n`);
  return cancelOnSignals(async (signal) => {
    try {
      const server = modelServer(loaded);
      const rows = await gather(server, signal);
      const choice = await choose(server, signal);
      if (json === true) process.stdout.write(jsonLine(asJson(server, rows, choice)));
      else {
        const lines = asText(server, rows, choice, messages).map((line) => visible(line));
        for (const row of inRows(lines, process.stdout)) process.stdout.write(`${row}\n`);
      }
      return EXIT.done;
    } catch (error) {
      if (signal.aborted) return EXIT.cancelled;
      throw error;
    }
  });
}

async function gather(server: ModelServer, signal: AbortSignal): Promise<ModelRow[]> {
  const { client } = server;
  const [installed, inMemory] = await Promise.all([
    client.installedModels(signal),
    server.loadedModels(signal),
  ]);
  const rows: ModelRow[] = [];
  for (let at = 0; at < installed.length; at += AT_ONCE) {
    rows.push(...(await Promise.all(installed.slice(at, at + AT_ONCE).map(describe))));
  }

  async function describe(model: InstalledModel): Promise<ModelRow> {
    const isIn = inMemory.find(({ name }) => sameModel(name, model.name));
    try {
      const details = await client.showModel(model.name, signal);
      const { tokens } = await server.window(model.name, details);
      return {
        ...model,
        capabilities: model.capabilities ?? details.capabilities,
        parameterSize: model.parameterSize ?? details.parameterSize,
        quantization: model.quantization ?? details.quantization,
        cloud: model.cloud || details.cloud,
        details,
        problem: undefined,
        loaded: isIn,
        fit: server.fit({ ...details, cloud: model.cloud || details.cloud }, model.size, tokens),
      };
    } catch (error) {
      signal.throwIfAborted();
      return { ...model, details: undefined, problem: messageOf(error), loaded: isIn, fit: undefined };
    }
  }
  return rows.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"));
}

/** What a session could take comes first, what would leave this machine last. */
function rank({ cloud, capabilities }: ModelRow): number {
  return cloud ? 2 : capabilities?.includes("tools") === false ? 1 : 0;
}

async function choose(server: ModelServer, signal: AbortSignal): Promise<SessionChoice> {
  try {
    const chosen = await server.choose(signal);
    return { chosen, window: await server.window(chosen.name, chosen.details) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problem: error };
  }
}

function asJson(server: ModelServer, rows: readonly ModelRow[], choice: SessionChoice): unknown {
  return {
    server: server.client.baseUrl,
    models: rows.map(({ details, loaded, fit, ...row }) => ({
      ...row,
      capabilities: row.capabilities ?? null,
      trainedContext: details?.trainedContext ?? null,
      loaded: loaded ?? null,
      fit: fit ?? null,
    })),
    session:
      "chosen" in choice
        ? { model: choice.chosen.name, because: choice.chosen.because, contextWindow: choice.window.tokens }
        : null,
    ...("problem" in choice && {
      problem: { code: choice.problem.code, message: choice.problem.message, hint: choice.problem.hint },
    }),
  };
}

function asText(
  server: ModelServer,
  rows: readonly ModelRow[],
  choice: SessionChoice,
  messages: Messages,
): string[] {
  const words = messages.models;
  if (rows.length === 0) {
    return [words.none(server.client.baseUrl), pullLine(server, messages)];
  }
  const { name, size, kind, abilities, trained, loaded, fit } = words.columns;
  const head = ["", name, size, kind, abilities, trained, loaded, fit];
  const isChosen = (name: string) => "chosen" in choice && sameModel(name, choice.chosen.name);
  const cells = rows.map((row) => [
    isChosen(row.name) ? "*" : "",
    row.name,
    row.cloud || row.size === 0 ? "" : byteText(row.size),
    [row.parameterSize, row.quantization].filter((part) => part !== undefined).join(" "),
    abilityText(row.capabilities, messages),
    row.details?.trainedContext === undefined ? "?" : tokenText(row.details.trainedContext),
    row.loaded === undefined ? "" : loadedText(row.loaded, messages),
    row.cloud ? words.cloud : row.fit === undefined ? "" : fitText(row.fit, messages),
  ]);
  return [
    ...table([head, ...cells.map((row) => row.map((cell) => visible(cell)))]),
    "",
    ...rows.flatMap(({ name, problem }) => (problem === undefined ? [] : [words.noDetails(name, problem)])),
    ...sessionLines(server, choice, messages),
    server.isLoopback
      ? words.fitRule(byteText(server.memoryBytes))
      : words.fitElsewhere(server.client.baseUrl),
  ];
}

function sessionLines(server: ModelServer, choice: SessionChoice, messages: Messages): string[] {
  const words = messages.models;
  if ("problem" in choice) {
    const { code, message, hint } = choice.problem;
    if (code === "model-missing" && server.requested === undefined) {
      return [words.takesNone(words.noneAble), pullLine(server, messages)];
    }
    return [words.takesNone(message), `  ${messages.translate.text(hint)}`];
  }
  const { name, because } = choice.chosen;
  return [words.takes(name, words.because[because], windowText(choice.window, messages))];
}

function pullLine({ memoryBytes }: ModelServer, messages: Messages): string {
  const { model, size } = recommendedModel(memoryBytes);
  return messages.models.pullOne(model, size);
}
