import type { undo as english } from "./undo-en.js";

function number(value: number): string {
  return value.toLocaleString("zh-CN");
}

export const undo: typeof english = {
  commands: {
    undo: "撤销上一轮所做的更改",
    redo: "恢复被 /undo 撤销的更改",
    diff: "显示上一轮的更改；session 显示所有轮次",
  },
  off: '撤销功能已关闭：配置中设置了 "undo": false',
  nothing: {
    undo: "没有可撤销的内容：此会话还没有哪一轮更改过文件",
    redo: "没有可重做的内容",
  },
  done: {
    undo: (prompt) => `已撤销：${prompt}`,
    redo: (prompt) => `已重做：${prompt}`,
  },
  total: {
    undo: (files) => `${number(files)} 个文件已恢复到这一轮之前 · /redo 可恢复这些更改`,
    redo: (files) => `${number(files)} 个文件已恢复到这一轮之后 · /undo 可再次撤销`,
  },
  gone: (prompt) => `这一轮的更改已不再保存（过旧或过多）：${prompt}。再次输入 /undo 会撤销更早的一轮。`,
  blocked: (prompt) => `无法完整恢复，因此没有作任何改动：${prompt}`,
  unchanged: "没有作任何改动",
  question: {
    undo: (prompt) => `仍要撤销吗：${prompt}？`,
    redo: (prompt) => `仍要重做吗：${prompt}？`,
  },
  newer: (files) => `有 ${number(files)} 个文件之后又被改动，这些改动会被替换：`,
  lost: (files) => `有 ${number(files)} 个文件无法恢复，会保持原样（太大未保存，或无法读取）：`,
  answers: "y 继续 · n 不作改动",
  stayed: "未保存内容，因而无法恢复：",
  incomplete: "这一轮的更改没有全部记录下来；此处未列出的部分保持原样",
  changesOfTurn: (prompt) => `这一轮的更改：${prompt}`,
  changesOfSession: (turns) => `此会话的更改，共 ${number(turns)} 轮：`,
  noChanges: "此会话还没有哪一轮更改过文件",
  noNetChanges: "合起来看没有任何变化",
  usage: "/diff 显示上一轮，/diff session 显示所有轮次",
  mode: (before, after) => `权限 ${before} → ${after}`,
  kind: { file: "", folder: "文件夹", link: "链接" },
  unshown: {
    binary: "不是文本",
    large: "太大，不显示差异",
    "not-kept": "内容未保存",
    "too-many": "",
  },
};
