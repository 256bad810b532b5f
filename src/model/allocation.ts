import { join } from "node:path";
import { z } from "zod";
import { readStateFile, writeStateFile } from "../config/state-file.js";
import { fullName, sameModel } from "./choose-model.js";
import type { LoadedModel } from "./ollama-client.js";

/** Tokens; a smaller window is of no use to an agent. */
const SMALLEST_WINDOW = 4_096;

/** What the server really gave a model, against what was asked for. */
export interface Allocation {
  /** Tokens; undefined if the server does not say. */
  window: number | undefined;
  /** Share of the model that lies outside the GPU's memory, 0 to 1; 0 also where there is no GPU. */
  spilled: number;
  /** A window to try next time, if a part was spilled. */
  smallerWindow: number | undefined;
}

export function allocationOf(
  model: string,
  loaded: readonly LoadedModel[],
  numCtx: number,
): Allocation | undefined {
  const found = loaded.find(({ name }) => sameModel(name, model));
  if (!found) return undefined;
  const { size, sizeVram, contextLength } = found;
  const spilled = sizeVram > 0 && size > sizeVram ? (size - sizeVram) / size : 0;
  return {
    window: contextLength,
    spilled,
    smallerWindow: spilled > 0 ? halfWindow(numCtx) : undefined,
  };
}

/** Tokens of the window to try next; undefined if it would be of no use. */
export function halfWindow(numCtx: number): number | undefined {
  const half = Math.floor(numCtx / 2);
  return half >= SMALLEST_WINDOW ? half : undefined;
}

const schema = z.object({
  /** Tokens by server and model. */
  windows: z.record(z.string(), z.number()),
});

/** The window that was found to fit on this server; undefined if none had to be smaller than the default. */
export async function rememberedWindow(
  stateFolder: string,
  baseUrl: string,
  model: string,
): Promise<number | undefined> {
  const record = await readStateFile(recordPath(stateFolder), schema);
  return record.kind === "value" ? record.value.windows[keyOf(baseUrl, model)] : undefined;
}

/** Throws UserError if the state cannot be written. */
export async function rememberWindow(
  stateFolder: string,
  baseUrl: string,
  model: string,
  window: number,
): Promise<void> {
  const path = recordPath(stateFolder);
  const record = await readStateFile(path, schema);
  const windows = record.kind === "value" ? record.value.windows : {};
  await writeStateFile(path, { windows: { ...windows, [keyOf(baseUrl, model)]: window } });
}

function keyOf(baseUrl: string, model: string): string {
  return `${fullName(model)} at ${baseUrl}`;
}

function recordPath(stateFolder: string): string {
  return join(stateFolder, "windows.json");
}
