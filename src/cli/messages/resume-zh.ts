import type { resume as english } from "./resume-en.js";
import { translate } from "./translate-zh.js";

export const resume: typeof english = {
  title: "继续哪个会话？",
  nothing: "此文件夹没有更早的会话",
  nothingHint: "mini-cc 会开始一个新会话；mini-cc sessions --all 列出其他文件夹的会话",
  alreadyHere: "就是当前会话",
  goesOn: (title, turns) => `继续：${title} · ${turns.toLocaleString("zh-CN")} 轮`,
  ended: {
    done: "",
    cancelled: "（曾被停止；/continue 继续）",
    limit: "（达到限制而结束；/continue 继续）",
    failed: "（没有正常结束；/continue 继续）",
  },
  nothingToContinue: "还没有可以继续的内容",
  continuePrompt: "请从刚才停下的地方继续。",
  fork: (reason) => `${translate.text(reason)}。改用它的副本继续吗？`,
  forkAnswers: "y 使用副本（成为独立的会话） · n 不继续",
  commands: {
    resume: "继续此文件夹中更早的会话",
    continue: "从上一轮停下的地方继续，限制重新计算",
  },
};
