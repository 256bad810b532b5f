import type { RequestForm } from "../model/call-protocol.js";
import type { SessionRecord } from "../sessions/records.js";
import type { Turn } from "./turn.js";

/** Records that the session's calls travel as text, so that it goes on so when it is resumed, and tells it. */
export function turnedToText(turn: Turn, form: RequestForm, because: string): void {
  for (const record of protocolRecords(form)) turn.record(record);
  const text = `${because}: from here on tool calls travel as text (see --protocol)`;
  warn(turn, "text-protocol", text);
}

/**
 * Changes how requests are written if that is what the server refused, and tells it. False if it was something else.
 * @param newImages media types of the images that the server has not answered to yet
 */
export function adaptForm(
  turn: Turn,
  form: RequestForm,
  error: unknown,
  newImages: readonly string[],
): boolean {
  switch (form.adapt(error, newImages)) {
    case "text":
      turnedToText(turn, form, "the server says that the model does not support tools");
      return true;
    case "no-think":
      warn(turn, "no-thinking", "the model does not support thinking: asking without it");
      return true;
    case "no-images":
      tellOfImages(turn, newImages);
      return true;
    case undefined:
      return false;
  }
}

/** Leaves images of these types out of all requests. False if they were left out before, or there are none. */
export function leaveOutImages(turn: Turn, form: RequestForm, mediaTypes: readonly string[]): boolean {
  if (!form.leaveOutImages(mediaTypes)) return false;
  tellOfImages(turn, mediaTypes);
  return true;
}

function tellOfImages(turn: Turn, mediaTypes: readonly string[]): void {
  const types = [...new Set(mediaTypes)].join(", ");
  warn(turn, "no-images", `the server cannot take the image (${types}): asking without images of this type`);
}

function warn(turn: Turn, code: string, text: string): void {
  turn.emit({ type: "notice", level: "warning", code, text });
}

/** What the records of a session say of its protocol; nothing while it is native. */
export function protocolRecords({ protocol, model }: RequestForm): SessionRecord[] {
  return protocol === "text" ? [{ type: "protocol", protocol, model }] : [];
}
