import type { sessions as english } from "./sessions-en.js";
import { translate } from "./translate-zh.js";

function number(value: number): string {
  return value.toLocaleString("zh-CN");
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const sessions: typeof english = {
  flags: {
    format: "md 或 json",
    output: "写入 FILE，而不是标准输出",
    limit: "最多显示多少处",
    yes: "不询问",
  },
  columns: {
    id: "ID",
    age: "上次使用",
    turns: "轮数",
    size: "大小",
    model: "模型",
    title: "标题",
    folder: "文件夹",
  },
  none: "此文件夹没有保存的会话（--all 显示所有文件夹的会话）",
  noneAtAll: "没有保存的会话",
  noTitle: "（没有提示）",
  inUse: (pid) => `（进程 ${pid} 正在使用）`,
  age: (milliseconds) => {
    if (milliseconds < MINUTE) return "刚刚";
    if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} 分钟前`;
    if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} 小时前`;
    return `${number(Math.floor(milliseconds / DAY))} 天前`;
  },

  session: "会话",
  rows: { folder: "文件夹", model: "模型", started: "开始于", turns: "轮数", parent: "复制自" },
  copied: (id, turns) => (turns === undefined ? id : `${id} 的前 ${number(turns)} 轮`),
  turn: (value) => `第 ${value} 轮`,
  speakers: { user: "用户", assistant: "助手" },
  thinking: "思考",
  cut: (why) => `[${translate.text(why)}]`,
  status: {
    ok: "完成",
    error: "失败",
    denied: "被拒绝",
    cancelled: "已取消",
    unknown: "不清楚是否运行完毕",
    unfinished: "已开始，但没有完成",
    "not-run": "没有运行",
  },
  outcome: {
    done: "",
    cancelled: "被用户停止",
    limit: "达到限制后结束",
    failed: "失败",
    unfinished: "中途结束",
  },
  compacted: (before, after) => `对话已压缩：从 ${number(before)} token 减到 ${number(after)}`,
  modelChanged: (model) => `改用模型 ${model}`,
  more: (lines) => `… 还有 ${number(lines)} 行；mini-cc sessions export 有全部内容`,
  damaged: (lines) => `略去 ${number(lines)} 行损坏的记录`,
  unknownRecords: (records) => `略去 ${number(records)} 条新版本的记录`,

  places: { prompt: "提示", reply: "回答", call: "调用", result: "结果", title: "标题" },
  noHits: (words) => `没有哪一轮包含：${words}`,
  moreHits: (limit) => `以上是最新的 ${number(limit)} 处；--limit 可显示更多`,

  commands: {
    fork: "在新会话中从较早的一轮继续",
    rename: "给会话起标题",
    export: "把会话写入 FILE（Markdown；文件名以 .json 结尾则为 JSON）",
  },
  forkFrom: "从哪一轮之后继续？（此会话保持不变）",
  noTurn: (turn, turns) => `没有第 ${turn} 轮：此会话有 ${number(turns)} 轮`,
  forked: (turn, id) => `从第 ${turn} 轮之后继续，成为会话 ${id}`,
  unchanged: (id) => `会话 ${id} 保持不变`,
  renameUsage: "会话叫什么？/rename TITLE",
  renamed: (title) => `此会话现在叫：${title}`,
  nothingSaved: "此会话还没有保存任何内容",
  replace: (path) => `要替换 ${path} 吗？`,
  replaceAnswers: "y 替换 · n 保持不变",
  notExported: "没有写入任何内容",
  exported: (path) => `已写入 ${path}`,
  cannotWriteHint: "请换一个尚不存在的文件，放在可写的文件夹里",
  cannotWrite: (path, problem) => `无法写入 ${path}：${translate.text(problem)}`,
  remove: (id) => `要永久删除会话 ${id} 吗？`,
  removeAnswers: "y 删除 · n 保留",
  removed: (id) => `已删除会话 ${id}`,
  kept: "没有删除任何内容",
  needsYes: "无人可以回答是否删除该会话",
  needsYesHint: "加上 --yes 则不询问直接删除",
};
