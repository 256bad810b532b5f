import type { firstSteps as english } from "./first-steps-en.js";

export const firstSteps: typeof english = {
  title: "可以先试试：",
  inEmptyFolder: [
    "写一个带时钟的小网页，保存到 index.html",
    "建一个带一个测试的小型 Python 项目",
    "你在这里能做什么？哪些操作会先问我？",
  ],
  explain: "说明这个项目做什么、怎样构建",
  runTests: (command) => `运行“${command}”，修好失败的部分`,
  writeTest: "找出最需要测试的代码，为它写一个测试",
  review: "审查我尚未提交的改动",
  about: (file) => `@${file} 这是做什么的？`,
};
