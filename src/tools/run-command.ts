import { z } from "zod";
import type { ProcessRegistry } from "../processes/process-registry.js";
import type { ProcessEnd, ProcessRequest } from "../processes/run-process.js";
import { commandOutput, describeEnd } from "./command-text.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

interface PreparedCommand {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  /** What the model should know where the command fails, such as that it had no network. */
  hint?: string;
}

export interface CommandSettings {
  processes: ProcessRegistry;
  /** What runs one command line: the shell, with or without a sandbox round it. */
  shell(command: string, access: Pick<ToolContext, "readsOnly" | "network">): Promise<PreparedCommand>;
  /** Seconds, when the model names none. */
  timeoutSeconds: number;
  /** Seconds; a longer time is shortened to this. */
  maxTimeoutSeconds: number;
}

/** Kept of the raw output, before it is cleaned for the model. */
const RAW_OUTPUT_CHARS = 256 * 1024;
/** Passed on live; after that only the end is shown. */
const LIVE_OUTPUT_CHARS = 256 * 1024;
/** Left of the result for the words about the end. */
const FRAME_CHARS = 500;

export function createRunCommandTool(settings: CommandSettings): Tool {
  const schema = z.object({
    command: z.string(),
    timeout: z.number().nullish().describe(`seconds, default ${settings.timeoutSeconds}`),
    background: z.boolean().nullish().describe("true for a server; returns at once with an id"),
  });
  return defineTool({
    name: "run_command",
    description:
      "Run a shell command in the project folder, without keyboard input. Use it for tests, builds and git.",
    schema,
    effect: "change",
    touches: ({ command }) => [{ kind: "run", command }],
    run: (args, context) =>
      args.background === true
        ? startInBackground(args.command, settings, context)
        : runToEnd(args.command, secondsOf(args.timeout, settings), settings, context),
  });
}

function secondsOf(given: number | null | undefined, settings: CommandSettings): number {
  const seconds = given ?? 0;
  return seconds > 0 ? Math.min(seconds, settings.maxTimeoutSeconds) : settings.timeoutSeconds;
}

async function runToEnd(
  command: string,
  timeoutSeconds: number,
  settings: CommandSettings,
  context: ToolContext,
): Promise<ToolResult> {
  let live = 0;
  const { request: prepared, hint } = await prepare(command, settings, context);
  const request: ProcessRequest = {
    ...prepared,
    timeoutMs: timeoutSeconds * 1000,
    onOutput(text) {
      if (live > LIVE_OUTPUT_CHARS) return;
      live += text.length;
      context.onOutput(live > LIVE_OUTPUT_CHARS ? "\n[more output; the end will be shown]\n" : text);
    },
  };
  const { end, output, leftProcesses } = await settings.processes.run(request, context.signal);
  const text = commandOutput(output, context.maxOutputChars - FRAME_CHARS);
  const first = describeEnd(end, command, timeoutSeconds);
  const lines = text === "" ? [`${first}, no output`] : [first, text];
  if (text.includes("\uFFFD")) lines.push("[Some bytes were not UTF-8 and are shown as \uFFFD.]");
  if (leftProcesses) {
    lines.push("[Processes it left running were ended. Use background: true for a server.]");
  }
  if (hint !== undefined && exitCodeOf(end) !== 0) lines.push(`[${hint}]`);
  return {
    status: end.kind === "exited" ? "ok" : "error",
    output: lines.join("\n"),
    command: { command, exitCode: exitCodeOf(end) },
  };
}

async function prepare(
  command: string,
  settings: CommandSettings,
  context: ToolContext,
): Promise<{ request: ProcessRequest; hint: string | undefined }> {
  const { argv, env, hint } = await settings.shell(command, context);
  const request = { argv, env, cwd: context.workspaceRoot, maxOutputChars: RAW_OUTPUT_CHARS };
  return { request, hint };
}

function exitCodeOf(end: ProcessEnd): number | null {
  return end.kind === "exited" ? end.code : null;
}

async function startInBackground(
  command: string,
  settings: CommandSettings,
  context: ToolContext,
): Promise<ToolResult> {
  const { request, hint } = await prepare(command, settings, context);
  const started = await settings.processes.startInBackground(command, request);
  const output = commandOutput(started.takeOutput(), context.maxOutputChars - FRAME_CHARS);
  const { end, id } = started;
  if (end !== undefined) {
    return {
      status: end.kind === "exited" && end.code === 0 ? "ok" : "error",
      output: `ended at once: ${describeEnd(end, command, undefined)}\n${output}`.trimEnd(),
      command: { command, exitCode: exitCodeOf(end) },
    };
  }
  const next = `Use command_output with id "${id}" to read its output or stop it.`;
  const lines = [`running in the background as ${id}. ${next}`];
  if (output !== "") lines.push(output);
  if (hint !== undefined) lines.push(`[${hint}]`);
  return { status: "ok", output: lines.join("\n") };
}
