import type { RequestForm } from "../model/call-protocol.js";
import type { SessionRecord } from "../sessions/records.js";
import type { Turn } from "./turn.js";

/** Records that the session's calls travel as text, so that it goes on so when it is resumed, and tells it. */
export function turnedToText(turn: Turn, form: RequestForm, because: string): void {
  for (const record of protocolRecords(form)) turn.record(record);
  const text = `${because}: from here on tool calls travel as text (see --protocol)`;
  turn.emit({ type: "notice", level: "warning", code: "text-protocol", text });
}

/** What the records of a session say of its protocol; nothing while it is native. */
export function protocolRecords({ protocol, model }: RequestForm): SessionRecord[] {
  return protocol === "text" ? [{ type: "protocol", protocol, model }] : [];
}
