import { join } from "node:path";
import { z } from "zod";
import type { ConfigRule } from "./overrides.js";
import { readStateFile, stateNotWritable, writeStateFile } from "./state-file.js";

const schema = z.object({
  /** Rules by the real path of their workspace. */
  workspaces: z.record(z.string(), z.array(z.string())),
});

/** The rules that the user kept with "always in this project": in the user's state, never in the repository. */
export async function readKeptRules(stateFolder: string, workspaceRoot: string): Promise<ConfigRule[]> {
  const path = recordPath(stateFolder);
  const record = await readStateFile(path, schema);
  if (record.kind !== "value") return [];
  const rules = record.value.workspaces[workspaceRoot] ?? [];
  return rules.map((text) => ({ text, origin: { layer: "user", source: path } }));
}

/** Throws UserError if they cannot be kept; a damaged file is not overwritten. */
export async function keepRules(
  stateFolder: string,
  workspaceRoot: string,
  rules: readonly string[],
): Promise<void> {
  const path = recordPath(stateFolder);
  const record = await readStateFile(path, schema);
  if (record.kind === "damaged") throw stateNotWritable(path, "its content is damaged; move it away first");
  const workspaces = record.kind === "value" ? record.value.workspaces : {};
  const kept = new Set([...(workspaces[workspaceRoot] ?? []), ...rules]);
  await writeStateFile(path, { workspaces: { ...workspaces, [workspaceRoot]: [...kept] } });
}

/** Whether the rule was kept until now. Throws UserError if the state cannot be written. */
export async function removeKeptRule(
  stateFolder: string,
  workspaceRoot: string,
  rule: string,
): Promise<boolean> {
  const path = recordPath(stateFolder);
  const record = await readStateFile(path, schema);
  const workspaces = record.kind === "value" ? record.value.workspaces : {};
  const rules = workspaces[workspaceRoot] ?? [];
  if (!rules.includes(rule)) return false;
  const others = rules.filter((other) => other !== rule);
  await writeStateFile(path, { workspaces: { ...workspaces, [workspaceRoot]: others } });
  return true;
}

function recordPath(stateFolder: string): string {
  return join(stateFolder, "kept-rules.json");
}
