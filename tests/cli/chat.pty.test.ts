import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../src/cli/messages/en.js";
import { call, say, silence, think } from "../../src/demo/reply.js";
import type { MessageReply } from "../../src/demo/reply.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalOptions, TerminalRun } from "../helpers/terminal.js";

interface Session {
  server: ScriptedOllama;
  place: CliPlace;
  terminal: TerminalRun;
  /** Another process in the same place. */
  again(): Promise<TerminalRun>;
}

const AT_PROMPT = /(^|\n)›$/;
const AT_QUESTION = /\n {2}\[n\]$/;

/** A session on a terminal, at its first prompt. */
async function startSession(
  replies: ScriptedOllamaOptions["replies"] = [],
  options: TerminalOptions & { args?: readonly string[]; models?: string[] } = {},
): Promise<Session> {
  const models = options.models?.map((name) => ({ name }));
  const server = await scriptedOllama({ ...(replies && { replies }), ...(models && { models }) });
  const place = createPlace({ OLLAMA_HOST: server.url });
  const again = async () => {
    const terminal = runInTerminal(place, options.args ?? [], options);
    await terminal.waitFor(AT_PROMPT);
    return terminal;
  };
  return { server, place, terminal: await again(), again };
}

/** Sends a message and waits until its answer and the next prompt stand there. */
async function exchange(terminal: TerminalRun, message: string, answer: string): Promise<void> {
  terminal.type(`${message}\r`);
  await terminal.waitFor(new RegExp(`› ${RegExp.escape(message)}\\n[^]*${RegExp.escape(answer)}[^]*\n›$`));
}
