import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startScriptedOllama } from "../src/demo/scripted-ollama.js";
import type { FaultCase } from "../tests/cli/fault-table.js";
import { FAULTS } from "../tests/cli/fault-table.js";
import type { Figure } from "./bench.js";
import { CLI, runNode } from "./measure.js";

/** Requests that a fault of the model costs beyond those of the task, for each that ends well. */
export async function faultFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const fault of FAULTS.filter(({ exit }) => exit === 0)) {
    const requests = await requestsOf(fault);
    figures.push({
      name: `extra requests: ${shortened(fault.name)}`,
      value: requests - fault.usual,
      unit: "count",
      budget: fault.extra,
      exact: true,
    });
  }
  return figures;
}

async function requestsOf({
  prompt,
  args = [],
  model,
  files = {},
  replies,
  exit,
}: FaultCase): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "mini-cc-bench-fault-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const server = await startScriptedOllama({ models: [{ name: "scripted", ...model }], replies });
  try {
    const run = await runNode([CLI, "ask", prompt, "--quiet", "--host", server.url, ...args], {
      cwd: folder,
    });
    if (run.exitCode !== exit) throw new Error(`ask ended with ${String(run.exitCode)}`);
    return server.chatBodies().length;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The table of the bench has little room. */
function shortened(name: string): string {
  return name.length > 34 ? `${name.slice(0, 33)}…` : name;
}
