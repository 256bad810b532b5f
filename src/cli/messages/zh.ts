import type { Messages } from "./catalogue.js";
import { doctor, models } from "./diagnosis-zh.js";
import { firstSteps } from "./first-steps-zh.js";
import { glyphs } from "./glyphs.js";
import { input } from "./input-zh.js";
import { joining } from "./joining-zh.js";
import { notes } from "./notes-zh.js";
import { resume } from "./resume-zh.js";
import { sessions } from "./sessions-zh.js";
import { settings } from "./settings-zh.js";
import { notify, status } from "./status-zh.js";
import { tools } from "./tools-zh.js";
import { undo } from "./undo-zh.js";
import { processes } from "./processes-zh.js";
import { translate } from "./translate-zh.js";

function number(value: number): string {
  return value.toLocaleString("zh-CN");
}

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.floor(seconds)} 秒`;
  return `${Math.floor(seconds / 60)} 分 ${Math.floor(seconds % 60)} 秒`;
}

function speed(tokensPerSecond: number): string {
  return `每秒 ${tokensPerSecond.toFixed(tokensPerSecond < 10 ? 1 : 0)} token`;
}

function exit(exitCode: number | null): string {
  return exitCode === null ? "被信号终止" : `退出码 ${exitCode}`;
}

function nearest(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : `是否想输入“${suggestion}”？`;
}

export const zh: Messages = {
  translate,
  joining,

  duration,
  glyphs,

  help: {
    program: "终端里的编程助手，使用由 Ollama 在本机运行的模型",
    commands: {
      chat: "在当前目录开始交互会话（默认）",
      ask: "从参数或标准输入读取一条提示，答案写到标准输出",
      demo: "在一个小示例项目上运行真正的助手，模型是内置脚本；不需要 Ollama",
      doctor: "检查服务器、模型、上下文窗口、沙箱和配置，并给出每个问题的解决办法",
      models: "已安装的模型及其能力",
      modelsList: "列出已安装的模型：大小、能力和上下文窗口",
      modelsPull: "下载一个模型",
      modelsShow: "一个模型的详细信息",
      sessions: "此文件夹保存的会话",
      sessionsList: "列出保存的会话",
      sessionsShow: "显示一个会话",
      sessionsSearch: "查找包含这些词的会话",
      sessionsExport: "以 Markdown 或 JSON 输出一个会话",
      sessionsDelete: "删除一个会话",
      permissions: "生效的规则，以及某条命令会如何处理",
      permissionsList: "列出生效的规则及其来源",
      permissionsRemove: "忘记一条以“在此项目中始终允许”保留的规则",
      permissionsCheck: "说明 COMMAND 会如何处理以及原因",
      config: "生效的配置",
      configShow: "每个值及其来源",
      configPath: "读取了哪些配置文件",
      configSchema: "配置文件的 JSON Schema",
      trust: "信任此文件夹的 .mini-cc.json",
      init: "写入带注释的初始 .mini-cc.json；从不覆盖",
      help: "一个主题，或某个命令的帮助",
      completion: "输出脚本，让 shell 补全命令、选项、模型和会话",
      schema: "ask 以 json 或（逐行）stream-json 输出内容的 JSON Schema",
    },
    arguments: {
      prompt: "要做的事；“-”表示读完标准输入",
      model: "模型名称，例如 qwen2.5:7b",
      session: "会话 ID 或其开头",
      words: "要查找的词",
      command: "一行命令，放在引号里",
      rule: "列表中显示的规则，加引号",
      format: "json 或 stream-json",
      shell: "bash、zsh 或 fish",
      topic: "主题或命令；不写则列出全部",
    },
    flags: {
      model: "使用的模型（MINI_CC_MODEL）",
      host: "Ollama 服务器地址（OLLAMA_HOST）",
      cwd: "工作区文件夹；命令在其中运行",
      numCtx: "上下文窗口，单位 token",
      think: "模型是否先思考：off、on、low、medium 或 high",
      permissionMode: "default、accept-edits、plan 或 bypass",
      allow: "以 RULE 开头的命令不询问直接运行，仅本次有效；可重复",
      continue: "继续此文件夹最近的会话",
      resume: "继续会话 ID",
      fork: "在 --continue 或 --resume 所指会话的副本上继续",
      maxSteps: "每轮最多的模型请求数",
      maxToolCalls: "每轮最多的工具调用次数",
      maxMinutes: "每轮最多的分钟数",
      maxTokens: "每轮最多的 token 数（输入与输出合计）",
      protocol: "工具调用的传输方式：auto、native 或 text",
      lang: "界面语言：en、zh 或 auto（MINI_CC_LANG）",
      noColor: "不使用颜色（NO_COLOR）",
      ascii: "只用 ASCII 绘制（默认由区域设置决定）",
      plain: "不用动画，也不重绘屏幕，适合屏幕阅读器",
      debug: "把每个请求和原始回复写入文件（MINI_CC_DEBUG=1）",
      outputFormat: "text、json 或 stream-json；后两种的说明见 mini-cc schema",
      quiet: "标准错误上不显示进度",
      all: "所有文件夹的会话",
      json: "输出 JSON",
      noLoad: "不加载模型；只有模型已加载时才检查窗口",
      revoke: "不再信任此文件夹",
      help: "显示帮助",
      version: "显示版本",
    },
    examples: "示例：",
    topics: "主题（mini-cc help TOPIC）：",
    aboutTopics: {
      permissions: "哪些可以运行，如何更改",
      models: "用哪个模型，多少内存，多大窗口",
      sessions: "继续、查找、保存",
      undo: "/undo 能恢复什么，不能恢复什么",
      commands: "命令怎样运行，怎样结束",
      scripts: "数据流、退出码、JSON、管道",
    },
    options: "选项",
    command: "命令",
    defaultValue: (value) => `（默认：${value}）`,
  },
  topics: async () => (await import("./topics-zh.js")).topics,

  usage: {
    noPrompt: '没有给出提示：请写在 "mini-cc ask" 之后，例如 mini-cc ask "解释这个项目"，或通过管道传入',
    noTerminal: "交互会话需要终端",
    noTerminalHint: '没有终端时，单个提示请用：mini-cc ask "你的提示"',
    seeHelp: (command) => `参见 ${command} --help`,
    unknownCommand: (name, suggestion) => `未知命令“${name}”。${nearest(suggestion)}`,
    unknownTopic: (name, suggestion) => `没有名为“${name}”的主题或命令。${nearest(suggestion)}`,
    seeTopics: "mini-cc help 列出主题和命令",
    unknownOption: (name, suggestion) => `未知选项“${name}”。${nearest(suggestion)}`,
    invalidValue: (option, value, allowed) =>
      `${option} 不能是“${value}”：可用的值为 ${allowed.replaceAll(", ", "、")}`,
  },

  chat: {
    banner: (version) => `mini-cc ${version}`,
    model: "模型：",
    mode: "模式：",
    folder: "文件夹：",
    tokens: (tokens) => `${number(tokens)} token`,
    context: {
      system: "指令",
      tools: "工具",
      conversation: "对话",
      toolResults: "工具结果",
      replyReserve: "为回复保留",
      free: "剩余",
      newest: (prompt, cached, speed) =>
        `上次提示：${number(prompt)} token，约 ${Math.round((100 * cached) / Math.max(1, prompt))}% 来自服务器缓存；每秒 ${speed.toFixed(1)} token`,
    },
    contextWindow: (tokens) => `上下文窗口 ${number(tokens)} token`,
    hint: "/help 列出命令和按键 · Esc 停止本轮 · Ctrl-D 退出",
    bypass: "BYPASS 模式：修改和命令不经询问立即执行；只有硬性禁止仍然有效",
    leaveHint: "再按一次 Ctrl-C 或按 Ctrl-D 退出",
    stopping: "正在停止 …（再按一次 Ctrl-C 立即退出）",
    cancelled: "已停止；对话可以继续",
    cleared: "新的对话",
    modelInUse: (name) => `模型：${name}`,
    noModels: "没有安装任何模型：ollama pull qwen2.5",
    installedModels: "已安装的模型（用 /model NAME 选用）：",
    unknownModel: (name, suggestion) =>
      `没有安装名为“${name}”的模型。${nearest(suggestion)}安装：ollama pull ${name}`,
    unknownCommand: (name, suggestion) => `未知命令“${name}”。${nearest(suggestion)}/help 列出全部。`,
    commands: {
      help: "列出命令",
      exit: "退出",
      clear: "忘记对话，重新开始",
      model: "显示已安装的模型，或选用名为 NAME 的模型",
      compact: "把对话压缩成摘要",
      context: "显示上下文窗口的使用情况",
    },
  },

  progress: {
    starting: "正在询问模型",
    loading: "正在加载模型",
    reading: "正在读取提示",
    thinking: "正在思考",
    writing: "正在书写",
    readingTokens: (tokens, fresh) =>
      `正在读取 ${number(tokens)} token` + (fresh === undefined ? "" : `（新增 ${number(fresh)}）`),
    writingTokens: (tokens, tokensPerSecond) =>
      `正在书写 · 约 ${number(tokens)} token` +
      (tokensPerSecond === undefined ? "" : ` · ${speed(tokensPerSecond)}`),
    thought: (time) => `思考了 ${time}`,
  },

  tool: {
    denied: (because) => `已拒绝：${translate.reasons(because)}`,
    declined: "你已拒绝",
    failed: (message) => `失败：${translate.text(message)}`,
    exitCode: exit,
    cancelled: "已取消",
    unknown: "不知道是否运行完毕",
    moreLines: (lines) => `… 还有 ${number(lines)} 行`,
  },

  summary: {
    changed: (files, total) => `修改了 ${number(total ?? files.length)} 个文件：${files.join("、")}`,
    moreFiles: (files) => `另外 ${number(files)} 个`,
    ran: (command, exitCode) => `运行了 ${command}（${exit(exitCode)}）`,
    commands: (commands, failed) =>
      `运行了 ${number(commands)} 条命令${failed > 0 ? `（${number(failed)} 条失败）` : ""}`,
    nothingRunSince: "最后一次修改之后没有运行过命令",
    list: (parts) => parts.join("、"),
    ranAll: (ended) => `运行了 ${ended.join("、")}`,
    commandEnd: (command, exitCode) => `${command}（${exit(exitCode)}）`,
    moreCommands: (commands) => `… 以及另外 ${number(commands)} 条命令`,
    denied: (call, because) => `拒绝了 ${call}：${translate.reasons(because)}`,
    allowHint:
      '没有人可以回答询问。要让命令运行，请写出其开头：--allow "npm test"，或写入 .mini-cc.json 的 allowedCommands',
    editHint: "没有人可以回答询问。要允许修改文件：--permission-mode accept-edits",
    turn: (turn) =>
      [
        `输入 ${number(turn.promptTokens)} token` +
          (turn.cachedPercent ? `（${turn.cachedPercent}% 来自缓存）` : "") +
          `，输出 ${number(turn.outputTokens)}`,
        ...(turn.tokensPerSecond === undefined ? [] : [speed(turn.tokensPerSecond)]),
        duration(turn.milliseconds),
      ].join(" · "),
    limit: "达到上限，工作尚未完成就停止了",
  },

  notice: {
    warning: "警告：",
    error: "错误：",
    compacted: (before, after) => `对话已压缩：${number(before)} token 变为 ${number(after)}`,
  },

  question: {
    run: "运行这条命令？",
    edit: (path) => `修改 ${path}？`,
    create: (path) => `新建 ${path}？`,
    use: (tool, subject) => `允许 ${tool} 使用 ${subject}？`,
    numbered: (at, outOf) => `（第 ${at} 个，共 ${outOf} 个）`,
    because: "询问的原因：",
    remember: (prefix) => `a 或 p 会允许以此开头的命令：${prefix}`,
    rememberEdits: "a 或 p 允许修改此工作区内的所有文件（受保护的文件名除外）",
    rememberLine: (line) => `a 或 p 只允许这一整行：${line}`,
    cannotRemember: "这个回答不能保存",
    once: "y 仅此一次",
    session: "a 本次会话",
    project: "p 此项目中始终",
    no: "n 否",
    default: "[n]",
    answered: {
      once: "是，仅此一次",
      session: "是，本次会话",
      project: "是，此项目中始终",
      no: "否",
    },
    reason: "要告诉模型什么？（Enter：不说）",
  },

  demo: {
    scripted: "这个演示的模型是脚本：它的回复是固定的。其余一切都是真的。",
    folder: (path) => `示例项目：${path}`,
    script: "zh",
    task: "任务",
    evidence: "证据",
    changed: (files) => `修改的文件：${files.length === 0 ? "无" : files.join("、")}`,
    ran: (command, exitCode) => `命令：${command}（${exit(exitCode)}）`,
    passed: "测试之前失败，现在通过。",
    failed: "测试仍然失败：演示在这台机器上没有成功。",
  },

  config: {
    origins: {
      flag: "命令行选项",
      environment: "环境变量",
      project: "项目文件",
      user: "用户文件",
      default: "默认值",
    },
    notSet: "未设置",
    filesRead: "读取的文件",
    noFiles: "没有找到配置文件",
    untrusted: (path) => `${path} 未受信任：其中一部分无效。参见 mini-cc trust`,
  },

  init: {
    written: (path) => `已写入 ${path}`,
    exists: (path) => `${path} 已存在；未作改动`,
  },

  trust: {
    question: (path) => `${path} 要求的权限超过内置规则。信任它吗？`,
    wants: "它会",
    answers: "y 信任此文件 · n 忽略这些部分并继续",
    trusted: (path) => `已信任：${path}。文件改变后会再次询问。`,
    revoked: (path) => `不再信任：${path}`,
    notTrusted: (path) => `原本就未受信任：${path}`,
    noFile: "这里没有 .mini-cc.json，无需信任",
    noFileHint: "mini-cc init 会写一个",
  },

  permissions: {
    verdict: { allow: "不询问直接运行", ask: "先询问", deny: "从不运行" },
    part: (text, verdict, because) => `  ${text}：${verdict}，${translate.reasons(because)}`,
    because: "原因",
    rememberAs: (rules) => `回答“始终”会保存：${rules.join("、")}`,
    mode: "模式",
    allowed: "不询问直接运行",
    denied: "从不运行",
    none: "无",
    removed: (rule: string) => `已忘记：${rule}`,
    notKept: (rule: string) => `没有保留过规则“${rule}”`,
    seeList: "mini-cc permissions list 显示所有规则；文件中的规则请在文件里修改",
  },

  firstSteps,
  input,
  settings,
  models,
  doctor,
  notes,
  sessions,
  notify,
  status,
  tools,
  undo,
  processes,
  resume,
};
