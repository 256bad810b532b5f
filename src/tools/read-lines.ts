import type { FileHandle } from "node:fs/promises";

export interface LineWindow {
  lines: string[];
  /** Lines of the whole file; a last line without a newline counts. */
  total: number;
  /** Some bytes of the window were not UTF-8 and are shown as U+FFFD. */
  lossy: boolean;
}

export interface LineLimits {
  /** Characters of one line; the rest is replaced by a marker. */
  lineChars: number;
  /** No line is added once the window has this many characters. */
  totalChars: number;
  /** What is beyond is left out: a file may grow as fast as it is read. */
  bytes: number;
}

export const CUT_MARK_END = " in all]";

/** Stands for the rest of a line that is too long to show. */
export function cutMark(length: number, unit: "bytes" | "characters"): string {
  return `[… line cut, ${length} ${unit}${CUT_MARK_END}`;
}

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Lines `first` to `last` (from 1) of an UTF-8 file and the number of its lines, in memory that depends on the
 * limits only. A BOM and the CR of a CRLF are left out. `onChunk` gets every byte of the file.
 */
export async function readLines(
  handle: FileHandle,
  first: number,
  last: number,
  limits: LineLimits,
  signal: AbortSignal,
  onChunk: (chunk: Buffer) => void,
): Promise<LineWindow> {
  const window: LineWindow = { lines: [], total: 0, lossy: false };
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const line = createLineCollector(limits.lineChars);
  let [position, chars] = [0, 0];
  let number = 1;
  let pending = false;

  const wanted = (): boolean => number >= first && number <= last && chars < limits.totalChars;
  function endLine(): void {
    if (wanted()) {
      const { text, lossy } = line.take();
      window.lines.push(number === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text);
      window.lossy ||= lossy;
      chars += text.length + 1;
    }
    number++;
    pending = false;
  }

  for (;;) {
    signal.throwIfAborted();
    const wantedBytes = Math.min(CHUNK_BYTES, limits.bytes - position);
    const { bytesRead } = await handle.read(chunk, 0, wantedBytes, position);
    position += bytesRead;
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    onChunk(bytes);
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, at)) {
      if (wanted()) line.add(bytes.subarray(at, end));
      endLine();
      at = end + 1;
    }
    if (at < bytesRead) {
      if (wanted()) line.add(bytes.subarray(at));
      pending = true;
    }
  }
  if (pending) endLine();
  window.total = number - 1;
  return window;
}

interface LineCollector {
  add(bytes: Buffer): void;
  /** The line so far; begins the next one. */
  take(): { text: string; lossy: boolean };
}

/** Collects the bytes of one line, but no more than can be shown. */
function createLineCollector(maxChars: number): LineCollector {
  let parts: Buffer[] = [];
  let kept = 0;
  let size = 0;
  // UTF-8 needs at most three bytes for each UTF-16 unit.
  const maxBytes = maxChars * 3;
  return {
    add(bytes) {
      size += bytes.length;
      if (kept >= maxBytes) return;
      const part = Buffer.from(bytes.subarray(0, maxBytes - kept));
      parts.push(part);
      kept += part.length;
    },
    take() {
      const { text, lossy } = decodeLine(Buffer.concat(parts), size > kept);
      const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
      const cut = size > kept || whole.length > maxChars;
      const marked = cut ? `${whole.slice(0, maxChars)}${cutMark(size, "bytes")}` : whole;
      [parts, kept, size] = [[], 0, 0];
      return { text: marked, lossy };
    },
  };
}

function decodeLine(bytes: Buffer, cut: boolean): { text: string; lossy: boolean } {
  try {
    // With `stream` a character that the cut went through is left out instead of being an error.
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(bytes, { stream: cut }), lossy: false };
  } catch {
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), lossy: true };
  }
}
