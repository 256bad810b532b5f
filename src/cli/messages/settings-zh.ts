// 会话中可以更改的设置（中文）。
import type { settings as en } from "./settings-en.js";

export const settings: typeof en = {
  commands: {
    mode: "哪些操作无需询问：default、accept-edits、plan 或 bypass",
    permissions: "生效的规则，包括回答中保留的规则",
    think: "模型是否先思考：off、on、low、medium 或 high",
    copy: "复制上一条回答、它的最后一个代码块或第 N 个代码块",
    debug: "把每个请求和原始回复记录到文件，或停止记录",
    doctor: "检查服务器、模型、窗口、沙箱和配置",
  },
  unknown: (value, choices, nearest) =>
    `“${value}”不在 ${choices} 之中。${nearest === undefined ? "" : `是否想输入“${nearest}”？`}`,
  modes: {
    default: "读取无需询问；编辑和命令会询问",
    "accept-edits": "工作区内的编辑也无需询问",
    plan: "不做任何更改",
    bypass: "一概不问；只有硬性禁止仍然有效",
  },
  think: "思考：",
  levels: {
    off: "直接回答",
    on: "由模型决定思考多少",
    low: "少量思考",
    medium: "较多思考",
    high: "尽量多思考",
  },
  cannotThink: (model) => `${model} 无法按要求思考；此设置只对能思考的模型生效`,
  debugOn: (file) => `请求和回复会记录到 ${file}`,
  debugOff: "不再记录",
  nothingToCopy: "还没有可以复制的回答",
  noSuchBlock: (blocks) => `上一条回答里有 ${blocks.toLocaleString("zh-CN")} 个代码块`,
  notCopied: "没有程序或终端能接收这些文字",
  copied: (characters, taken) => `已复制 ${characters.toLocaleString("zh-CN")} 个字符（${taken}）`,
};
