import type { ExitCode } from "../../errors.js";
import { EXIT, messageOf, UserError } from "../../errors.js";
import { visible } from "../../printable.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import type { Check, Finding } from "./doctor-checks.js";
import { configuredChecks, fault, machineChecks, skipped } from "./doctor-checks.js";
import { serverChecks } from "./doctor-server-checks.js";
import type { Messages } from "../messages/catalogue.js";
import { loadMessages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { jsonLine } from "../render/json-line.js";
import type { Colours } from "../render/terminal.js";
import { createColours, inRows, widthOf } from "../render/terminal.js";
import type { Start } from "../start.js";
import { start, workspace } from "../start.js";
import { traitsOf } from "../traits-of.js";

type CheckId = Check["id"];
type CheckResult = Finding & { id: CheckId };

/** Faults of these mean that no session can begin, for want of a server or a model. */
const SERVER_IDS: readonly CheckId[] = ["server", "version", "model", "tools", "memory", "window", "gpu"];

/**
 * `mini-cc doctor`: one line for each finding on stdout. Exit 0 without a fault, 3 if the server or the model has
 * one, 2 if the configuration cannot be read, else 1. Throws UserError for a mistake in a flag or the folder.
 */
export async function doctorCommand(
  context: CommandContext,
  { json, load }: { json?: boolean; load: boolean },
): Promise<ExitCode> {
  return cancelOnSignals(async (signal) => {
    const begun = await begin(context);
    const { messages: spoken } = "problem" in begun ? context : begun;
    // A script reads the same whatever the language of who runs it.
    const messages = json === true ? await loadMessages("en") : spoken;
    const say = (line: string) => {
      for (const row of inRows([visible(line)], process.stderr)) process.stderr.write(`${row}\n`);
    };
    const checks =
      "problem" in begun
        ? [...unreadable(begun.problem, messages), ...machineChecks(messages, signal)]
        : [
            ...serverChecks({ ...begun, messages }, { load, say, signal }),
            ...configuredChecks({ ...begun, messages }, signal),
            ...machineChecks(messages, signal),
          ];
    const { colourLevel } = traitsOf(process.stdout, context.options);
    const print = (line: string) => {
      for (const row of inRows([line], process.stdout)) process.stdout.write(`${row}\n`);
    };
    const show = json === true ? () => undefined : printer(messages, createColours(colourLevel), print);
    const results = await runChecks(checks, show, signal);
    if (signal.aborted) return EXIT.cancelled;
    const exitCode = "problem" in begun ? EXIT.usage : exitCodeOf(results);
    if (json === true) {
      process.stdout.write(
        jsonLine({ version: context.version, ok: exitCode === EXIT.done, checks: results }),
      );
    } else {
      print("");
      print(summaryOf(results, messages));
    }
    return exitCode;
  });
}

/** The same checks from within a session, whose model is loaded already. */
export async function checkSession(
  begun: Start,
  { print, colours, signal }: { print: (line: string) => void; colours: Colours; signal: AbortSignal },
): Promise<void> {
  const { messages } = begun;
  const say = (line: string) => print(visible(line));
  const checks = [
    ...serverChecks(begun, { load: false, say, signal }),
    ...configuredChecks(begun, signal),
    ...machineChecks(messages, signal),
  ];
  const results = await runChecks(checks, printer(messages, colours, print), signal);
  print(summaryOf(results, messages));
}

async function runChecks(
  checks: readonly Check[],
  show: (result: CheckResult) => void,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const findings = await attempt(check);
    if (signal.aborted) break;
    for (const finding of findings) {
      results.push({ id: check.id, ...finding });
      show({ id: check.id, ...finding });
    }
  }
  return results;
}

function summaryOf(results: readonly CheckResult[], messages: Messages): string {
  const count = (status: Finding["status"]) => results.filter((result) => result.status === status).length;
  return messages.doctor.summary(count("fault"), count("warning"));
}

/** A configuration that cannot be read leaves only the checks that need none. */
async function begin(context: CommandContext): Promise<Start | { problem: UserError }> {
  await workspace(context.options);
  try {
    return await start(context);
  } catch (error) {
    if (!(error instanceof UserError) || error.code === "option-invalid") throw error;
    return { problem: error };
  }
}

function unreadable({ message, hint }: UserError, messages: Messages): Check[] {
  const { needsConfig } = messages.doctor.findings;
  return [
    { id: "config", run: () => Promise.resolve([fault(message, hint)]) },
    { id: "server", run: () => Promise.resolve([skipped(needsConfig)]) },
    { id: "sandbox", run: () => Promise.resolve([skipped(needsConfig)]) },
  ];
}

/** Each check stands alone: what it throws is its finding. */
async function attempt(check: Check): Promise<Finding[]> {
  try {
    return await check.run();
  } catch (error) {
    return [fault(messageOf(error), error instanceof UserError ? error.hint : undefined)];
  }
}

function exitCodeOf(results: readonly CheckResult[]): ExitCode {
  const faults = results.filter(({ status }) => status === "fault");
  if (faults.some(({ id }) => SERVER_IDS.includes(id))) return EXIT.noModel;
  return faults.length > 0 ? EXIT.failed : EXIT.done;
}

function printer(
  messages: Messages,
  colours: Colours,
  print: (line: string) => void,
): (result: CheckResult) => void {
  const { translate } = messages;
  const { labels } = messages.doctor;
  const { succeeded, failed, skipped, leadsTo } = messages.glyphs;
  const signs: Record<Finding["status"], string> = { ok: succeeded, warning: "!", fault: failed, skipped };
  const width = Math.max(...Object.values(labels).map(widthOf));
  const paint: Record<Finding["status"], (text: string) => string> = {
    ok: colours.green,
    warning: colours.yellow,
    fault: colours.red.bold,
    skipped: colours.dim,
  };
  return ({ id, status, found, remedy }) => {
    const label = labels[id] + " ".repeat(width - widthOf(labels[id]));
    const told = [found, ...(remedy === undefined ? [] : [remedy])].map(translate.text);
    const text = visible(told.join(` ${leadsTo} `)).replace(/\s*\n\s*/g, " ");
    print(`${paint[status](signs[status])} ${label}  ${text}`);
  };
}
