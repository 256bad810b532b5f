import { createCommandOutputTool } from "./command-output.js";
import { createEditFileTool } from "./edit-file.js";
import type { FileMemory } from "./file-memory.js";
import { createListFilesTool } from "./list-files.js";
import { createReadFileTool } from "./read-file.js";
import { createRunCommandTool } from "./run-command.js";
import type { CommandSettings } from "./run-command.js";
import { createSearchCodeTool } from "./search-code.js";
import type { FindRipgrep } from "./search-code.js";
import type { Tool } from "./tool.js";
import { createWriteFileTool } from "./write-file.js";

export interface ToolDependencies {
  commands: CommandSettings;
  /** Where the ripgrep program is that goes before the `rg` of PATH; asked when something is searched. */
  findRipgrep: FindRipgrep;
  /** For git and ripgrep, which are found by its PATH. */
  env: NodeJS.ProcessEnv;
  memory: FileMemory;
}

/** The tools in the order in which every request lists them. */
export function createBuiltinTools({ commands, findRipgrep, env, memory }: ToolDependencies): Tool[] {
  return [
    createReadFileTool({ memory, env }),
    createWriteFileTool({ memory, env }),
    createEditFileTool({ memory, env }),
    createListFilesTool(env),
    createSearchCodeTool(findRipgrep, env),
    createRunCommandTool(commands),
    createCommandOutputTool(commands.processes.background),
  ];
}
