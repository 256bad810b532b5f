import { decodeLegacy } from "./legacy-encoding.js";
import type { LegacyEncoding } from "./legacy-encoding.js";

/**
 * Which encoding bytes are in that are neither UTF-8 nor UTF-16, with their text. Undefined unless the bytes look
 * like writing in it: a wrong guess would show the model nonsense. The shares below were set by hand and are strict.
 */
export function detectLegacy(bytes: Buffer): { encoding: LegacyEncoding; text: string } | undefined {
  if (hasControls(bytes) || isDamagedUtf8(bytes)) return undefined;
  const plausible: LegacyEncoding[] = [];
  const chinese = chineseEncoding(bytes);
  if (chinese !== undefined) plausible.push(chinese);
  if (looksJapanese(bytes)) plausible.push("shift_jis");
  if (looksWestern(bytes)) plausible.push("windows-1252");
  for (const encoding of plausible) {
    const text = decodeLegacy(bytes, encoding);
    if (text !== undefined) return { encoding, text };
  }
  return undefined;
}

/** UTF-16 without a byte order mark: told by the zero bytes of its ASCII characters, all on one side. */
export function detectUtf16(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (bytes.length < 8 || bytes.length % 2 !== 0) return undefined;
  let [even, odd] = [0, 0];
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const encoding = even === 0 ? "utf-16le" : "utf-16be";
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < bytes.length / 4) return undefined;
  try {
    // With `stream` a character that the end of a sample cuts is no error.
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes, { stream: true });
    return /[\x00-\x08\x0e-\x1f\p{Cn}\p{Co}]/u.test(text) ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function hasControls(bytes: Buffer): boolean {
  return bytes.some((byte) => byte < 0x20 && (byte < 0x09 || (byte > 0x0d && byte !== 0x1b)));
}

/** Mostly whole characters of UTF-8 with a few bytes between them that are not. */
function isDamagedUtf8(bytes: Buffer): boolean {
  let [high, inCharacters] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    const rest = bytes.subarray(at + 1, at + length);
    const whole = length > 1 && rest.length === length - 1 && rest.every((next) => (next & 0xc0) === 0x80);
    high += whole ? length : 1;
    if (!whole) continue;
    inCharacters += length;
    at += length - 1;
  }
  return inCharacters >= 0.7 * high;
}

/**
 * The double bytes of GB2312, most of them common characters or punctuation. Korean (EUC-KR) has the same form, but
 * its syllables end at lead 0xC8.
 */
function chineseEncoding(bytes: Buffer): "gbk" | "gb18030" | undefined {
  let [pairs, inGb2312, common, hanzi, late] = [0, 0, 0, 0, 0];
  let isGb18030 = false;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead <= 0x80) continue;
    const trail = bytes[++at] ?? 0;
    if (trail >= 0x30 && trail <= 0x39) {
      isGb18030 = true;
      at += 2;
      continue;
    }
    // The euro, which GBK writes as 0x80.
    if (lead === 0xa2 && trail === 0xe3) isGb18030 = true;
    pairs++;
    if (lead < 0xa1 || lead > 0xf7 || trail < 0xa1) continue;
    inGb2312++;
    if (lead >= 0xb0) hanzi++;
    if (lead >= 0xc9) late++;
    if (lead === 0xa1 || lead === 0xa3 || (lead >= 0xb0 && lead <= 0xd7)) common++;
  }
  const isChinese = inGb2312 >= 0.9 * pairs && common >= 0.7 * pairs && (hanzi < 10 || late > 0);
  if (pairs === 0 || !isChinese) return undefined;
  return isGb18030 ? "gb18030" : "gbk";
}

/** The double bytes of Shift-JIS, some of them kana, since only short labels do without. */
function looksJapanese(bytes: Buffer): boolean {
  let [characters, halfWidth, kana, usual] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    characters++;
    if (lead >= 0xa1 && lead <= 0xdf) {
      halfWidth++;
      continue;
    }
    const trail = bytes[++at] ?? 0;
    const isKana = (lead === 0x82 && trail >= 0x9f && trail <= 0xf1) || (lead === 0x83 && trail <= 0x96);
    if (isKana) kana++;
    if (isKana || lead === 0x81 || (lead >= 0x88 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xea)) usual++;
  }
  return (
    kana > 0 &&
    kana >= 0.1 * characters &&
    halfWidth <= 0.2 * characters &&
    usual + halfWidth >= 0.9 * characters
  );
}

/** Letters with accents stand singly, or two together in a word; words all in high bytes are of another script. */
function looksWestern(bytes: Buffer): boolean {
  const runs = bytes.toString("latin1").match(/[A-Za-z]?[\x80-\xff]+[A-Za-z]?/g) ?? [];
  let [high, western] = [0, 0];
  for (const run of runs) {
    const length = run.replace(/[A-Za-z]/g, "").length;
    high += length;
    if (length === 1 || (length === 2 && run.length > 2)) western += length;
  }
  return western >= 0.8 * high;
}
