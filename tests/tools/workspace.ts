import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterEach } from "vitest";
import { createProcessRegistry } from "../../src/processes/process-registry.js";
import type { ProcessRegistry } from "../../src/processes/process-registry.js";
import { findShell, shellLine } from "../../src/processes/shell.js";
import type { ResolvedPath } from "../../src/permissions/access.js";
import { createBuiltinTools } from "../../src/tools/builtin-tools.js";
import { createFileMemory } from "../../src/tools/file-memory.js";
import type { ToolContext, ToolResult } from "../../src/tools/tool.js";

export interface Workspace {
  root: string;
  processes: ProcessRegistry;
  /** What commands printed, as it came. */
  live: string[];
  file(path: string, content: string | Buffer): string;
  bytes(path: string): Buffer;
  text(path: string): string;
  /** Runs a tool as the gate would after the policy let it pass. */
  run(tool: string, args: Record<string, unknown>, options?: RunOptions): Promise<ToolResult>;
  preview(tool: string, args: Record<string, unknown>): Promise<{ diff: string } | ToolResult>;
}

interface RunOptions {
  signal?: AbortSignal;
  maxOutputChars?: number;
}

export interface WorkspaceOptions {
  ripgrep?: string;
  env?: NodeJS.ProcessEnv;
  /** The same for a folder that is not known before. */
  environment?: (root: string) => NodeJS.ProcessEnv;
  under?: string;
}

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A temporary folder with all tools on it; gone after the test, with every process of it. */
export function createWorkspace(options: WorkspaceOptions = {}): Workspace {
  const root = realpathSync(mkdtempSync(join(options.under ?? tmpdir(), "workspace-")));
  const processes = createProcessRegistry();
  cleanups.push(async () => {
    await processes.dispose();
    rmSync(root, { recursive: true, force: true });
  });
  const env = options.env ?? options.environment?.(root) ?? { PATH: process.env["PATH"], HOME: root };
  const shell = findShell(process.env["PATH"] ?? "");
  const tools = createBuiltinTools({
    memory: createFileMemory(),
    commands: {
      processes,
      shell(command) {
        const line = shellLine(shell, command, { ownsProcesses: false });
        return Promise.resolve({ ...line, env: { ...env, ...line.env } });
      },
      timeoutSeconds: 120,
      maxTimeoutSeconds: 600,
    },
    findRipgrep: () => Promise.resolve(options.ripgrep),
    env,
  });
  const live: string[] = [];
  const contextOf = (run: RunOptions): ToolContext => ({
    workspaceRoot: root,
    signal: run.signal ?? new AbortController().signal,
    path: (written) => resolveInside(root, written),
    saw: () => undefined,
    readsOnly: false,
    network: false,
    maxOutputChars: run.maxOutputChars ?? 14_000,
    onOutput: (text) => live.push(text),
  });
  const find = (name: string) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool;
  };
  return {
    root,
    processes,
    live,
    file(path, content) {
      const whole = join(root, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, content);
      return whole;
    },
    bytes: (path) => readFileSync(join(root, path)),
    text: (path) => readFileSync(join(root, path), "utf8"),
    run(name, args, run = {}) {
      const tool = find(name);
      return tool.run(tool.schema.parse(args), contextOf(run));
    },
    async preview(name, args) {
      const tool = find(name);
      const shown = await tool.preview?.(tool.schema.parse(args), contextOf({}));
      if (shown === undefined) throw new Error(`${name} has no preview`);
      return shown;
    },
  };
}

/** Follows links as far as the path exists, as the policy does. */
function resolveInside(root: string, written: string): ResolvedPath {
  let existing = resolve(root, written);
  const rest: string[] = [];
  let kind: ResolvedPath["kind"] = "missing";
  for (;;) {
    try {
      if (rest.length === 0) kind = statSync(existing).isDirectory() ? "directory" : "file";
      existing = realpathSync(existing);
      break;
    } catch {
      rest.unshift(existing.slice(dirname(existing).length + 1));
      existing = dirname(existing);
    }
  }
  const real = join(existing, ...rest);
  const below = relative(root, real);
  const inside = !below.startsWith("..");
  return { written, real, display: inside ? below || "." : real, inside, kind };
}
