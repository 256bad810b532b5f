import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figure } from "./bench.js";

/** Memory that a long conversation holds, measured in a process of its own with an exposed garbage collector. */
export async function memoryFigures(): Promise<Figure[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    "--import",
    "tsx",
    join(import.meta.dirname, "hold-conversation.ts"),
  ]);
  return [
    { name: "memory held by 200 rounds of 20 KB results", value: Number(stdout), unit: "MB", budget: 10 },
  ];
}
