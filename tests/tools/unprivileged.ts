import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { ToolResult } from "../../src/tools/tool.js";

/** Takes from root what makes it pass by permissions; a folder of its own stays its own. */
const DROP = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] as const;

const isRoot = process.getuid?.() === 0;

/** Whether permissions of files can be made to hold here. */
export const permissionsHold =
  process.platform !== "win32" && (!isRoot || spawnSync(DROP[0], [...DROP.slice(1), "true"]).status === 0);

/** The argv of a process for which permissions hold. */
export function unprivileged(argv: readonly string[]): readonly string[] {
  return isRoot ? [...DROP, ...argv] : argv;
}

export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
}

/** Runs the calls one after another in a process for which permissions hold, also where the tests run as root. */
export function runUnprivileged(root: string, calls: readonly ToolCall[], ripgrep?: string): ToolResult[] {
  const source = (path: string): string => JSON.stringify(join(import.meta.dirname, "../../src", path));
  const script = `
    import { createBuiltinTools } from ${source("tools/builtin-tools.ts")};
    import { createFileMemory } from ${source("tools/file-memory.ts")};
    import { resolvePath } from ${source("permissions/workspace-paths.ts")};
    const [root, calls, ripgrep] = JSON.parse(process.argv[1]);
    const env = { PATH: process.env.PATH, HOME: root };
    const tools = createBuiltinTools({ commands: { processes: {} }, findRipgrep: async () => ripgrep ?? undefined, env, memory: createFileMemory() });
    const results = [];
    for (const { tool: name, args } of calls) {
      const tool = tools.find((one) => one.name === name);
      const paths = new Map();
      for (const { path } of tool.touches(args)) paths.set(path, await resolvePath(root, path));
      const context = { workspaceRoot: root, signal: new AbortController().signal, maxOutputChars: 14000, path: (path) => paths.get(path) };
      results.push(await tool.run(tool.schema.parse(args), context));
    }
    console.log(JSON.stringify(results));`;
  const node = [
    process.execPath,
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    script,
    JSON.stringify([root, calls, ripgrep]),
  ];
  const [program = "", ...args] = unprivileged(node);
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as ToolResult[];
}
