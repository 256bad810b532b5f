import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace, CliResult, Environment, RunOptions } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";

export interface AskPlace {
  server: ScriptedOllama;
  place: CliPlace;
  /** Runs `mini-cc ask` against the server to its end. */
  ask: (args: readonly string[], options?: RunOptions) => Promise<CliResult>;
}

/** A place whose environment points to a scripted server. */
export async function askPlace(script: ScriptedOllamaOptions, env: Environment = {}): Promise<AskPlace> {
  const server = await scriptedOllama(script);
  const place = createPlace({ OLLAMA_HOST: server.url, ...env });
  return { server, place, ask: (args, options) => place.run(["ask", ...args], options) };
}

/** The last user message that the server was sent. */
export function lastPrompt(server: ScriptedOllama): string | undefined {
  return server
    .chatBodies()
    .at(-1)
    ?.messages.findLast(({ role }) => role === "user")?.content;
}
