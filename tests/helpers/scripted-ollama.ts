import { onTestFinished } from "vitest";
import { startScriptedOllama } from "../../src/demo/scripted-ollama.js";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../src/demo/scripted-ollama.js";

/** A scripted server that goes away with the test. */
export async function scriptedOllama(options: ScriptedOllamaOptions = {}): Promise<ScriptedOllama> {
  const server = await startScriptedOllama(options);
  onTestFinished(() => server.close());
  return server;
}
