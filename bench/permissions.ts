import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { environmentForCommands } from "../src/permissions/command-environment.js";
import { createPolicy } from "../src/permissions/policy.js";
import { findShell } from "../src/processes/shell.js";
import { createSandbox } from "../src/sandbox/sandbox.js";
import type { Figure } from "./bench.js";
import { inTurn } from "./measure.js";

const COMMANDS = [
  "ls -la src",
  "cat README.md | head -20",
  "grep -rn 'TODO' src && wc -l src/index.ts",
  "npm test -- --grep login",
  "for f in *.ts; do echo $f; done",
  "rm -rf build; git push --force",
];
const ROUNDS = 50;
const SANDBOX_RUNS = 20;

/** What judging a command costs, and what the sandbox adds to running one. */
export async function permissionFigures(): Promise<Figure[]> {
  const workspaceRoot = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-bench-workspace-")));
  try {
    return [...(await policyFigures(workspaceRoot)), ...(await sandboxFigures(workspaceRoot))];
  } finally {
    rmSync(workspaceRoot, { recursive: true, force: true });
  }
}

async function policyFigures(workspaceRoot: string): Promise<Figure[]> {
  const policy = createPolicy({
    workspaceRoot,
    homeDir: homedir(),
    mode: "default",
    allowed: [{ text: "npm test", origin: "bench" }],
    denied: [],
    readOnlyDefaultsActive: true,
    pathVariable: process.env["PATH"] ?? "",
    shellFound: true,
    platform: process.platform,
  });
  const judgeAll = async () => {
    for (const command of COMMANDS) await policy.judge({ kind: "run", command });
  };
  await judgeAll();
  const begin = performance.now();
  for (let round = 0; round < ROUNDS; round++) await judgeAll();
  const perCommand = (performance.now() - begin) / (ROUNDS * COMMANDS.length);
  return [{ name: "judging a command", value: Math.round(perCommand * 1000), unit: "µs" }];
}

async function sandboxFigures(workspaceRoot: string): Promise<Figure[]> {
  const env = environmentForCommands(process.env);
  const sandbox = await createSandbox({
    setting: "auto",
    workspaceRoot,
    homeDir: realpathSync(homedir()),
    platform: process.platform,
    env,
    temporaryFolder: tmpdir(),
  });
  if (!sandbox.state.active) return [];
  const plain = [...findShell(process.env["PATH"] ?? "").argv, ":"];
  const run = ([file = "", ...args]: readonly string[]) => {
    const begin = performance.now();
    spawnSync(file, args, { cwd: workspaceRoot, env });
    return Promise.resolve(performance.now() - begin);
  };
  const request = { cwd: workspaceRoot, network: false };
  const { a, b } = await inTurn(
    SANDBOX_RUNS,
    () => run(sandbox.wrap(plain, request)),
    () => run(plain),
  );
  return [{ name: `sandbox overhead per command (${sandbox.state.code})`, value: a - b, unit: "ms" }];
}
