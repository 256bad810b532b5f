import { open } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { imageKind } from "../../src/tools/image-file.js";
import { readImage } from "../../src/tools/read-image.js";
import { createWorkspace } from "./workspace.js";

function png(width: number, height: number, bytes = 100): Buffer {
  const header = Buffer.from("89504e470d0a1a0a0000000d494844520000000000000000", "hex");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, Buffer.alloc(bytes - header.length, 1)]);
}

async function read(content: Buffer, maxTokens: number | undefined) {
  const handle = await open(createWorkspace().file("a.png", content));
  try {
    const kind = imageKind(content)!;
    const start = content.subarray(0, 1_000);
    return await readImage(handle, { name: "a.png", kind, start, bytes: content.length }, maxTokens);
  } finally {
    await handle.close();
  }
}

describe("an image", () => {
  it.each([
    { width: 800, height: 600, tokens: 29 * 22 },
    { width: 30, height: 30, tokens: 260 },
    { width: 8_000, height: 6_000, tokens: 2_900 },
  ])(
    "of $width × $height pixels is shown and counts for $tokens tokens",
    async ({ width, height, tokens }) => {
      const content = png(width, height);
      const data = content.toString("base64");
      const { status, image } = await read(content, 3_000);
      expect({ status, image }).toEqual({
        status: "ok",
        image: { mediaType: "image/png", data, name: "a.png", tokens },
      });
    },
  );

  it.each([
    { title: "the model is shown none", content: png(800, 600), maxTokens: undefined, says: "It cannot be shown to you." },
    { title: "it is too small for servers", content: png(16, 16), maxTokens: 3_000, says: "each side needs at least 28 pixels" },
    { title: "it is too long", content: png(30, 4_000), maxTokens: 3_000, says: "too long for its breadth" },
    { title: "it is too large", content: png(800, 600, 6_000_000), maxTokens: 3_000, says: "more than 5 MB. Make a smaller copy" },
    { title: "the window has no room", content: png(800, 600), maxTokens: 500, says: "needs about 638 tokens, and there is room for 500" },
    { title: "its header is damaged", content: png(0, 600), maxTokens: 3_000, says: "its header is damaged" },
  ])("is only described where $title", async ({ content, maxTokens, says }) => {
    const { status, output, image } = await read(content, maxTokens);
    expect({ status, image }).toEqual({ status: "ok", image: undefined });
    expect(output).toMatch(/^a\.png is a PNG image /);
    expect(output).toContain(says);
  }); // prettier-ignore
});
