import { describe, expect, it } from "vitest";
import { fail } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { askPlace } from "./ask-setup.js";
import type { AskPlace } from "./ask-setup.js";

/** The header of a PNG of 800 × 600 pixels and some bytes; nobody here decodes more. */
const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d4948445200000320000002580806000000", "hex"),
  Buffer.alloc(400, 7),
]);
const gif = Buffer.concat([Buffer.from("4749463839612003580200", "hex"), Buffer.alloc(100, 7)]);

const SEES = { name: "scripted", capabilities: ["completion", "tools", "vision"] };
const BLIND = { name: "scripted", capabilities: ["completion", "tools"] };

const reads = (path: string): Reply => ({ toolCalls: [{ name: "read_file", arguments: { path } }] });

const imagesOf = (server: ScriptedOllama) =>
  server.chatBodies().map(({ messages }) => messages.flatMap(({ images = [] }) => images));

async function placeWith(replies: Reply[], model = SEES): Promise<AskPlace> {
  const made = await askPlace({ models: [model], replies });
  made.place.file("shot.png", png);
  made.place.file("move.gif", gif);
  return made;
}

describe("an image that is read", () => {
  it("reaches a model that sees, behind the result, and stays where it is in later requests", async () => {
    const { server, ask } = await placeWith([reads("shot.png"), reads("move.gif"), { text: "A square." }]);
    const { code } = await ask(["What is on shot.png?"]);
    expect(code).toBe(0);
    const data = png.toString("base64");
    expect(imagesOf(server)).toEqual([[], [data], [data, gif.toString("base64")]]);
    const [, second, third] = server.chatBodies().map(({ messages }) => messages);
    expect(second?.slice(-2)).toMatchObject([
      { role: "tool", content: `shot.png is a PNG image of 800 × 600 pixels (${png.length} bytes).` },
      { role: "user", content: "[The image read above: shot.png]", images: [data] },
    ]);
    expect(third?.slice(0, second?.length)).toEqual(second);
  });

  it("is the same, byte for byte, when the session goes on", async () => {
    const { server, ask } = await placeWith([reads("shot.png"), { text: "A square." }, { text: "Blue." }]);
    await ask(["What is on shot.png?"]);
    await ask(["--continue", "Which colour?"]);
    const [, second, third] = server.chatBodies().map(({ messages }) => messages);
    expect(third?.slice(0, second?.length)).toEqual(second);
    expect(imagesOf(server)[2]).toEqual([png.toString("base64")]);
  });

  it("is described to a model that does not see", async () => {
    const { server, ask } = await placeWith([reads("shot.png"), { text: "No idea." }], BLIND);
    await ask(["What is on shot.png?"]);
    expect(imagesOf(server)).toEqual([[], []]);
    expect(server.chatBodies()[1]?.messages.at(-1)?.content).toContain(
      "pixels (429 bytes). It cannot be shown",
    );
  });

  it("is left out where the server cannot take it, and images of other types are still shown", async () => {
    const { server, ask } = await placeWith([
      reads("move.gif"),
      fail(500, "failed to process inputs: image: unknown format"),
      reads("shot.png"),
      { text: "A square." },
    ]);
    const { code, stderr } = await ask(["Look at both."]);
    expect(code).toBe(0);
    expect(stderr).toContain("the server cannot take the image (image/gif)");
    expect(imagesOf(server)).toEqual([[], [gif.toString("base64")], [], [png.toString("base64")]]);
  });
});
