import { totalmem } from "node:os";
import type { LoadedConfig } from "../../config/load-config.js";
import type { Origin } from "../../config/overrides.js";
import { configuredServer } from "../../setup/connection.js";
import { rememberedWindow } from "../../model/allocation.js";
import type { ChosenModel } from "../../model/choose-model.js";
import { chooseModel } from "../../model/choose-model.js";
import { lastModel } from "../../model/last-model.js";
import type { MemoryFit } from "../../model/memory-fit.js";
import { memoryFit } from "../../model/memory-fit.js";
import type { ModelDescription } from "../../model/model-description.js";
import { contextWindow } from "../../model/model-settings.js";
import type { LoadedModel, OllamaClient } from "../../model/ollama-client.js";

/** The window that a session asks for, and what decided it. */
export interface SessionWindow {
  tokens: number;
  /** "remembered": it was found to fit in an earlier session. "training": the model knows no longer one. */
  because: "configured" | "remembered" | "memory" | "training";
  /** Of the setting that was configured. */
  origin: Origin | undefined;
}

/** The configured server, before any model is chosen. */
export interface ModelServer {
  client: OllamaClient;
  isLoopback: boolean;
  /** Where its address comes from. */
  origin: Origin | undefined;
  /** Bytes of this machine's memory. */
  memoryBytes: number;
  /** Undefined if the choice is left to us. */
  requested: string | undefined;
  /** Empty also for an old server that has no such list. */
  loadedModels(signal: AbortSignal): Promise<LoadedModel[]>;
  /** What a session would take. Throws ModelError if there is no usable model. */
  choose(signal: AbortSignal): Promise<ChosenModel>;
  window(name: string, details: ModelDescription): Promise<SessionWindow>;
  /** Undefined for a model that runs elsewhere. */
  fit(details: ModelDescription, fileBytes: number, window: number): MemoryFit | undefined;
}

export function modelServer(loaded: LoadedConfig): ModelServer {
  const { config, origins, folders } = loaded;
  const { client, isLoopback } = configuredServer(loaded);
  const { baseUrl } = client;
  const memoryBytes = totalmem();
  return {
    client,
    isLoopback,
    origin: origins["ollama.host"],
    memoryBytes,
    requested: config.model,

    async loadedModels(signal) {
      try {
        return await client.loadedModels(signal);
      } catch {
        signal.throwIfAborted();
        return [];
      }
    },

    async choose(signal) {
      const { model: requested, protocol } = config;
      const lastUsed = requested === undefined ? await lastModel(folders.state, baseUrl) : undefined;
      return chooseModel(client, { requested, lastUsed, memoryBytes, protocol }, signal);
    },

    async window(name, details) {
      const configured = config.ollama.numCtx;
      const remembered = await rememberedWindow(folders.state, baseUrl, name);
      const wish = { configured, remembered, memoryBytes };
      const tokens = contextWindow(wish, details);
      const wanted = contextWindow(wish, { trainedContext: undefined });
      const decided =
        configured !== undefined ? "configured" : remembered !== undefined ? "remembered" : "memory";
      return {
        tokens,
        because: tokens < wanted ? "training" : decided,
        origin: configured === undefined ? undefined : origins["ollama.numCtx"],
      };
    },

    fit: ({ cloud, kvBytesPerToken }, fileBytes, window) =>
      cloud || !isLoopback || fileBytes === 0
        ? undefined
        : memoryFit({ fileBytes, window, kvBytesPerToken, memoryBytes }),
  };
}
