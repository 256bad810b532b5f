import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figure } from "./bench.js";

interface Packed {
  size: number;
  unpackedSize: number;
}

/** What a user installs, without the ripgrep binary, which comes as an optional package of its own. */
export async function packageFigures(): Promise<Figure[]> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: join(import.meta.dirname, ".."),
  });
  const parsed = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  const packed = Object.values(parsed)[0];
  if (!packed) throw new Error("npm pack told nothing");
  return [
    { name: "installed package", value: packed.unpackedSize / 1024 / 1024, unit: "MB", budget: 12 },
    { name: "download", value: packed.size / 1024 / 1024, unit: "MB" },
  ];
}
