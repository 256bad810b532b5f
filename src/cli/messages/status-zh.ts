import type { Messages } from "./catalogue.js";

export const status: Messages["status"] = {
  used: (percent, window) =>
    `已用 ${percent}%（共 ${window < 1024 ? window : `${Math.round(window / 1024)}k`}）`,
  sandbox: "沙箱",
  noSandbox: "无沙箱",
  branch: (name) => `分支 ${name}`,
};

export const notify: Messages["notify"] = {
  question: "有问题等待回答",
  ended: (wentWell, time) => (wentWell ? `已完成，用时 ${time}` : `已中止，用时 ${time}`),
};
