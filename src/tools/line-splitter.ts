/** A longer line is no text that anyone reads. */
const MAX_LINE_BYTES = 80 * 1024 * 1024;

/**
 * A sink for chunks that hands on whole lines without their line feed; a line of absurd length arrives empty. False
 * once `onLine` wants no more.
 */
export function createLineSplitter(onLine: (line: Buffer) => boolean): (chunk: Buffer) => boolean {
  const newline = 0x0a;
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let at = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, at)) {
      parts.push(chunk.subarray(at, end));
      const line = Buffer.concat(size > MAX_LINE_BYTES ? [] : parts);
      [parts, size, at] = [[], 0, end + 1];
      if (!onLine(line)) return false;
    }
    size += chunk.length - at;
    if (size <= MAX_LINE_BYTES) parts.push(chunk.subarray(at));
    else parts = [];
    return true;
  };
}
