import { writeStarter } from "../config/starter.js";
import type { ExitCode } from "../errors.js";
import { EXIT } from "../errors.js";
import { printable } from "../printable.js";
import type { CommandContext } from "./program.js";
import { workspace } from "./start.js";

/** `mini-cc init`: a commented starter file for this workspace; one that exists is left alone. */
export async function initCommand({ options, messages }: CommandContext): Promise<ExitCode> {
  const path = await writeStarter(await workspace(options));
  process.stdout.write(printable(`${messages.init.written(path)}\n`));
  return EXIT.done;
}
