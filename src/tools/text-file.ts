import { createHash } from "node:crypto";
import { detectLegacy, detectUtf16 } from "./detect-encoding.js";
import type { Replacement } from "./edit-match.js";
import { encodeLegacy } from "./legacy-encoding.js";
import type { LegacyEncoding } from "./legacy-encoding.js";
import { linesToLf, replaceInOriginal, restoreEndings, toLf } from "./line-endings.js";

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding;

/** A decoded text file; `encodeText` and `encodeEdited` turn changed text back into the same kind of file. */
export interface TextContent {
  kind: "text";
  /** Without BOM; CRLF is shown as "\n"; a lone CR stays what it is unless it ends every line. */
  text: string;
  encoding: Encoding;
  bom: boolean;
  /** The text with the line endings of the file. */
  original: string;
}

export type Decoded = TextContent | { kind: "binary" } | { kind: "unknown-encoding" };

const BOM = "\uFEFF";

/** UTF-16 by its byte order mark or, without one, by its look; anything else counts as UTF-8 at first. */
export function unicodeEncoding(bytes: Buffer): {
  encoding: "utf-8" | "utf-16le" | "utf-16be";
  bom: boolean;
} {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", bom: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", bom: true };
  const utf16 = bytes.includes(0) ? detectUtf16(bytes) : undefined;
  if (utf16 !== undefined) return { encoding: utf16, bom: false };
  return { encoding: "utf-8", bom: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf };
}

/** Decodes a whole file. What is valid UTF-8 is UTF-8; any other encoding is recognised with care or not at all. */
export function decodeText(bytes: Buffer): Decoded {
  const { encoding, bom } = unicodeEncoding(bytes);
  if (encoding === "utf-8" && bytes.includes(0)) return { kind: "binary" };
  try {
    const decoded = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    const original = bom ? decoded.slice(1) : decoded;
    return { kind: "text", text: linesToLf(original), encoding, bom, original };
  } catch {
    const legacy = encoding === "utf-8" && !bom ? detectLegacy(bytes) : undefined;
    if (legacy === undefined) return { kind: "unknown-encoding" };
    return {
      kind: "text",
      text: linesToLf(legacy.text),
      encoding: legacy.encoding,
      bom: false,
      original: legacy.text,
    };
  }
}

/**
 * The bytes of `text`: as it is, in UTF-8, for a new file; otherwise with the encoding, BOM and line endings of
 * `like`. Throws an error in words if the encoding has no such character.
 */
export function encodeText(text: string, like?: TextContent): Buffer {
  refuseHalfPairs(text);
  if (like === undefined) return Buffer.from(text, "utf8");
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  return encodeLike(restoreEndings(toLf(body), like.original), like);
}

/** The bytes of a file after replacements in its `text`; outside them no byte changes. Throws as `encodeText` does. */
export function encodeEdited(content: TextContent, replacements: readonly Replacement[]): Buffer {
  for (const { text } of replacements) refuseHalfPairs(text);
  return encodeLike(replaceInOriginal(content.original, replacements), content);
}

function refuseHalfPairs(text: string): void {
  if (/\p{Surrogate}/u.test(text)) {
    throw new Error("the text has half of a surrogate pair (a broken \\u escape)");
  }
}

function encodeLike(body: string, { encoding, bom }: TextContent): Buffer {
  const whole = bom ? BOM + body : body;
  switch (encoding) {
    case "utf-8":
      return Buffer.from(whole, "utf8");
    case "utf-16le":
      return Buffer.from(whole, "utf16le");
    case "utf-16be":
      return Buffer.from(whole, "utf16le").swap16();
    case "gbk":
    case "gb18030":
    case "shift_jis":
    case "windows-1252":
      return encodeLegacy(whole, encoding);
  }
}

/** Whether the text would be written as the same bytes; some encodings have several sequences for one character. */
export function comesBack(content: TextContent, bytes: Buffer): boolean {
  try {
    return encodeLike(content.original, content).equals(bytes);
  } catch {
    // A character that can be read but not written.
    return false;
  }
}

/** Tells whether a file has changed. */
export function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
