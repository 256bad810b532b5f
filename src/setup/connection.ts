import { resolveHost } from "../config/host.js";
import type { LoadedConfig } from "../config/load-config.js";
import { durationMs } from "../config/schema.js";
import type { ChosenModel } from "../model/choose-model.js";
import { chooseModel } from "../model/choose-model.js";
import { lastModel, rememberModel } from "../model/last-model.js";
import { ModelError } from "../model/model-error.js";
import type { OllamaClient } from "../model/ollama-client.js";
import { createOllamaClient } from "../model/ollama-client.js";

/** The server of this run, and the model that it was found to have. */
export interface Connection {
  client: OllamaClient;
  /** False: what the model is sent leaves this machine. */
  isLoopback: boolean;
  chosen: ChosenModel;
  /** The model that was preferred and cannot be used any more. */
  missed: string | undefined;
  /** Another model of the same server. Throws ModelError if it cannot be used. */
  choose(name: string, signal?: AbortSignal): Promise<ChosenModel>;
  /** So that the next run without a named model takes it again. Throws UserError if the state cannot be written. */
  remember(name: string): Promise<void>;
}

export interface ConnectOptions {
  loaded: LoadedConfig;
  /** Bytes of the machine's memory. */
  memoryBytes: number;
  signal: AbortSignal;
  /** The model that a session was held with; it goes before one that a file names, or that was used last. */
  preferred?: string | undefined;
}

/** The server that the configuration names; nothing is asked of it yet. */
export function configuredServer({ config }: LoadedConfig): Pick<Connection, "client" | "isLoopback"> {
  const { baseUrl, isLoopback } = resolveHost(config.ollama.host);
  const client = createOllamaClient(baseUrl, {
    firstByteMs: durationMs(config.ollama.firstTokenTimeout),
    idleMs: durationMs(config.ollama.idleTimeout),
  });
  return { client, isLoopback };
}

/**
 * Checks that the server answers and that it has a usable model. Throws ModelError otherwise. Apart from the agent, so
 * that the server can look while the agent's code is loaded.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { loaded, memoryBytes, signal } = options;
  const { config, folders } = loaded;
  const { client, isLoopback } = configuredServer(loaded);
  const { baseUrl } = client;
  const { model: requested, protocol } = config;
  const lastUsed = requested === undefined ? await lastModel(folders.state, baseUrl) : undefined;
  const choose = (name: string, ended?: AbortSignal) =>
    chooseModel(client, { requested: name, lastUsed: undefined, memoryBytes, protocol }, ended);
  const preferred = options.preferred !== undefined && isNamedNow(loaded) ? undefined : options.preferred;
  const asBefore = preferred === undefined ? undefined : await choose(preferred, signal).catch(ifUnusable);
  return {
    client,
    isLoopback,
    chosen: asBefore ?? (await chooseModel(client, { requested, lastUsed, memoryBytes, protocol }, signal)),
    missed: asBefore === undefined ? preferred : undefined,
    choose,
    remember: (name) => rememberModel(folders.state, baseUrl, name),
  };
}

/** Whether another model has to do; any other failure is thrown. */
function ifUnusable(error: unknown): undefined {
  if (error instanceof ModelError && ["model-missing", "no-tools"].includes(error.kind)) return undefined;
  throw error;
}

/** By a flag or a variable, not only in a file. */
function isNamedNow({ origins }: LoadedConfig): boolean {
  return ["flag", "environment"].includes(origins["model"]?.layer ?? "");
}
