import { join } from "node:path";
import { PROJECT_FILE_NAME } from "../../config/find-files.js";
import type { ProjectFile } from "../../config/load-config.js";
import { refuseFile, revokeTrust, trustFile } from "../../config/trust.js";
import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import { visible } from "../../printable.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import type { Messages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { block, blockColumns, gutterOf } from "../render/block.js";
import { clearText } from "../render/clear-text.js";
import { diffRows } from "../render/diff.js";
import { createColours, createLineWriter } from "../render/terminal.js";
import type { Start } from "../start.js";
import { start } from "../start.js";
import { createTerminalInput } from "../keyboard/terminal-input.js";
import type { InputStream } from "../keyboard/terminal-input.js";
import { readYesNo } from "../questions/yes-no.js";
import { traitsOf } from "../traits-of.js";

/** `mini-cc trust`: the command is the consent; it shows what it gives. */
export async function trustCommand(
  context: CommandContext,
  { revoke }: { revoke?: boolean },
): Promise<ExitCode> {
  const { loaded, workspaceRoot, messages } = await start(context);
  const { projectFile, folders } = loaded;
  const print = (text: string) => process.stdout.write(`${visible(text)}\n`);
  if (revoke === true) {
    const path = projectFile?.path ?? join(workspaceRoot, PROJECT_FILE_NAME);
    const had = await revokeTrust(folders.state, path);
    print(had ? messages.trust.revoked(path) : messages.trust.notTrusted(path));
    return EXIT.done;
  }
  if (!projectFile) {
    throw new UserError(messages.trust.noFile, {
      code: "no-project-file",
      hint: messages.trust.noFileHint,
      exitCode: EXIT.usage,
    });
  }
  for (const line of wants(projectFile, messages)) print(line);
  for (const { text } of await trustFile(folders.state, projectFile))
    process.stderr.write(`${visible(messages.translate.text(text))}\n`);
  print(messages.trust.trusted(projectFile.path));
  return EXIT.done;
}

/**
 * Asks once, by the keyboard of a terminal, whether a project file that wants more than the built-in rules give may have
 * it; without a keyboard it may not, which a warning tells. Returns the start with the answer in force.
 */
export async function settleTrust(
  context: CommandContext,
  begun: Start,
  keyboard: InputStream | undefined,
): Promise<Start> {
  const { loaded, messages } = begun;
  const { projectFile, folders } = loaded;
  if (!projectFile || projectFile.trusted || projectFile.widens.length === 0) return begun;
  if (keyboard && !projectFile.refused) {
    const trusts = await asksForTrust(context, projectFile, { messages, keyboard });
    await (trusts ? trustFile : refuseFile)(folders.state, projectFile);
    if (trusts) return start(context);
  }
  const text = `parts of ${projectFile.path} do not count, since this folder is not trusted: run mini-cc trust`;
  loaded.warnings.push({ code: "untrusted", text });
  return begun;
}

async function asksForTrust(
  { options }: CommandContext,
  projectFile: ProjectFile,
  { messages, keyboard }: { messages: Messages; keyboard: InputStream },
): Promise<boolean> {
  const output = process.stderr;
  const { colourLevel, animated } = traitsOf(output, options);
  const colours = createColours(colourLevel);
  const clear = clearText(messages, colours);
  const page = { output, messages };
  const look = { colours, messages, safe: clear, columns: blockColumns(output) };
  const input = createTerminalInput({ input: keyboard, output, animated });
  await input.settle();
  const question = block([clear(messages.trust.question(projectFile.path))], "", page);
  const content = [
    ...wants(projectFile, messages).flatMap((line) => clear(line).split("\n")),
    ...(await difference(projectFile)).flatMap((patch) => diffRows(patch, look).rows),
  ];
  const answer = await cancelOnSignals((signal) => {
    createLineWriter(output).lines(
      ...question.map((line) => colours.yellow.bold(line)),
      ...block(content, gutterOf(messages), page),
      `  ${messages.trust.answers}`,
    );
    output.write(`  ${messages.question.default} `);
    return readYesNo(input, signal);
  });
  output.write(`${answer ?? ""}\n`);
  if (answer === undefined) process.exit(EXIT.cancelled);
  return answer === "y";
}

function wants({ widens }: ProjectFile, messages: Messages): string[] {
  if (widens.length === 0) return [];
  return [
    messages.joining.heading(messages.trust.wants),
    ...widens.map(({ key, value }) => `  ${key}: ${value}`),
  ];
}

/** What changed since the file was trusted, as one unified diff; none if it never was. */
async function difference({ path, text, trustedBefore }: ProjectFile): Promise<string[]> {
  if (trustedBefore === undefined) return [];
  const { createTwoFilesPatch } = await import("diff");
  return [createTwoFilesPatch(path, path, trustedBefore, text)];
}
