import { z } from "zod";
import type { BackgroundProcess, ProcessRegistry } from "../processes/process-registry.js";
import { commandOutput, describeEnd } from "./command-text.js";
import { failure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool } from "./tool.js";

const FRAME_CHARS = 300;

const schema = z.object({ id: z.string(), action: z.enum(["read", "stop"]) });

export function createCommandOutputTool(processes: ProcessRegistry): Tool {
  return defineTool({
    name: "command_output",
    description: "Read new output of a background command, or stop it.",
    schema,
    effect: "change",
    touches: () => [],
    async run({ id, action }, context) {
      const found = processes.findBackground(id);
      if (found === undefined) {
        const ids = processes.listBackground().map((process) => `${process.id} (${process.command})`);
        const known =
          ids.length === 0 ? "There are no background commands." : `There are: ${ids.join(", ")}.`;
        return failure(`There is no background command with id "${id}".`, known);
      }
      if (action === "stop") await found.stop();
      const output = commandOutput(found.takeOutput(), context.maxOutputChars - FRAME_CHARS);
      return { status: "ok", output: `${id} ${stateOf(found)}\n${output === "" ? "no new output" : output}` };
    },
  });
}

function stateOf({ end, command, startedAt }: BackgroundProcess): string {
  if (end !== undefined) return describeEnd(end, command, undefined);
  return `is running for ${Math.round((Date.now() - startedAt) / 1000)} s`;
}
