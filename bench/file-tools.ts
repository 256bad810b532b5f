import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { createProcessRegistry } from "../src/processes/process-registry.js";
import { createBuiltinTools } from "../src/tools/builtin-tools.js";
import { createFileMemory } from "../src/tools/file-memory.js";
import type { ToolResult } from "../src/tools/tool.js";
import type { Figure } from "./bench.js";
import { inTurn } from "./measure.js";

const FOLDERS = 200;
const FILES_PER_FOLDER = 100;
const RUNS = 5;

/** What the file tools cost beside the least that the same work can cost. */
export async function fileToolFigures(): Promise<Figure[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-bench-files-")));
  try {
    return [
      ...(await editFigures(join(root, "edit"))),
      ...readFigures(join(root, "read")),
      ...(await treeFigures(join(root, "tree"))),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** One edit of a file of 5 MB, against reading and writing its bytes. */
async function editFigures(root: string): Promise<Figure[]> {
  mkdirSync(root);
  const path = join(root, "big.ts");
  const lines = Array.from(
    { length: 100_000 },
    (_, index) => `  const value${index} = compute(${index}, "some text");\n`,
  );
  writeFileSync(path, lines.join(""));
  const edit = async (oldText: string, newText: string): Promise<number> => {
    const begin = performance.now();
    const { status, output } = await runTool(root, "edit_file", {
      path: "big.ts",
      old_text: oldText,
      new_text: newText,
    });
    if (status !== "ok") throw new Error(output);
    return performance.now() - begin;
  };
  const exact = ["const value5000 = compute(5000,", "const value5000 = COMPUTE(5000,"] as const;
  let flip = 0;
  const next = (): readonly [string, string] => (flip++ % 2 === 0 ? exact : [exact[1], exact[0]]);
  const copy = (): Promise<number> => {
    const begin = performance.now();
    writeFileSync(`${path}.copy`, readFileSync(path));
    return Promise.resolve(performance.now() - begin);
  };
  const { a, b } = await inTurn(RUNS, () => edit(...next()), copy);
  const loose = await edit(
    'const   value7000 = compute(7000, "some text");\nconst value7001   = compute(7001, "some text");',
    'const value7000 = 1;\nconst value7001 = compute(7001, "some text");',
  );
  return [
    { name: "edit of a 5 MB file, exact", value: a, unit: "ms", budget: 500 },
    { name: "edit of a 5 MB file, against copying it", value: a / b, unit: "×" },
    { name: "edit of a 5 MB file, blanks differ", value: loose, unit: "ms", budget: 2_000 },
  ];
}

/** Memory that reading the last lines of 1 GB takes, in a process of its own. */
function readFigures(root: string): Figure[] {
  mkdirSync(root);
  const file = openSync(join(root, "big.log"), "w");
  const block = Buffer.from("2026-01-01 12:00:00 a line of a log, as long as they are\n".repeat(18_000));
  const blocks = Math.floor(1024 ** 3 / block.length);
  for (let count = 0; count < blocks; count++) writeSync(file, block);
  ftruncateSync(file, blocks * block.length);
  closeSync(file);
  const lines = blocks * 18_000;
  const script = `
    import { runTool } from ${JSON.stringify(import.meta.filename)};
    const before = process.resourceUsage().maxRSS;
    const { output } = await runTool(${JSON.stringify(root)}, "read_file", { path: "big.log", start_line: ${lines - 5} });
    if (!output.includes("of ${lines}")) throw new Error(output);
    console.log((process.resourceUsage().maxRSS - before) / 1024);`;
  const begin = performance.now();
  const args = ["--import", "tsx", "--input-type=module", "-e", script];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, ".."),
    encoding: "utf8",
  });
  const seconds = (performance.now() - begin) / 1000;
  return [
    { name: "memory to read the end of a 1 GB file", value: Number(stdout.trim()), unit: "MB", budget: 30 },
    { name: "time to read the end of a 1 GB file", value: seconds, unit: "s" },
  ];
}

/** Search and listing over 20,000 files, against ripgrep alone. */
async function treeFigures(root: string): Promise<Figure[]> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(root, `folder${folder}`), { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      const needle = file === 0 && folder % 20 === 0 ? "the needle is here\n" : "";
      const text = `export const value = ${file};\n`.repeat(30) + needle;
      writeFileSync(join(root, `folder${folder}`, `file${file}.ts`), text);
    }
  }
  execFileSync("git", ["init", "-q"], { cwd: root });
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begin = performance.now();
    await work();
    return performance.now() - begin;
  };
  const ripgrep =
    (...args: string[]) =>
    () =>
      timed(() => Promise.resolve(spawnSync(rgPath, ["--hidden", ...args], { cwd: root, maxBuffer: 1e9 })));
  const tool = (name: string, args: Record<string, unknown>, findRipgrep?: string) => () =>
    timed(() => runTool(root, name, args, findRipgrep));

  const search = await inTurn(
    RUNS,
    tool("search_code", { pattern: "needle" }, rgPath),
    ripgrep("needle", "."),
  );
  const own = await inTurn(2, tool("search_code", { pattern: "needle" }), ripgrep("needle", "."));
  const list = await inTurn(RUNS, tool("list_files", { path: "." }, rgPath), ripgrep("--files", "."));
  return [
    { name: "search over 20,000 files, against ripgrep alone", value: search.ratio, unit: "×", budget: 2 },
    { name: "search without ripgrep, against ripgrep", value: own.ratio, unit: "×" },
    { name: "listing 20,000 files, against ripgrep alone", value: list.ratio, unit: "×", budget: 6 },
  ];
}

/** Runs a built-in tool on a path of the folder as the gate would. `ripgrep` undefined: the own search. */
export async function runTool(
  root: string,
  name: string,
  args: Record<string, unknown>,
  ripgrep?: string,
): Promise<ToolResult> {
  const processes = createProcessRegistry();
  const env = {
    PATH: ripgrep === undefined && name === "search_code" ? "/nonexistent" : process.env["PATH"],
  };
  const tools = createBuiltinTools({
    memory: createFileMemory(),
    commands: {
      processes,
      shell: () => Promise.resolve({ argv: [], env }),
      timeoutSeconds: 1,
      maxTimeoutSeconds: 1,
    },
    findRipgrep: () => Promise.resolve(ripgrep),
    env,
  });
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const result = await tool.run(tool.schema.parse(args), {
    workspaceRoot: root,
    signal: new AbortController().signal,
    maxOutputChars: 14_000,
    saw: () => undefined,
    readsOnly: false,
    network: false,
    onOutput: () => undefined,
    path: (written) => ({
      written,
      real: join(root, written),
      display: written,
      inside: true,
      kind: written === "." ? "directory" : "file",
    }),
  });
  await processes.dispose();
  return result;
}
