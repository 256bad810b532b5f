import type { AgentEvent } from "../../agent/agent-events.js";
import { jsonLine } from "./json-line.js";
import type { OutputStream } from "./terminal.js";

/** Prints every event as one line of JSON. */
export function createStreamJsonRenderer(stdout: OutputStream): (event: AgentEvent) => void {
  return (event) => {
    stdout.write(jsonLine(event));
  };
}
