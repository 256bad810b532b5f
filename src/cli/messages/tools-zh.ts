import type { Messages } from "./catalogue.js";

function number(value: number): string {
  return value.toLocaleString("zh-CN");
}

export const tools: Messages["tools"] = {
  read: (what) => `读取 ${what}`,
  write: (path) => `写入 ${path}`,
  create: (path) => `新建 ${path}`,
  edit: (path) => `修改 ${path}`,
  list: (what) => `列出 ${what}`,
  search: (pattern) => `搜索 /${pattern}/`,
  searchIn: (pattern, place) => `在 ${place} 中搜索 /${pattern}/`,
  run: (command) => `$ ${command}`,
  runInBackground: (command) => `$ ${command}（后台运行）`,
  output: (id) => `${id} 的输出`,
  stop: (id) => `停止 ${id}`,
  lines: (lines) => `${number(lines)} 行`,
  ofLines: (total) => `共 ${number(total)} 行`,
  files: (files) => `${number(files)} 个文件`,
  hits: (hits, files) => (files > 1 ? `${number(files)} 个文件中 ${number(hits)} 处` : `${number(hits)} 处`),
  atLeast: (count) => `至少 ${count}`,
  outputLines: (lines) => `输出 ${number(lines)} 行`,
  noChange: "无需修改",
  noLineEnd: "（文件末尾没有换行符）",
};
