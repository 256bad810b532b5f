/** The kinds of images that models are shown. */
export interface ImageKind {
  name: "PNG" | "JPEG" | "GIF" | "WebP";
  mediaType: `image/${string}`;
}

export interface ImageSize {
  width: number;
  height: number;
}

/** By the first bytes of the file; its name tells nothing. */
export function imageKind(start: Buffer): ImageKind | undefined {
  const latin = start.subarray(0, 12).toString("latin1");
  if (latin.startsWith("\x89PNG\r\n\x1a\n")) return { name: "PNG", mediaType: "image/png" };
  if (latin.startsWith("\xff\xd8\xff")) return { name: "JPEG", mediaType: "image/jpeg" };
  if (/^GIF8[79]a/.test(latin)) return { name: "GIF", mediaType: "image/gif" };
  if (/^RIFF[^]{4}WEBP$/.test(latin)) return { name: "WebP", mediaType: "image/webp" };
  return undefined;
}

/** In pixels; undefined if the header is damaged or lies beyond the given bytes. */
export function imageSize(kind: ImageKind["name"], bytes: Buffer): ImageSize | undefined {
  const size = readSize(kind, bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function readSize(kind: ImageKind["name"], bytes: Buffer): ImageSize | undefined {
  switch (kind) {
    case "PNG":
      if (bytes.length < 24 || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    case "GIF":
      if (bytes.length < 10) return undefined;
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    case "JPEG":
      return jpegSize(bytes);
    case "WebP":
      return webpSize(bytes);
  }
}

/** The size stands in the start of a frame, behind segments of any length. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // Any number of fill bytes may stand before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
