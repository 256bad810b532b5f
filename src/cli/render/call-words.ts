import type { Messages } from "../messages/catalogue.js";
import { oneLine } from "./one-line.js";

type Arguments = Readonly<Record<string, unknown>>;

/** What a call of a tool that is known here does, from what it touches; undefined if that was not given. */
const WORDS: Readonly<Record<string, (args: Arguments, messages: Messages) => string | undefined>> = {
  read_file: (args, { tools, glyphs }) => {
    const path = textOf(args, "path");
    const [from, to] = [lineOf(args, "start_line"), lineOf(args, "end_line")];
    if (path === undefined || (from === undefined && to === undefined)) return path && tools.read(path);
    return tools.read(`${path} ${from ?? 1}${glyphs.range}${to ?? ""}`);
  },
  write_file: (args, { tools }) => {
    const path = textOf(args, "path");
    return path && tools.write(path);
  },
  edit_file: (args, { tools }) => {
    const path = textOf(args, "path");
    return path && tools.edit(path);
  },
  list_files: (args, { tools }) => {
    const [path = ".", pattern] = [textOf(args, "path"), textOf(args, "pattern")];
    if (pattern === undefined) return tools.list(path);
    return tools.list(path === "." || pattern.startsWith(`${path}/`) ? pattern : `${path}/${pattern}`);
  },
  search_code: (args, { tools }) => {
    const [pattern, path = "."] = [textOf(args, "pattern"), textOf(args, "path")];
    const glob = textOf(args, "glob");
    const place = path === "." ? glob : [path, ...(glob === undefined ? [] : [`(${glob})`])].join(" ");
    if (pattern === undefined) return undefined;
    return place === undefined ? tools.search(pattern) : tools.searchIn(pattern, place);
  },
  run_command: (args, { tools }) => {
    const command = textOf(args, "command");
    if (command === undefined) return undefined;
    return args["background"] === true ? tools.runInBackground(command) : tools.run(command);
  },
  command_output: (args, { tools }) => {
    const id = textOf(args, "id");
    return id && (args["action"] === "stop" ? tools.stop(id) : tools.output(id));
  },
};

/** A call in words that a person reads, on one line and printable. */
export function callWords(tool: string, args: unknown, messages: Messages): string {
  const given = argumentsOf(args);
  const words = Object.hasOwn(WORDS, tool) ? WORDS[tool]?.(given, messages) : undefined;
  return oneLine(words ?? plainWords(tool, given), messages);
}

export function argumentsOf(args: unknown): Arguments {
  return typeof args === "object" && args !== null ? { ...args } : {};
}

/** Of a tool that is not known here: its name, and what it was given. */
function plainWords(tool: string, args: Arguments): string {
  return Object.keys(args).length === 0 ? tool : `${tool} ${JSON.stringify(args)}`;
}

function textOf(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function lineOf(args: Arguments, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" && value > 0 ? value : undefined;
}
