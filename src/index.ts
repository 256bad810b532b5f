#!/usr/bin/env node
import { EXIT, UserError } from "./errors.js";
import { runProgram } from "./cli/program.js";

declare const __MINI_CC_VERSION__: string;

/** With one of these set, LangChain's libraries would send every prompt to a server on the internet. */
const TRACING_VARIABLES = [
  "LANGSMITH_TRACING",
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING",
  "LANGCHAIN_TRACING_V2",
];
for (const name of TRACING_VARIABLES) Reflect.deleteProperty(process.env, name);

let readerIsGone = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The terminal is gone; SIGHUP tells so too.
    if (error.code === "EIO") return;
    if (error.code !== "EPIPE") throw error;
    // A reader that went away, as in `mini-cc ask … | head`, is no error of ours. A turn is ended in order.
    if (readerIsGone) return;
    readerIsGone = true;
    if (process.listenerCount("SIGTERM") > 0) process.kill(process.pid, "SIGTERM");
    else process.exit(EXIT.done);
  });
}

const exitCode = await runProgram(process.argv.slice(2), __MINI_CC_VERSION__).catch(
  async (error: unknown) => {
    const { printable } = await import("./printable.js");
    const lines =
      error instanceof UserError
        ? [error.message, ...(error.hint === undefined ? [] : [error.hint])]
        : [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    process.stderr.write(printable(`mini-cc: ${lines.join("\n  ")}\n`));
    return error instanceof UserError ? error.exitCode : EXIT.failed;
  },
);

// An open pipe on standard input must not keep the process; what was written must be out before it ends.
process.stdout.write("", () => process.exit(readerIsGone ? EXIT.done : exitCode));
