import { spawn } from "node:child_process";

export interface HelperRequest {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  timeoutMs: number;
  /** Gets the standard output as it comes; `false` ends the program. */
  onStdout: (chunk: Buffer) => boolean;
}

export interface HelperEnd {
  /** Null if it was ended: by us (see `stopped`), by the time limit, or by a signal from elsewhere. */
  code: number | null;
  /** `onStdout` had enough. */
  stopped: boolean;
  timedOut: boolean;
  /** At most the first 8 KB. */
  stderr: string;
}

const MAX_STDERR = 8_192;

/**
 * Runs a program of our own choice (git, ripgrep), which starts no children. Rejects if it cannot be started, with
 * `code` "ENOENT" if there is none, with what `onStdout` throws, and with the signal's reason on abort.
 */
export function runHelper(request: HelperRequest): Promise<HelperEnd> {
  const { argv, cwd, env, signal, timeoutMs, onStdout } = request;
  const [file, ...args] = argv;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let stderr = "";
    let stopped = false;
    let timedOut = false;
    const kill = (): void => {
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, timeoutMs);
    signal.addEventListener("abort", kill);
    child.stdout.on("data", (chunk: Buffer) => {
      if (stopped) return;
      try {
        if (onStdout(chunk)) return;
      } catch (error) {
        // Output that makes no sense is the program's fault, not a reason to fall over.
        reject(error instanceof Error ? error : new Error(String(error)));
      }
      stopped = true;
      kill();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < MAX_STDERR) stderr += chunk.toString("utf8").slice(0, MAX_STDERR - stderr.length);
    });
    const release = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", kill);
    };
    child.once("error", (error) => {
      release();
      reject(error);
    });
    child.once("close", (code) => {
      release();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ code, stopped, timedOut, stderr });
    });
  });
}
