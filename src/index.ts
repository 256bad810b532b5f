#!/usr/bin/env node
import type { Messages } from "./cli/messages/catalogue.js";
import { runProgram } from "./cli/program.js";

declare const __MINI_CC_VERSION__: string;

/** With one of these set, LangChain's libraries would send every prompt to a server on the internet. */
const TRACING_VARIABLES = [
  "LANGSMITH_TRACING",
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING",
  "LANGCHAIN_TRACING_V2",
];

void main();

async function main(): Promise<void> {
  for (const name of TRACING_VARIABLES) Reflect.deleteProperty(process.env, name);
  let readerIsGone = false;
  /** Into the language of the interface, once that is known. */
  let translate = (text: string) => text;

  function onOutputError(error: NodeJS.ErrnoException): void {
    // The terminal is gone; SIGHUP tells so too.
    if (error.code === "EIO") return;
    const isInTurn = process.listenerCount("SIGTERM") > 0;
    if (error.code !== "EPIPE") {
      // A full disk is no fault of ours: told without a stack.
      const message = `the output could not be written: ${error.message}`;
      if (isInTurn) throw Object.assign(error, { message, stack: undefined });
      process.stderr.write(`mini-cc: ${translate(message)}\n`);
      process.exit(1);
    }
    // A reader that went away, as in `mini-cc ask … | head`, is no error of ours. A turn is ended in order.
    if (readerIsGone) return;
    readerIsGone = true;
    if (isInTurn) process.kill(process.pid, "SIGTERM");
    else process.exit(0);
  }
  process.stdout.on("error", onOutputError);
  // Node opens standard error when it is first looked at, which help and version need not wait for.
  const beforeCommand = (messages: Messages) => {
    translate = messages.translate.text;
    process.stderr.on("error", onOutputError);
  };

  const args = process.argv.slice(2);
  const exitCode = await runProgram(args, __MINI_CC_VERSION__, beforeCommand);
  // An open pipe on standard input must not keep the process; what was written must be out before it ends.
  const exit = () => process.exit(readerIsGone ? 0 : exitCode);
  // What could not be written is told by the stream's error, which comes after this. A full disk refuses even nothing.
  if (process.stdout.writableLength === 0) setImmediate(exit);
  else process.stdout.write("", (error) => (error ? setImmediate(exit) : exit()));
}
