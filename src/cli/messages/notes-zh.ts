import type { notes as english } from "./notes-en.js";

function number(value: number): string {
  return value.toLocaleString("zh-CN");
}

export const notes: typeof english = {
  commands: {
    memory: "显示告诉模型的项目说明；add TEXT 追加一行",
    reload: "重新读取项目说明",
  },
  banner: "项目说明：",
  told: (room) => `告诉模型的说明（只是文字，不授予任何权限；此窗口最多 ${number(room)} token）：`,
  whole: (tokens) => `${number(tokens)} token`,
  cut: (tokens, whole) => `前 ${number(tokens)} token，共 ${number(whole)}`,
  none: "项目没有说明：会读取 AGENTS.md，mini-cc init --notes 可写入一份初稿",
  hint: "/memory add TEXT 追加一行 · /reload 立即采用改动过的文件，新会话会自动采用",
  usage: "要记下什么？/memory add TEXT",
  add: (path) => `把这一行加入 ${path}？`,
  answers: "y 加入 · n 保持文件不变",
  added: (path) => `已加入 ${path}；从下一个会话起告诉模型，用 /reload 则立即生效`,
  notAdded: "没有加入任何内容",
  reloaded: "现在告诉模型的说明：",
  unchanged: "项目说明没有变化",
  offer: (path) => `要为模型写入 ${path}，并列出在此文件夹中找到的命令吗？`,
  offerAnswers: "y 写入 · n 不写",
  written: (path) => `已写入 ${path}：请补充完整，并保持简短`,
  exists: "此文件夹已有给模型的说明，保持原样",
  flag: "同时写入给模型的说明 AGENTS.md，其中列出在此文件夹中找到的命令",
};
