import { join } from "node:path";
import { z } from "zod";
import { readStateFile, writeStateFile } from "../config/state-file.js";

const schema = z.object({ /** Model by the server's address. */ models: z.record(z.string(), z.string()) });

/** The model that was used last on a server; undefined if none is known. */
export async function lastModel(stateFolder: string, baseUrl: string): Promise<string | undefined> {
  const record = await readStateFile(recordPath(stateFolder), schema);
  return record.kind === "value" ? record.value.models[baseUrl] : undefined;
}

/** Throws UserError if the state cannot be written. */
export async function rememberModel(stateFolder: string, baseUrl: string, name: string): Promise<void> {
  const path = recordPath(stateFolder);
  const record = await readStateFile(path, schema);
  const models = record.kind === "value" ? record.value.models : {};
  if (models[baseUrl] !== name) await writeStateFile(path, { models: { ...models, [baseUrl]: name } });
}

function recordPath(stateFolder: string): string {
  return join(stateFolder, "last-model.json");
}
