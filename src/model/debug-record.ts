import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../config/private-folder.js";
import type { OllamaClient } from "./ollama-client.js";

/** Where the requests of a session are recorded. @param stateFolder the user's state */
export function debugFileOf(stateFolder: string, sessionId: string): string {
  return join(stateFolder, "debug", `${sessionId}.jsonl`);
}

/**
 * The same client, with every chat request and the raw objects of its reply appended to a file as JSON lines. The
 * file holds everything that the model is sent, so only its owner may read it. Throws if it cannot be written.
 */
export function recordTraffic(client: OllamaClient, file: string): OllamaClient {
  makePrivateFolder(dirname(file));
  const write = (entry: object) => {
    appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`, { mode: 0o600 });
  };
  return {
    ...client,
    async *chat(body, signal) {
      write({ request: body });
      try {
        for await (const chunks of client.chat(body, signal)) {
          for (const reply of chunks) write({ reply });
          yield chunks;
        }
      } catch (error) {
        write({ failed: String(error) });
        throw error;
      }
    },
  };
}
