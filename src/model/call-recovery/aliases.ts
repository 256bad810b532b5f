import type { DeclaredTool } from "./declared-tools.js";

/** Names that models give a parameter, by the name that it may have in a tool. Compared without case, `_` and `-`. */
const PARAMETER_ALIASES: Readonly<Record<string, readonly string[]>> = {
  path: [
    "file_path",
    "file",
    "file_name",
    "target_file",
    "absolute_path",
    "relative_path",
    "relative_workspace_path",
    "directory",
    "directory_path",
    "dir",
    "dir_path",
    "folder",
  ],
  content: ["contents", "text", "file_text", "file_content", "file_contents", "new_content", "code", "body"],
  old_text: [
    "old_string",
    "old_str",
    "old",
    "old_code",
    "search",
    "find",
    "search_text",
    "original",
    "original_text",
  ],
  new_text: [
    "new_string",
    "new_str",
    "new",
    "new_code",
    "replace",
    "replacement",
    "replace_with",
    "replacement_text",
  ],
  replace_all: ["all", "all_occurrences"],
  command: ["cmd", "shell_command", "command_line", "bash_command", "script"],
  timeout: ["timeout_seconds", "timeout_secs"],
  background: ["run_in_background", "is_background"],
  pattern: ["query", "regex", "regexp", "search", "search_term", "search_pattern", "search_query"],
  glob: ["include", "file_pattern", "include_pattern", "file_glob"],
  start_line: ["line_start", "from_line", "start", "begin_line"],
  end_line: ["line_end", "to_line", "end"],
};

/** Names under which models know a tool from elsewhere. Compared like those of parameters. */
const TOOL_ALIASES: Readonly<Record<string, readonly string[]>> = {
  read_file: ["read", "cat", "view", "view_file", "open_file", "file_read", "read_text_file"],
  write_file: ["write", "create_file", "save_file", "file_write", "write_to_file", "new_file"],
  edit_file: ["edit", "str_replace", "replace_in_file", "search_replace", "search_and_replace", "file_edit"],
  list_files: ["ls", "list", "list_dir", "list_directory", "dir"],
  search_code: [
    "grep",
    "search",
    "grep_search",
    "search_files",
    "ripgrep",
    "rg",
    "code_search",
    "find_in_files",
  ],
  run_command: [
    "bash",
    "shell",
    "sh",
    "exec",
    "execute",
    "execute_command",
    "execute_bash",
    "run_bash",
    "run_shell",
    "run_shell_command",
    "run_terminal_command",
    "run_terminal_cmd",
    "terminal",
  ],
};

/** Namespaces that templates put before a name. */
const NAMESPACE = /^(?:functions?|tools?|default_api|api|multi_tool_use)[.:/]/i;

/** The tool that a name means: exactly, without case and dashes, without a namespace, or by the table; never by likeness. */
export function toolNamed(name: string, tools: readonly DeclaredTool[]): DeclaredTool | undefined {
  const bare = name.trim().replace(NAMESPACE, "");
  const exact = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === bare);
  if (exact) return exact;
  const folded = fold(bare);
  return (
    only(tools.filter((tool) => fold(tool.name) === folded)) ??
    only(tools.filter((tool) => isAlias(TOOL_ALIASES, tool.name, folded)))
  );
}

/** Every name that means this tool, for a search in text. */
export function namesOf(tool: DeclaredTool): string[] {
  return [tool.name, ...(Object.hasOwn(TOOL_ALIASES, tool.name) ? (TOOL_ALIASES[tool.name] ?? []) : [])];
}

/** The declared parameter that a key means; undefined if none or more than one. */
export function parameterNamed(key: string, tool: DeclaredTool): string | undefined {
  if (tool.parameters.has(key)) return key;
  const folded = fold(key);
  const parameters = [...tool.parameters.keys()];
  return (
    only(parameters.filter((name) => fold(name) === folded)) ??
    only(parameters.filter((name) => isAlias(PARAMETER_ALIASES, name, folded)))
  );
}

function isAlias(table: Readonly<Record<string, readonly string[]>>, name: string, folded: string): boolean {
  return Object.hasOwn(table, name) && (table[name] ?? []).some((alias) => fold(alias) === folded);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
