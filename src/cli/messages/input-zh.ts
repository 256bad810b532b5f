// 会话底部编辑器的文字（中文）。
import type { input as en } from "./input-en.js";
import { translate } from "./translate-zh.js";

export const input: typeof en = {
  busy: "Esc 停止 · Enter 在下一步发送",
  pasted: (lines, characters) =>
    lines > 1
      ? `[粘贴了 ${lines.toLocaleString("en-US")} 行]`
      : `[粘贴了 ${characters.toLocaleString("en-US")} 个字符]`,
  waiting: "待发送：",
  moreWaiting: (number) => `… 还有 ${number.toLocaleString("zh-CN")} 条消息`,
  takeBack: "按 ↑ 取回",
  leaves: "这一步结束后退出",
  search: {
    title: "搜索：",
    nothing: "没有找到：",
    keys: "Ctrl-R 更早 · Ctrl-S 更新 · Enter 采用 · Esc 返回",
  },
  pick: "↑↓ 选择 · Enter 采用 · Esc 取消",
  scroll: (first, last, all) =>
    `第 ${first.toLocaleString("zh-CN")}–${last.toLocaleString("zh-CN")} 行，共 ${all.toLocaleString("zh-CN")} 行 · ↑↓ PgUp PgDn`,
  tooLong: (all) => `共 ${all.toLocaleString("zh-CN")} 行 · 按 ↑↓ PgUp PgDn 在此查看`,
  historyNotKept: (why) => `发送过的内容无法留给以后的会话：${translate.text(why)}`,
  editorFailed: (editor, why) => `无法使用 ${editor}：${translate.text(why)}`,
  command: {
    offer: "把这些输出随下一条消息交给模型吗？",
    answers: "y 是 · n 否",
    attached: (command) => `[${command} 的输出]`,
  },
  keys: {
    send: "发送；模型工作时，会在下一步交给它",
    newline: "换行；在 Enter 前加 \\ 也可以",
    stop: "停止本轮；Ctrl-C 清空草稿，连按两次退出",
    history: "以前的消息；在其中搜索",
    file: "指定文件；放得下时内容一并发送",
    command: "自己运行命令",
    complete: "采用列表中的选项",
    editor: "用 $EDITOR 编写",
    suspend: "回到 shell；用 fg 返回",
  },
};
