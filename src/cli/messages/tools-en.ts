import { count } from "./count.js";

/** What a call does, in words; what it touches is already on one line. */
export const tools = {
  read: (what: string) => `read ${what}`,
  write: (path: string) => `write ${path}`,
  create: (path: string) => `create ${path}`,
  edit: (path: string) => `edit ${path}`,
  list: (what: string) => `list ${what}`,
  search: (pattern: string) => `search /${pattern}/`,
  searchIn: (pattern: string, place: string) => `search /${pattern}/ in ${place}`,
  run: (command: string) => `$ ${command}`,
  runInBackground: (command: string) => `$ ${command} (in the background)`,
  output: (id: string) => `output of ${id}`,
  stop: (id: string) => `stop ${id}`,
  lines: (number: number) => count(number, "line"),
  ofLines: (total: number) => `of ${count(total, "line")}`,
  files: (number: number) => count(number, "file"),
  /** `files`: in how many. */
  hits: (number: number, files: number) =>
    files > 1 ? `${count(number, "hit")} in ${count(files, "file")}` : count(number, "hit"),
  atLeast: (count: string) => `at least ${count}`,
  outputLines: (number: number) => `${count(number, "line")} of output`,
  noChange: "nothing to change",
  noLineEnd: "(no line end at the end of the file)",
};
