// Every string that the interface shows, in English. Its shape is the type that each other language must fill.
import { count } from "./count.js";
import { doctor, models } from "./diagnosis-en.js";
import { firstSteps } from "./first-steps-en.js";
import { glyphs } from "./glyphs.js";
import { input } from "./input-en.js";
import { joining } from "./joining-en.js";
import { notes } from "./notes-en.js";
import { resume } from "./resume-en.js";
import { sessions } from "./sessions-en.js";
import { settings } from "./settings-en.js";
import { notify, status } from "./status-en.js";
import { tools } from "./tools-en.js";
import { undo } from "./undo-en.js";
import { processes } from "./processes-en.js";
import { AS_WRITTEN } from "./translator.js";

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** With a decimal where it matters. */
function speed(tokensPerSecond: number): string {
  return `${tokensPerSecond.toFixed(tokensPerSecond < 10 ? 1 : 0)} tokens/s`;
}

function exit(exitCode: number | null): string {
  return exitCode === null ? "ended by a signal" : `exit code ${exitCode}`;
}

function nearest(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
}

export const en = {
  /** What comes from below `cli/`, where all texts are English: for events, records and the model, they stay so. */
  translate: AS_WRITTEN,
  joining,

  duration,
  glyphs,

  help: {
    program: "A coding agent in the terminal for models that run on your own machine, served by Ollama",
    commands: {
      chat: "interactive session in the current directory (the default)",
      ask: "one prompt from the arguments or standard input, the answer on standard output",
      demo: "the real agent on a small sample project, with a built-in scripted model; needs no Ollama",
      doctor: "check server, model, context window, sandbox and configuration, with a remedy for each fault",
      models: "installed models and what they can do",
      modelsList: "list installed models with size, abilities and context window",
      modelsPull: "download a model",
      modelsShow: "details of one model",
      sessions: "saved sessions of this folder",
      sessionsList: "list saved sessions",
      sessionsShow: "show one session",
      sessionsSearch: "find sessions that contain the words",
      sessionsExport: "print one session as Markdown or JSON",
      sessionsDelete: "delete one session",
      permissions: "the rules in force, and what would happen to a command",
      permissionsList: "list the rules in force with their origin",
      permissionsRemove: 'forget a rule that "always in this project" kept',
      permissionsCheck: "tell what would happen to COMMAND, and why",
      config: "the configuration in force",
      configShow: "each value with its origin",
      configPath: "the configuration files that were read",
      configSchema: "the JSON Schema of the configuration file",
      trust: "trust this folder's .mini-cc.json",
      init: "write a commented starter .mini-cc.json; never overwrites",
      help: "a topic, or the help of a command",
      completion: "a script that lets the shell complete commands, flags, models and sessions",
      schema: "the JSON Schema of what ask prints as json or, line by line, as stream-json",
    },
    arguments: {
      prompt: 'what to do; "-" reads standard input to its end',
      model: "name of a model, e.g. qwen2.5:7b",
      session: "ID of a session, or its beginning",
      words: "words to look for",
      command: "a command line, in quotes",
      rule: "a rule as the list shows it, in quotes",
      format: "json or stream-json",
      shell: "bash, zsh or fish",
      topic: "a topic or a command; without one, what there is of both",
    },
    flags: {
      model: "the model (MINI_CC_MODEL)",
      host: "address of the Ollama server (OLLAMA_HOST)",
      cwd: "workspace folder; commands run in it",
      numCtx: "context window in tokens",
      think: "whether the model thinks first: off, on, low, medium or high",
      permissionMode: "default, accept-edits, plan or bypass",
      allow: "let commands that begin with RULE run unasked, this run only; repeatable",
      continue: "go on with the latest session of this folder",
      resume: "go on with session ID",
      fork: "go on with a copy of the session that --continue or --resume names",
      maxSteps: "model requests per turn",
      maxToolCalls: "tool calls per turn",
      maxMinutes: "minutes per turn",
      maxTokens: "prompt and output tokens per turn",
      protocol: "how tool calls travel: auto, native or text",
      lang: "language of the interface: en, zh or auto (MINI_CC_LANG)",
      noColor: "no colours (NO_COLOR)",
      ascii: "nothing but ASCII is drawn (else the locale decides)",
      plain: "no spinners and nothing drawn over, as screen readers need it",
      debug: "write each request and raw reply to a file (MINI_CC_DEBUG=1)",
      outputFormat: "text, json or stream-json; mini-cc schema describes the last two",
      quiet: "no progress on standard error",
      all: "sessions of every folder",
      json: "print JSON",
      noLoad: "do not load the model; the window is then checked only if it is loaded already",
      revoke: "stop trusting this folder",
      help: "show help",
      version: "show the version",
    },
    examples: "Examples:",
    topics: "Topics (mini-cc help TOPIC):",
    aboutTopics: {
      permissions: "what may run, and how to change it",
      models: "which model, how much memory, which window",
      sessions: "going on, finding, keeping",
      undo: "what /undo takes back, and what it does not",
      commands: "how commands run, and how they end",
      scripts: "streams, exit codes, JSON, pipelines",
    },
    options: "options",
    command: "command",
    defaultValue: (value: string) => ` (default: ${value})`,
  },
  topics: async () => (await import("./topics-en.js")).topics,

  usage: {
    noPrompt:
      'no prompt given: put it behind "mini-cc ask", e.g. mini-cc ask "explain this project", or pipe it in',
    noTerminal: "an interactive session needs a terminal",
    noTerminalHint: 'for one prompt without a terminal: mini-cc ask "your prompt"',
    seeHelp: (command: string) => `see ${command} --help`,
    unknownCommand: (name: string, suggestion?: string) => `unknown command "${name}".${nearest(suggestion)}`,
    unknownTopic: (name: string, suggestion?: string) =>
      `there is no topic and no command "${name}".${nearest(suggestion)}`,
    seeTopics: "mini-cc help lists topics and commands",
    unknownOption: (name: string, suggestion?: string) => `unknown option "${name}".${nearest(suggestion)}`,
    invalidValue: (option: string, value: string, allowed: string) =>
      `${option} cannot be "${value}": it takes ${allowed}`,
  },

  chat: {
    banner: (version: string) => `mini-cc ${version}`,
    model: "model:",
    mode: "mode:",
    folder: "folder:",
    tokens: (tokens: number) => count(tokens, "token"),
    context: {
      system: "instructions",
      tools: "tools",
      conversation: "conversation",
      toolResults: "results of tools",
      replyReserve: "kept for the reply",
      free: "free",
      newest: (prompt: number, cached: number, speed: number) =>
        `last prompt: ${count(prompt, "token")}, about ${Math.round((100 * cached) / Math.max(1, prompt))} % from the server's cache; ${speed.toFixed(1)} tokens a second`,
    },
    contextWindow: (tokens: number) => `context window ${count(tokens, "token")}`,
    hint: "/help lists commands and keys · Esc stops a turn · Ctrl-D leaves",
    bypass: "BYPASS MODE: edits and commands happen unasked; only hard denials hold",
    leaveHint: "Ctrl-C again or Ctrl-D leaves",
    stopping: "stopping … (Ctrl-C again leaves at once)",
    cancelled: "stopped; the conversation goes on",
    cleared: "new conversation",
    modelInUse: (name: string) => `model: ${name}`,
    noModels: "no models are installed: ollama pull qwen2.5",
    installedModels: "installed models (/model NAME uses one):",
    unknownModel: (name: string, suggestion?: string) =>
      `no installed model is called "${name}".${nearest(suggestion)} Install it: ollama pull ${name}`,
    unknownCommand: (name: string, suggestion?: string) =>
      `unknown command "${name}".${nearest(suggestion)} /help lists all.`,
    commands: {
      help: "list the commands",
      exit: "leave",
      clear: "forget the conversation and begin a new one",
      model: "show the installed models, or use the model NAME",
      compact: "shorten the conversation to a summary",
      context: "show what the context window is used for",
    },
  },

  progress: {
    starting: "asking the model",
    loading: "loading the model",
    reading: "reading the prompt",
    thinking: "thinking",
    writing: "writing",
    /** `tokens` of the prompt, by estimate; `fresh` of them were not in the request before. */
    readingTokens: (tokens: number, fresh: number | undefined) =>
      `reading ${count(tokens, "token")}` +
      (fresh === undefined ? "" : ` (${fresh.toLocaleString("en-US")} new)`),
    /** By estimate. */
    writingTokens: (tokens: number, tokensPerSecond: number | undefined) =>
      `writing · about ${count(tokens, "token")}` +
      (tokensPerSecond === undefined ? "" : ` · ${speed(tokensPerSecond)}`),
    thought: (time: string) => `thought for ${time}`,
  },

  tool: {
    denied: (because: string) => `denied: ${because}`,
    declined: "declined",
    failed: (message: string) => `failed: ${message}`,
    exitCode: exit,
    cancelled: "cancelled",
    unknown: "whether it ran to its end is not known",
    moreLines: (number: number) => `… ${count(number, "more line")}`,
  },

  summary: {
    /** `total`: with those that are not named. */
    changed: (files: string[], total = files.length) =>
      `changed ${count(total, "file")}: ${files.join(", ")}`,
    moreFiles: (number: number) => `and ${number.toLocaleString("en-US")} more`,
    ran: (command: string, exitCode: number | null) => `ran ${command} (${exit(exitCode)})`,
    commands: (number: number, failed: number) =>
      `ran ${count(number, "command")}${failed > 0 ? ` (${failed.toLocaleString("en-US")} failed)` : ""}`,
    nothingRunSince: "nothing was run after the last change",
    list: (parts: string[]) => parts.join(", "),
    ranAll: (ended: string[]) => `ran ${ended.join(", ")}`,
    commandEnd: (command: string, exitCode: number | null) => `${command} (${exit(exitCode)})`,
    moreCommands: (number: number) => `… and ${count(number, "more command")}`,
    denied: (call: string, because: string) => `denied ${call}: ${because}`,
    allowHint:
      'nobody could be asked. To let a command run, name its beginning: --allow "npm test", or in allowedCommands of .mini-cc.json',
    editHint: "nobody could be asked. To let files be changed: --permission-mode accept-edits",
    turn: (turn: {
      promptTokens: number;
      outputTokens: number;
      /** Of the prompts, in the server's cache. */
      cachedPercent: number | undefined;
      tokensPerSecond: number | undefined;
      milliseconds: number;
    }) =>
      [
        `${turn.promptTokens.toLocaleString("en-US")} tokens in` +
          (turn.cachedPercent ? ` (${turn.cachedPercent} % cached)` : "") +
          `, ${turn.outputTokens.toLocaleString("en-US")} out`,
        ...(turn.tokensPerSecond === undefined ? [] : [speed(turn.tokensPerSecond)]),
        duration(turn.milliseconds),
      ].join(" · "),
    limit: "stopped at a limit before the work was finished",
  },

  notice: {
    warning: "warning:",
    error: "error:",
    compacted: (before: number, after: number) =>
      `conversation summarised: ${count(before, "token")} became ${after.toLocaleString("en-US")}`,
  },

  question: {
    run: "Run this command?",
    edit: (path: string) => `Change ${path}?`,
    create: (path: string) => `Create ${path}?`,
    use: (tool: string, subject: string) => `Let ${tool} use ${subject}?`,
    numbered: (number: number, outOf: number) => `(${number} of ${outOf})`,
    because: "why you are asked:",
    remember: (prefix: string) => `a or p allows what begins with: ${prefix}`,
    rememberEdits: "a or p allows all edits of files in this workspace, protected names excepted",
    rememberLine: (line: string) => `a or p allows exactly this line: ${line}`,
    cannotRemember: "this answer cannot be kept",
    once: "y once",
    session: "a this session",
    project: "p always in this project",
    no: "n no",
    default: "[n]",
    answered: {
      once: "yes, once",
      session: "yes, for this session",
      project: "yes, always in this project",
      no: "no",
    },
    reason: "what should the model know? (Enter: nothing)",
  },

  demo: {
    scripted: "The model of this demo is scripted: its replies are fixed. Everything else is real.",
    folder: (path: string) => `sample project: ${path}`,
    script: "en" as "en" | "zh",
    task: "task",
    evidence: "Evidence",
    changed: (files: string[]) => `files changed: ${files.length === 0 ? "none" : files.join(", ")}`,
    ran: (command: string, exitCode: number | null) => `command: ${command} (${exit(exitCode)})`,
    passed: "The test failed before and passes now.",
    failed: "The test still fails: the demo did not work on this machine.",
  },

  config: {
    origins: {
      flag: "flag",
      environment: "environment",
      project: "project file",
      user: "user file",
      default: "default",
    },
    notSet: "not set",
    filesRead: "files read",
    noFiles: "no configuration file was found",
    untrusted: (path: string) => `${path} is not trusted: parts of it do not count. See mini-cc trust`,
  },

  init: {
    written: (path: string) => `wrote ${path}`,
    exists: (path: string) => `${path} is there already; it was left as it is`,
  },

  trust: {
    question: (path: string) => `${path} wants more than the built-in rules give. Trust it?`,
    wants: "it would",
    answers: "y trust this file · n go on without these parts",
    trusted: (path: string) => `trusted: ${path}. A changed file asks again.`,
    revoked: (path: string) => `no longer trusted: ${path}`,
    notTrusted: (path: string) => `was not trusted: ${path}`,
    noFile: "there is no .mini-cc.json here, so there is nothing to trust",
    noFileHint: "mini-cc init writes one",
  },

  permissions: {
    verdict: { allow: "runs without asking", ask: "asks first", deny: "never runs" },
    part: (text: string, verdict: string, because: string) => `  ${text}: ${verdict}, ${because}`,
    because: "because",
    rememberAs: (rules: string[]) => `an "always" answer would keep: ${rules.join(", ")}`,
    mode: "mode",
    allowed: "runs without asking",
    denied: "never runs",
    none: "none",
    removed: (rule: string) => `forgotten: ${rule}`,
    notKept: (rule: string) => `no kept rule is "${rule}"`,
    seeList: "mini-cc permissions list shows the rules; those of a file are changed in the file",
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
