import type { processes as english } from "./processes-en.js";

function lasting(seconds: number): string {
  return seconds < 60 ? `${seconds} 秒` : `${Math.floor(seconds / 60)} 分钟`;
}

export const processes: typeof english = {
  command: "显示后台命令；stop ID 结束其中一个",
  none: "没有命令在后台运行",
  usage: "要停止哪一个？/processes stop ID",
  unknown: (id) => `没有编号为“${id}”的后台命令：/processes 可列出全部`,
  over: (id) => `${id} 已经结束`,
  stopped: (id, command) => `已停止 ${id}：${command}`,
  hint: "/processes stop ID 结束一个 · 退出 mini-cc 时全部结束",
  state: {
    running: (seconds) => `已运行 ${lasting(seconds)}`,
    exited: (exitCode) => (exitCode === null ? "未能启动" : `退出码 ${exitCode}`),
    killed: "被信号终止",
    stopped: "已停止",
    lost: "已随之前的 mini-cc 结束",
  },
  background: (id, command, state) => `后台 ${id}：${command}（${state}）`,
  running: "运行中",
  pipeline: (statuses) => `管道中各命令的退出码：${statuses.join("、")}`,
};
