import { diffArrays } from "diff";

/** A decoded text file; `encodeText` turns changed text back into the same kind of file. */
export interface TextContent {
  kind: "text";
  /** Without BOM; CRLF is shown as "\n", a lone CR stays what it is. */
  text: string;
  encoding: "utf-8" | "utf-16le" | "utf-16be";
  bom: boolean;
  /** The text with the line endings of the file. */
  original: string;
}

export type Decoded = TextContent | { kind: "binary" } | { kind: "unknown-encoding" };

const BOM = "\uFEFF";

/** The encoding that a byte order mark names; UTF-8 without one. */
export function encodingOf(bytes: Buffer): { encoding: TextContent["encoding"]; bom: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", bom: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", bom: true };
  return { encoding: "utf-8", bom: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf };
}

/** Decodes a whole file. UTF-16 is recognised by its BOM only; any other text with a NUL is binary. */
export function decodeText(bytes: Buffer): Decoded {
  const { encoding, bom } = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.includes(0)) return { kind: "binary" };
  let decoded: string;
  try {
    decoded = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { kind: "unknown-encoding" };
  }
  const original = bom ? decoded.slice(1) : decoded;
  return { kind: "text", text: toLf(original), encoding, bom, original };
}

/**
 * The bytes of `text`: as it is, in UTF-8, for a new file; otherwise with the encoding, BOM and line endings of
 * `like`. Throws if the text has half of a surrogate pair, which no encoding can hold.
 */
export function encodeText(text: string, like?: TextContent): Buffer {
  if (/\p{Surrogate}/u.test(text))
    throw new Error("the text has half of a surrogate pair (a broken \\u escape)");
  if (like === undefined) return Buffer.from(text, "utf8");
  const body = restoreEndings(toLf(text.startsWith(BOM) ? text.slice(1) : text), like.original);
  const whole = like.bom ? BOM + body : body;
  if (like.encoding === "utf-8") return Buffer.from(whole, "utf8");
  const bytes = Buffer.from(whole, "utf16le");
  return like.encoding === "utf-16be" ? bytes.swap16() : bytes;
}

export function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Gives the lines of `text` the endings of `original`: unchanged lines their own, new lines the commonest. */
function restoreEndings(text: string, original: string): string {
  const crlf = original.split("\r\n").length - 1;
  const lf = original.split("\n").length - 1 - crlf;
  if (crlf === 0) return text;
  if (lf === 0) return text.replaceAll("\n", "\r\n");

  const dominant = crlf > lf ? "\r\n" : "\n";
  const before = original.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const endings = original.split("\n").map((line) => (line.endsWith("\r") ? "\r\n" : "\n"));
  const after = text.split("\n");
  // The last piece has no ending of its own; whatever follows it in the new text is new.
  endings[endings.length - 1] = dominant;

  const changes = diffArrays(before, after, { maxEditLength: MAX_EDIT_LENGTH });
  if (changes === undefined) return after.join(dominant);
  const result: string[] = [];
  let at = 0;
  for (const change of changes) {
    if (change.removed) at += change.count;
    else if (change.added) result.push(...change.value.map((line) => line + dominant));
    else result.push(...change.value.map((line) => line + (endings[at++] ?? dominant)));
  }
  const last = after.at(-1) ?? "";
  return result.slice(0, -1).join("") + last;
}

/** Above this many changed lines of a file with mixed endings, all get the commonest one. */
const MAX_EDIT_LENGTH = 5_000;
