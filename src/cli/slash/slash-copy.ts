import { copyToClipboard } from "../chat/clipboard.js";
import type { SlashContext } from "./slash-commands.js";

/** "/copy": the last answer, or one of its code blocks, into the clipboard. */
export async function copyCommand(context: SlashContext, argument: string): Promise<void> {
  const { messages, say, environment, bottom, lastAnswer } = context;
  const answer = lastAnswer();
  const text = partOf(answer, argument);
  if (text === undefined) {
    say(
      answer === ""
        ? messages.settings.nothingToCopy
        : messages.settings.noSuchBlock(codeBlocks(answer).length),
    );
    return;
  }
  const taken = await copyToClipboard(text, {
    environment,
    platform: process.platform,
    send: bottom.isPlain ? undefined : (sequence) => bottom.send(sequence),
  });
  say(taken === undefined ? messages.settings.notCopied : messages.settings.copied(text.length, taken));
}

/** All of the answer; "code": its last code block; a number: that block. */
function partOf(answer: string, argument: string): string | undefined {
  if (answer === "") return undefined;
  if (argument === "") return answer;
  const blocks = codeBlocks(answer);
  return argument === "code" ? blocks.at(-1) : blocks[Number(argument) - 1];
}

/** What stands between fences, without the line ends beside them. */
function codeBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^( *)(`{3,}|~{3,})[^\n]*\n([^]*?)^ *\2[`~]* *$/gm)].map(([, , , code = ""]) =>
    code.replace(/\n$/, ""),
  );
}
