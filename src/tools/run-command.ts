import { z } from "zod";
import type { ProcessRegistry } from "../processes/process-registry.js";
import type { ProcessRequest } from "../processes/run-process.js";
import type { ShellLine } from "../processes/shell.js";
import { readShellReport } from "../processes/shell.js";
import { commandRun, describeEnd } from "./command-end.js";
import type { EndedCommand } from "./command-end.js";
import { bracketed, encodingNote, leftoverNote } from "./command-notes.js";
import { handOperated } from "./hand-operated.js";
import { interactionHint } from "./interaction-hints.js";
import { createOutputDecoder } from "./output-encoding.js";
import { outputText } from "./output-text.js";
import { failure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

interface PreparedCommand extends Pick<ShellLine, "argv">, Partial<Pick<ShellLine, "takesReport">> {
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
const RAW_OUTPUT_BYTES = 256 * 1024;
/** Passed on live; after that only the end is shown. */
const LIVE_OUTPUT_CHARS = 256 * 1024;
/** Left of the result for the words about the end. */
const FRAME_CHARS = 600;
/** A command that took less does not say how long it took. */
const NOTABLE_SECONDS = 10;

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
    async run({ command, timeout, background }, context) {
      const pointless = handOperated(command);
      if (pointless !== undefined) return failure("Not run.", pointless);
      return background === true
        ? startInBackground(command, settings, context)
        : runToEnd(command, secondsOf(timeout, settings), settings, context);
    },
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
  const { request, hint } = await prepare(command, settings, context);
  const live = createLiveOutput(context);
  const startedAt = performance.now();
  const result = await settings.processes.run(
    { ...request, timeoutMs: timeoutSeconds * 1000, onOutput: (chunk) => live.write(chunk) },
    context.signal,
  );
  live.end();
  const { end, leftovers } = result;
  const report = readShellReport(result.report);
  const ended: EndedCommand = { command, end, timeoutSeconds, statuses: report.statuses };
  const { text, ...encoding } = outputText(result.output, context.maxOutputChars - FRAME_CHARS);
  const failed = end.kind !== "exited" || end.code !== 0;
  const first = describeEnd(ended) + (end.kind === "exited" ? durationWords(startedAt) : "");
  const notes = [
    encodingNote(encoding),
    leftoverNote({ ...leftovers, ended: leftovers.ended + report.leftRunning }),
    end.kind === "timed-out" ? TIMEOUT_HINT : undefined,
    failed ? interactionHint(text) : undefined,
    failed ? hint : undefined,
  ];
  return {
    status: end.kind === "exited" ? "ok" : "error",
    output: [...(text === "" ? [`${first}, no output`] : [first, text]), ...bracketed(notes)].join("\n"),
    command: commandRun(ended),
  };
}

const TIMEOUT_HINT =
  "For a server or a watcher use background: true; for work that takes longer, a greater timeout.";

/** Passes on what comes, decoded, up to a limit. */
function createLiveOutput(context: ToolContext): { write(chunk: Buffer): void; end(): void } {
  let passed = 0;
  const decoder = createOutputDecoder((text) => {
    if (passed > LIVE_OUTPUT_CHARS) return;
    passed += text.length;
    context.onOutput(passed > LIVE_OUTPUT_CHARS ? "\n[more output; the end will be shown]\n" : text);
  });
  return {
    write(chunk) {
      if (passed <= LIVE_OUTPUT_CHARS) decoder.write(chunk);
    },
    end: () => decoder.end(),
  };
}

/** In round numbers, so that the same failure reads the same the next time. */
function durationWords(startedAt: number): string {
  const seconds = (performance.now() - startedAt) / 1000;
  if (seconds < NOTABLE_SECONDS) return "";
  return seconds < 60
    ? ` after about ${Math.round(seconds / 10) * 10} s`
    : ` after about ${Math.round(seconds / 60)} min`;
}

async function prepare(
  command: string,
  settings: CommandSettings,
  context: ToolContext,
): Promise<{ request: ProcessRequest; hint: string | undefined }> {
  const { hint, ...prepared } = await settings.shell(command, context);
  return { request: { ...prepared, cwd: context.workspaceRoot, maxOutputBytes: RAW_OUTPUT_BYTES }, hint };
}

async function startInBackground(
  command: string,
  settings: CommandSettings,
  context: ToolContext,
): Promise<ToolResult> {
  const { request, hint } = await prepare(command, settings, context);
  const started = await settings.processes.startInBackground(command, request);
  const { text, ...encoding } = outputText(started.takeOutput(), context.maxOutputChars - FRAME_CHARS);
  const { end, id } = started;
  if (end !== undefined) {
    settings.processes.background.acknowledge(id);
    const failed = end.kind !== "exited" || end.code !== 0;
    const notes = [
      encodingNote(encoding),
      leftoverNote(started.leftovers()),
      failed ? interactionHint(text) : undefined,
      failed ? hint : undefined,
    ];
    return {
      status: failed ? "error" : "ok",
      output: [`ended at once: ${describeEnd({ command, end })}`, text, ...bracketed(notes)]
        .filter((line) => line !== "")
        .join("\n"),
      command: commandRun({ command, end }),
    };
  }
  const next = `Use command_output with id "${id}" to read its output or stop it.`;
  const lines = [
    `running in the background as ${id}. ${next}`,
    text,
    ...bracketed([encodingNote(encoding), hint]),
  ];
  return {
    status: "ok",
    output: lines.filter((line) => line !== "").join("\n"),
    command: { command, exitCode: null, background: id, state: "running" },
  };
}
