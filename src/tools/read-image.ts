import type { FileHandle } from "node:fs/promises";
import { imageSize } from "./image-file.js";
import type { ImageKind, ImageSize } from "./image-file.js";
import type { ToolResult } from "./tool.js";

/** A larger one makes requests and sessions too large, and models scale it down anyway. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Servers fail on images that are smaller, or longer than so many times their breadth. */
const LEAST_SIDE = 28;
const MOST_STRETCH = 100;

/** Pixels of a side that become one token in Qwen's models; those of most others make fewer of an image. */
const TOKEN_SIDE = 28;
/** Models scale down what would take more, and what takes less still has a frame. */
const TOKENS = { least: 260, most: 2_900 };

export interface ImageFile {
  /** As the model knows it. */
  name: string;
  kind: ImageKind;
  /** Its first bytes, with the header. */
  start: Buffer;
  /** Of the whole file. */
  bytes: number;
}

/** Type, pixels and bytes in words; and the image itself for a model that sees, if it is fit to be shown. */
export async function readImage(
  handle: FileHandle,
  { name, kind, start, bytes }: ImageFile,
  maxTokens: number | undefined,
): Promise<ToolResult> {
  const size = imageSize(kind.name, start);
  const pixels = size === undefined ? "" : ` of ${size.width} × ${size.height} pixels`;
  const what = `${name} is a ${kind.name} image${pixels} (${bytes} bytes).`;
  if (maxTokens === undefined) return { status: "ok", output: `${what} It cannot be shown to you.` };
  if (size === undefined) return { status: "ok", output: notShown(what, "its header is damaged") };
  const problem = whyNotShown(size, bytes, maxTokens);
  if (problem !== undefined) return { status: "ok", output: notShown(what, problem) };
  const content = Buffer.alloc(bytes);
  const { bytesRead } = await handle.read(content, 0, bytes, 0);
  const data = content.toString("base64", 0, bytesRead);
  return {
    status: "ok",
    output: what,
    image: { mediaType: kind.mediaType, data, name, tokens: tokensOf(size) },
  };
}

function notShown(what: string, why: string): string {
  return `${what} It is not shown to you: ${why}.`;
}

function whyNotShown(size: ImageSize, bytes: number, maxTokens: number): string | undefined {
  const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
  if (short < LEAST_SIDE) return `each side needs at least ${LEAST_SIDE} pixels`;
  if (long > short * MOST_STRETCH) return "it is too long for its breadth";
  if (bytes > MAX_IMAGE_BYTES) {
    return `it has more than ${MAX_IMAGE_BYTES / 1024 / 1024} MB. Make a smaller copy with run_command and read that`;
  }
  const tokens = tokensOf(size);
  if (tokens <= maxTokens) return undefined;
  return `it needs about ${tokens} tokens, and there is room for ${maxTokens}. Make a smaller copy with run_command and read that`;
}

function tokensOf({ width, height }: ImageSize): number {
  const tokens = Math.ceil(width / TOKEN_SIDE) * Math.ceil(height / TOKEN_SIDE);
  return Math.min(TOKENS.most, Math.max(TOKENS.least, tokens));
}
