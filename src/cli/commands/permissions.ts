import { removeKeptRule } from "../../config/kept-rules.js";
import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import type { PermissionMode } from "../../permissions/access.js";
import type { Rule } from "../../permissions/command-rules.js";
import { READ_ONLY_RULES } from "../../permissions/command-rules.js";
import type { PolicySetup } from "../../setup/policy.js";
import { setUpPolicy } from "../../setup/policy.js";
import { visible } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { jsonLine } from "../render/json-line.js";
import { inRows } from "../render/terminal.js";
import type { Start } from "../start.js";
import { homeFolder, start } from "../start.js";

/** `mini-cc permissions list`: the rules in force with their origin. */
export async function listPermissions(
  context: CommandContext,
  { json }: { json?: boolean },
): Promise<ExitCode> {
  const { begun, setup } = await prepare(context);
  const allowed: readonly Rule[] = [
    ...(begun.loaded.readOnlyDefaultsActive ? READ_ONLY_RULES.map(({ rule }) => rule) : []),
    ...setup.allowed,
  ];
  if (json === true) {
    process.stdout.write(jsonLine({ mode: setup.policy.mode, allowed, denied: setup.denied }));
    return EXIT.done;
  }
  print(permissionLines({ mode: setup.policy.mode, allowed, denied: setup.denied }, begun.messages));
  return EXIT.done;
}

/** The rules in force with their origin, one a line. */
export function permissionLines(
  { mode, allowed, denied }: { mode: PermissionMode; allowed: readonly Rule[]; denied: readonly Rule[] },
  { permissions, translate, joining }: Messages,
): string[] {
  const list = (title: string, rules: readonly Rule[]) => [
    joining.heading(title),
    ...(rules.length === 0 ? [`  ${permissions.none}`] : []),
    ...rules.map(({ text, origin }) => `  ${text}  ${joining.bracketed(translate.text(origin))}`),
  ];
  return [
    joining.named(permissions.mode, mode),
    ...list(permissions.allowed, allowed),
    ...list(permissions.denied, denied),
  ];
}

/** `mini-cc permissions check COMMAND`: what would happen to a command line, and why. Runs nothing. */
export async function checkCommand(
  context: CommandContext,
  command: string,
  { json }: { json?: boolean },
): Promise<ExitCode> {
  const { begun, setup } = await prepare(context);
  const { permissions, translate, joining } = begun.messages;
  const { verdict, because, commands, rememberAs } = await setup.policy.judge({ kind: "run", command });
  if (json === true) {
    process.stdout.write(jsonLine({ verdict, because: because.join("; "), commands, rememberAs }));
    return EXIT.done;
  }
  print([
    joining.named(command, permissions.verdict[verdict]),
    ...because.map((reason) => `  ${joining.named(permissions.because, translate.text(reason))}`),
    ...(commands.length > 1
      ? commands.map((part) => permissions.part(part.text, permissions.verdict[part.verdict], part.because))
      : []),
    ...(rememberAs.length > 0 ? [permissions.rememberAs(rememberAs)] : []),
  ]);
  return EXIT.done;
}

/** `mini-cc permissions remove RULE`: forgets a rule that an "always in this project" answer kept. */
export async function removeRule(context: CommandContext, rule: string): Promise<ExitCode> {
  const { loaded, workspaceRoot, messages } = await start(context);
  if (await removeKeptRule(loaded.folders.state, workspaceRoot, rule)) {
    print([messages.permissions.removed(rule)]);
    return EXIT.done;
  }
  throw new UserError(messages.permissions.notKept(rule), {
    code: "rule-not-kept",
    hint: messages.permissions.seeList,
    exitCode: EXIT.usage,
  });
}

async function prepare(context: CommandContext): Promise<{ begun: Start; setup: PolicySetup }> {
  const begun = await start(context);
  const setup = await setUpPolicy({
    ...begun,
    env: process.env,
    homeDir: homeFolder(),
    platform: process.platform,
  });
  const warn = (text: string) => process.stderr.write(`${visible(begun.messages.translate.text(text))}\n`);
  for (const { text } of begun.loaded.warnings) warn(text);
  for (const { text, problem } of setup.warnings) warn(`"${text}": ${problem}`);
  return { begun, setup };
}

function print(lines: readonly string[]): void {
  for (const row of inRows(
    lines.map((line) => visible(line)),
    process.stdout,
  ))
    process.stdout.write(`${row}\n`);
}
