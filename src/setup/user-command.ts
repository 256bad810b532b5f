import type { ProcessRegistry } from "../processes/process-registry.js";
import type { Shell } from "../processes/shell.js";
import { readShellReport, shellLine } from "../processes/shell.js";
import { describeEnd } from "../tools/command-end.js";
import { bracketed, encodingNote, leftoverNote } from "../tools/command-notes.js";
import { createOutputDecoder } from "../tools/output-encoding.js";
import { outputText } from "../tools/output-text.js";

interface UserCommandOptions {
  processes: ProcessRegistry;
  shell: Shell;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Gets output as it comes. */
  onOutput: (text: string) => void;
}

/** Characters of the output that the model is shown. */
const MOST_OUTPUT = 16_000;

/** Runs a command that the user typed, unconfined and in the user's own environment. Never rejects for what it does. */
export async function runUserCommand(
  command: string,
  { processes, shell, cwd, env, signal, onOutput }: UserCommandOptions,
): Promise<{ outcome: string; output: string }> {
  const line = shellLine(shell, command, { ownsProcesses: false });
  const decoder = createOutputDecoder(onOutput);
  const { end, output, leftovers, report } = await processes.run(
    {
      ...line,
      cwd,
      env: { ...env, ...line.env },
      maxOutputBytes: 8 * MOST_OUTPUT,
      onOutput: (chunk) => decoder.write(chunk),
    },
    signal,
  );
  decoder.end();
  const { text, ...encoding } = outputText(output, MOST_OUTPUT);
  return {
    outcome: describeEnd({ command, end, statuses: readShellReport(report).statuses }),
    output: [text, ...bracketed([encodingNote(encoding), leftoverNote(leftovers)])]
      .filter((part) => part !== "")
      .join("\n"),
  };
}
