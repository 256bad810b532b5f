import type { AgentEvent, SessionStart } from "../../agent/agent-events.js";
import { jsonLine } from "./json-line.js";
import type { OutputStream } from "./terminal.js";

/** Prints one object when the turn has ended: the fields of `session` and of `turn-end` together. */
export function createJsonRenderer(stdout: OutputStream): (event: AgentEvent) => void {
  let session: SessionStart | undefined;
  return (event) => {
    if (event.type === "session") session = event;
    if (event.type === "turn-end") stdout.write(jsonLine({ ...session, ...event }));
  };
}
