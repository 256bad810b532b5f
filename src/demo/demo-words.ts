type DemoLanguage = "en" | "zh";

export interface DemoWords {
  /** What the user asks for. */
  prompt: string;
  look: string;
  search: string;
  read: (file: string) => string;
  fail: string;
  cause: string;
  again: string;
  fixed: (file: string, before: number | undefined) => string;
  notRun: string;
  passAlready: string;
  noCause: (exitCode: number) => string;
  notRunAgain: string;
  stillFails: (exitCode: number) => string;
  toolSaid: (text: string) => string;
}

/** What the scripted model says, in the languages of the interface. */
export const DEMO_WORDS: Readonly<Record<DemoLanguage, DemoWords>> = {
  en: {
    prompt: "One test of this project fails. Find the cause, fix it, and show that the tests pass.",
    look: "I start with a look at the project.",
    search: "Where is the discount worked out?",
    read: (file) => `${file} decides it.`,
    fail: "Now I run the tests to see the failure.",
    cause: "Ten items should get the discount, but the comparison leaves out ten itself.",
    again: "Now the tests again.",
    fixed: (file, before) =>
      `Fixed: the tests pass now (exit code 0, it was ${before ?? "unknown"} before). ` +
      `${file} gave the discount only above ten items, while the README promises it from ten on. ` +
      "I changed `>` to `>=` in one line.",
    notRun: "I could not run the tests, so I changed nothing.",
    passAlready: "The tests pass already (exit code 0), so I changed nothing.",
    noCause: (exitCode) => `The tests fail (exit code ${exitCode}), but I did not find the cause.`,
    notRunAgain: "I could not run the tests again, so I do not know whether the change helps.",
    stillFails: (exitCode) => `The tests still fail (exit code ${exitCode}): the bug is not fixed.`,
    toolSaid: (text) => (text === "" ? "The tool said nothing." : `The tool said: ${text}`),
  },
  zh: {
    prompt: "这个项目有一个测试失败。请找出原因，修好它，并证明测试通过。",
    look: "我先看看这个项目。",
    search: "折扣是在哪里计算的？",
    read: (file) => `由 ${file} 决定。`,
    fail: "现在运行测试，看看失败的情况。",
    cause: "满十件就应有折扣，但这个比较漏掉了正好十件的情况。",
    again: "再运行一次测试。",
    fixed: (file, before) =>
      `已修好：现在测试通过（退出码 0，之前是 ${before ?? "未知"}）。` +
      `${file} 只在超过十件时给折扣，而 README 承诺从十件起就有。` +
      "我把一行里的 `>` 改成了 `>=`。",
    notRun: "我无法运行测试，因此没有作任何改动。",
    passAlready: "测试本来就通过（退出码 0），因此我没有作任何改动。",
    noCause: (exitCode) => `测试失败（退出码 ${exitCode}），但我没有找到原因。`,
    notRunAgain: "我无法再次运行测试，因此不知道这个改动是否有用。",
    stillFails: (exitCode) => `测试仍然失败（退出码 ${exitCode}）：问题没有修好。`,
    toolSaid: (text) => (text === "" ? "工具没有输出。" : `工具的输出：${text}`),
  },
};

/** The words in the language of a message. */
export function wordsLike(message: string): DemoWords {
  return DEMO_WORDS[/\p{Script=Han}/u.test(message) ? "zh" : "en"];
}
