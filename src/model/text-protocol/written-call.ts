import { isLongText, isWholeLines, plainValue } from "../call-recovery/protocol-values.js";
import { showCallMarks } from "./call-marks.js";

/** A call as the model is told to write it, byte for byte the same every time. */
export function writtenCall({ name, args }: { name: string; args: Record<string, unknown> }): string {
  const lines = Object.entries(args).map(([key, value]) =>
    writtenArgument(key, showCallMarks(typeof value === "string" ? value : JSON.stringify(value))),
  );
  return [`<call tool="${name}">`, ...lines, "</call>"].join("\n");
}

/** One line where reading it gives the same value again, else a raw block. */
function writtenArgument(key: string, value: string): string {
  const isLine = !isLongText(key) || key === "command";
  if (isLine && value !== "" && !/[\r\n]/.test(value) && plainValue(value, key) === value) {
    return `${key}: ${value}`;
  }
  const isEnded = value === "" || (isWholeLines(key) && value.endsWith("\n"));
  const text = isEnded ? value : `${value}\n`;
  return `<${key}>\n${text}</${key}>`;
}
