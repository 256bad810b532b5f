import { z } from "zod";
import type { BackgroundProcess, BackgroundProcesses } from "../processes/background-processes.js";
import { backgroundRun, describeBackground } from "./background-runs.js";
import { outputText } from "./output-text.js";
import { bracketed, encodingNote, leftoverNote } from "./command-notes.js";
import { failure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool } from "./tool.js";

const FRAME_CHARS = 400;
/** A model that asks again and again would otherwise spend a request for each look. */
const WAIT_FOR_OUTPUT_MS = 2_000;

const schema = z.object({ id: z.string(), action: z.enum(["read", "stop"]) });

export function createCommandOutputTool(processes: BackgroundProcesses): Tool {
  return defineTool({
    name: "command_output",
    description: "Read new output of a background command, or stop it.",
    schema,
    effect: "change",
    touches: () => [],
    async run({ id, action }, context) {
      const found = processes.find(id);
      if (found === undefined) {
        return failure(`There is no background command with id "${id}".`, knownIds(processes.all()));
      }
      if (action === "stop") await found.stop();
      else await found.waitForNews(WAIT_FOR_OUTPUT_MS, context.signal);
      const { text, ...encoding } = outputText(found.takeOutput(), context.maxOutputChars - FRAME_CHARS);
      const notes = [encodingNote(encoding), leftoverNote(found.leftovers())];
      const hasEnded = found.end !== undefined;
      if (hasEnded) processes.acknowledge(id);
      return {
        status: "ok",
        output: [
          `${id} ${describeBackground(found)}`,
          text === "" ? "no new output" : text,
          ...bracketed(notes),
        ].join("\n"),
        ...(hasEnded && { command: backgroundRun(found) }),
      };
    },
  });
}

function knownIds(all: readonly BackgroundProcess[]): string {
  const ids = all.map(({ id, command }) => `${id} (${command})`);
  return ids.length === 0 ? "There are no background commands." : `There are: ${ids.join(", ")}.`;
}
