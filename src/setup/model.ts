import type { LoadedConfig } from "../config/load-config.js";
import type { Connection } from "./connection.js";
import type { ContextBudget } from "../context/context-budget.js";
import { createContextBudget } from "../context/context-budget.js";
import { messageOf } from "../errors.js";
import { allocationOf, halfWindow, rememberedWindow, rememberWindow } from "../model/allocation.js";
import type { ChatModelSettings, Think } from "../model/chat-model.js";
import type { CallProtocol } from "../model/call-protocol.js";
import { createRequestForm } from "../model/call-protocol.js";
import type { ChosenModel } from "../model/choose-model.js";
import { contextWindow } from "../model/model-settings.js";
import { profileOf, temperature, thinkField } from "../model/profiles.js";
import type { SessionRecord } from "../sessions/records.js";

/** A warning for the user about the model. */
interface ModelWarning {
  code: string;
  text: string;
}

/** All that is decided once for a model in a session, and checked against what the server gave it. */
export interface ModelSetup {
  settings: ChatModelSettings;
  /** The `think` field for requests that need no thinking. */
  quiet: Think;
  /** The `think` field for a request to think something over. */
  thoughtful: Think;
  budget: ContextBudget;
  /** For the session's beginning. */
  warnings: readonly ModelWarning[];
  /** Whether the model is in memory; true also if the server does not say. */
  isLoaded(): Promise<boolean>;
  /** Compares, once, what the loaded model got with what was asked for. */
  checkAllocation(): Promise<ModelWarning[]>;
  /** The model did not fit into memory with this window: the next session takes a smaller one, once. */
  stepDown(): Promise<ModelWarning[]>;
}

export interface ModelSetupOptions {
  loaded: LoadedConfig;
  connection: Connection;
  chosen: ChosenModel;
  /** Bytes of the machine's memory. */
  memoryBytes: number;
  /** System text and tools as they are sent with a window of so many tokens. */
  fixed: (window: number, protocol: CallProtocol) => string;
  /** That the session goes on from. */
  records: readonly SessionRecord[];
}

export async function setUpModel(options: ModelSetupOptions): Promise<ModelSetup> {
  const { connection, chosen, memoryBytes, records } = options;
  const { config, folders } = options.loaded;
  const { name, details } = chosen;
  const { baseUrl } = connection.client;
  const configured = config.ollama.numCtx;
  const remembered = await rememberedWindow(folders.state, baseUrl, name);
  const numCtx = contextWindow({ configured, remembered, memoryBytes }, details);
  const profile = profileOf(name, details);
  const hasTurnedToText = records.some((record) => record.type === "protocol" && record.model === name);
  const form = createRequestForm(
    name,
    config.protocol,
    hasTurnedToText ? "text" : profile.protocol,
    details.capabilities?.includes("vision"),
  );
  const settings: ChatModelSettings = {
    model: name,
    form,
    numCtx,
    numPredict: config.ollama.numPredict,
    keepAlive: config.ollama.keepAlive,
    think: thinkField(config.ollama.think, profile),
    temperature: temperature(config.ollama.temperature, details, profile),
  };
  const budget = createContextBudget({
    window: numCtx,
    numPredict: settings.numPredict,
    fixed: options.fixed(numCtx, form.protocol),
  });
  let checked = false;

  function beginningWarnings(): ModelWarning[] {
    const warnings: ModelWarning[] = [];
    if (config.protocol === "auto" && form.protocol === "text") {
      const why =
        profile.protocol === "text" ? `${name} does not support tools` : "as before in this session";
      const text = `${why}: tool calls travel as text, which is less reliable`;
      warnings.push({ code: "text-protocol", text });
    }
    const { temperature: wanted } = config.ollama;
    if (wanted !== undefined && settings.temperature !== undefined && settings.temperature > wanted) {
      const text = `temperature ${wanted} makes ${name} repeat itself: ${settings.temperature} is used`;
      warnings.push({ code: "temperature-raised", text });
    }
    return warnings;
  }

  async function allocation() {
    return allocationOf(name, await connection.client.loadedModels(), numCtx);
  }

  return {
    settings,
    quiet: thinkField("off", profile),
    // A level that is in force stays: of gpt-oss it is a part of the prompt's beginning.
    thoughtful: settings.think === false ? thinkField("on", profile) : settings.think,
    warnings: beginningWarnings(),
    budget,

    async isLoaded() {
      try {
        return (await allocation()) !== undefined;
      } catch {
        // An old server without /api/ps: the progress line then does not tell loading from reading.
        return true;
      }
    },

    async checkAllocation() {
      if (checked) return [];
      checked = true;
      const warnings: ModelWarning[] = [];
      try {
        const found = await allocation();
        if (found?.window !== undefined && found.window < numCtx) {
          budget.shrink(found.window);
          warnings.push({
            code: "window-smaller",
            text: `the server gave ${name} a window of ${tokens(found.window)} tokens instead of ${tokens(numCtx)}`,
          });
        }
        if (found && found.spilled > 0) {
          const { spilled, smallerWindow } = found;
          const stepsDown =
            smallerWindow !== undefined && configured === undefined && remembered === undefined;
          if (stepsDown) await rememberWindow(folders.state, baseUrl, name, smallerWindow);
          warnings.push({ code: "gpu-spill", text: spillText(name, spilled, smallerWindow, stepsDown) });
        }
      } catch (error) {
        warnings.push({
          code: "allocation-unknown",
          text: `how the model was loaded could not be checked: ${messageOf(error)}`,
        });
      }
      return warnings;
    },

    async stepDown() {
      const smaller = halfWindow(numCtx);
      // A window that the user has chosen is the user's, and one step is enough to see whether it helps.
      if (smaller === undefined || configured !== undefined || remembered !== undefined) return [];
      await rememberWindow(folders.state, baseUrl, name, smaller);
      const text = `the next session takes a window of ${tokens(smaller)} tokens instead of ${tokens(numCtx)} (--num-ctx decides otherwise)`;
      return [{ code: "window-stepped-down", text }];
    },
  };
}

function spillText(name: string, spilled: number, smaller: number | undefined, stepsDown: boolean): string {
  const what = `${Math.round(spilled * 100)} % of ${name} does not fit into the GPU's memory and runs slowly on the CPU`;
  if (smaller === undefined) return `${what}: use a smaller model`;
  return stepsDown
    ? `${what}: the next session takes a window of ${tokens(smaller)} tokens (--num-ctx decides otherwise)`
    : `${what}: use a smaller window (--num-ctx ${smaller}) or a smaller model`;
}

function tokens(count: number): string {
  return count.toLocaleString("en-US");
}
