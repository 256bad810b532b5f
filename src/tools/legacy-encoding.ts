/** Encodings older than Unicode in which source files are still met. */
export type LegacyEncoding = "gbk" | "gb18030" | "shift_jis" | "windows-1252";

/** The text of the bytes, or undefined if they are not in this encoding. */
export function decodeLegacy(bytes: Buffer, encoding: LegacyEncoding): string | undefined {
  try {
    if (encoding === "windows-1252") return decodeWindows1252(bytes);
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Bytes that mean nothing in this encoding, or an encoding that this Node does not know.
    return undefined;
  }
}

/** The bytes of the text. Throws an error that names the first character which the encoding does not have. */
export function encodeLegacy(text: string, encoding: LegacyEncoding): Buffer {
  if (/^[\x00-\x7f]*$/.test(text)) return Buffer.from(text, "latin1");
  const table = encodingTable(encoding);
  const bytes = Buffer.allocUnsafe(text.length * 4);
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    const known = table.get(character);
    const sequence = known ?? (encoding === "gb18030" && code > 0xffff ? beyondBmp(code) : undefined);
    if (sequence === undefined) {
      const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
      throw new Error(`${encoding}, the encoding of the file, has no "${character}" (${name})`);
    }
    for (const byte of sequence) bytes[length++] = byte;
  }
  return Buffer.from(bytes.subarray(0, length));
}

/** Bytes 0x80 to 0x9F of windows-1252; a space where there is no character. */
const WINDOWS_1252_HIGH = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\x9f]/g, (byte) => {
    const character = WINDOWS_1252_HIGH[byte.charCodeAt(0) - 0x80];
    if (character === undefined || character === " ") throw new Error("no character of windows-1252");
    return character;
  });
}

/** What each character beyond ASCII is written as: the platform's decoder, read backwards. */
function encodingTable(encoding: LegacyEncoding): Map<string, number[]> {
  switch (encoding) {
    case "windows-1252": {
      const upper = range(0xa0, 0xff).map((byte): [string, number[]] => [String.fromCharCode(byte), [byte]]);
      const high = Array.from(WINDOWS_1252_HIGH, (character, at): [string, number[]] => [
        character,
        [0x80 + at],
      ]);
      return new Map([...upper, ...high.filter(([character]) => character !== " ")]);
    }
    case "gbk":
      return invert(encoding, [[0x80], ...pairs(range(0x81, 0xfe))]);
    case "gb18030":
      return invert(encoding, [...pairs(range(0x81, 0xfe)), ...fourByteSequences()]);
    case "shift_jis": {
      const halfWidth = range(0xa1, 0xdf).map((byte) => [byte]);
      // Windows reads rows 0xED and 0xEE and writes the same characters as rows 0xFA to 0xFC.
      const leads = [...range(0x81, 0x9f), ...range(0xe0, 0xec), ...range(0xef, 0xfc)];
      return invert(encoding, [...halfWidth, ...pairs(leads)]);
    }
  }
}

/** Decodes all sequences at once, a line each; of several for one character the first counts. */
function invert(encoding: string, sequences: number[][]): Map<string, number[]> {
  const bytes = Uint8Array.from(sequences.flatMap((sequence) => [...sequence, 0x0a]));
  const characters = new TextDecoder(encoding).decode(bytes).split("\n");
  const table = new Map<string, number[]>();
  sequences.forEach((sequence, index) => {
    const character = characters[index] ?? "";
    const single =
      character.length === 1 || (character.length === 2 && character > "\ud800" && character < "\udc00");
    if (single && character !== "\uFFFD" && !table.has(character)) table.set(character, sequence);
  });
  return table;
}

function pairs(leads: readonly number[]): number[][] {
  const trails = range(0x40, 0xfe).filter((byte) => byte !== 0x7f);
  return leads.flatMap((lead) => trails.map((trail) => [lead, trail]));
}

/** The sequences of GB18030 for characters of the basic plane. */
function fourByteSequences(): number[][] {
  const digits = range(0x30, 0x39);
  const sequences: number[][] = [];
  for (const first of range(0x81, 0x84))
    for (const second of digits)
      for (const third of range(0x81, 0xfe))
        for (const fourth of digits) sequences.push([first, second, third, fourth]);
  return sequences;
}

/** GB18030 counts the characters beyond the basic plane from 0x90308130. */
function beyondBmp(code: number): number[] {
  const index = code - 0x10000;
  return [
    0x90 + Math.floor(index / 12_600),
    0x30 + (Math.floor(index / 1_260) % 10),
    0x81 + (Math.floor(index / 10) % 126),
    0x30 + (index % 10),
  ];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
