import type { ChatRequest } from "../../src/demo/chat-request.js";
import { call, fail, say, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import type { ScriptedModel } from "../../src/demo/scripted-models.js";

/** A run in which the model gets something wrong, and what becomes of it. */
export interface FaultCase {
  name: string;
  prompt: string;
  args?: readonly string[];
  model?: Partial<ScriptedModel>;
  files?: Readonly<Record<string, string>>;
  replies: readonly Reply[] | ((request: ChatRequest, index: number) => Reply);
  /** Requests that the same task takes when nothing goes wrong, and those that the fault costs. */
  usual: number;
  extra: number;
  exit: number;
  /** The code of the error that ends the turn; without one it ends by itself. */
  error?: string;
  /** The codes of the notices, in order. */
  notices: readonly string[];
  /** What the user reads on standard error. */
  told?: RegExp;
  answer: string;
  /** What the last message of a request says, by its number from 0. */
  says?: Readonly<Record<number, RegExp>>;
  /** Fields in which a request differs from the first one, besides its messages. */
  differs?: Readonly<Record<number, "think" | "temperature">>;
  /** Requests that are ended from the client's side. */
  aborted?: readonly number[];
  /** Files afterwards; null: it does not exist. */
  after?: Readonly<Record<string, string | null>>;
}

const EDITS = ["--permission-mode", "accept-edits"];
const THINKER = { capabilities: ["completion", "tools", "thinking"] };
const THINKING = ["--think", "on"];

const DONE = say("Done.");
const lost = say([], { outputTokens: 40 });
const empty = say([], { outputTokens: 1 });
const thoughts = (count: number) => Array.from({ length: count }, (_, index) => `thought${index} `);
const thoughtOnly = think("I think about it.", say([]));
const unparsed = (raw: string) => fail(500, `error parsing tool call: raw='${raw}', err=invalid character`);
const readFile = call("read_file", { path: "a.txt" });
const FILES = { "a.txt": "one\n" };
const FUNCTION =
  "export function add(a, b) {\n  return a - b;\n}\n\nexport const zero = 0;\nexport const one = 1;\n";
const MENDED = FUNCTION.replace("a - b", "a + b");
const endless = say(
  Array<string>(4_000).fill("I will look at the file again, since something in it may be wrong. "),
  { chunkDelay: 1 },
);
const editAdd = call("edit_file", { path: "add.mjs", old_text: "a - b", new_text: "a + b" });

const EMPTY_REPLIES: readonly FaultCase[] = [
  {
    name: "a reply whose call was lost is asked about",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [lost, readFile, DONE],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-swallowed-call"],
    told: /tool call was lost/,
    answer: "Done.",
    says: { 1: /^Your last reply could not be read\. Call one tool/ },
  },
  {
    name: "an empty reply is asked again once, hotter and without a word",
    prompt: "hi",
    replies: [empty, DONE],
    usual: 1,
    extra: 1,
    exit: 0,
    notices: ["reply-empty"],
    told: /returned nothing/,
    answer: "Done.",
    says: { 1: /^hi$/ },
    differs: { 1: "temperature" },
  },
  {
    name: "empty replies end the turn",
    prompt: "hi",
    replies: [empty, empty],
    usual: 1,
    extra: 1,
    exit: 1,
    error: "reply-empty",
    notices: ["reply-empty"],
    told: /the model returned nothing, neither words nor a tool call\n {2}Send the prompt again/,
    answer: "",
  },
  {
    name: "an empty reply behind results is asked to go on, then reminded of the task",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [readFile, empty, empty, DONE],
    usual: 2,
    extra: 2,
    exit: 0,
    notices: ["reply-empty", "reply-empty"],
    answer: "Done.",
    says: { 2: /^Continue: answer the user/, 3: /The user wants: What is in a\.txt\?$/ },
  },
];

const THINKING_REPLIES: readonly FaultCase[] = [
  {
    name: "a reply that is all thinking is asked again with thinking off",
    prompt: "hi",
    args: THINKING,
    model: THINKER,
    replies: [thoughtOnly, DONE],
    usual: 1,
    extra: 1,
    exit: 0,
    notices: ["reply-thinking-only"],
    told: /all thinking/,
    answer: "Done.",
    says: { 1: /^hi$/ },
    differs: { 1: "think" },
  },
  {
    name: "replies that are all thinking end the turn",
    prompt: "hi",
    args: THINKING,
    model: THINKER,
    replies: [thoughtOnly, thoughtOnly, thoughtOnly],
    usual: 1,
    extra: 2,
    exit: 1,
    error: "reply-thinking-only",
    notices: ["reply-thinking-only", "reply-thinking-only"],
    told: /all thinking and held no answer\n {2}Switch thinking off/,
    answer: "",
    says: { 2: /^Give the answer or call a tool now\.$/ },
  },
  {
    name: "thinking in tags of a model that cannot switch it off is asked about once",
    prompt: "hi",
    replies: () => say("<think>plan</think>"),
    usual: 1,
    extra: 1,
    exit: 1,
    error: "reply-thinking-only",
    notices: ["reply-thinking-only"],
    answer: "",
  },
  {
    name: "thinking up to the output limit is asked again with thinking off",
    prompt: "hi",
    args: THINKING,
    model: THINKER,
    replies: [think(thoughts(2_000), say([], { doneReason: "length" })), DONE],
    usual: 1,
    extra: 1,
    exit: 0,
    notices: ["reply-output-limit"],
    told: /output limit before its answer/,
    answer: "Done.",
    differs: { 1: "think" },
  },
  {
    name: "thinking up to the output limit ends the turn where it cannot be switched off",
    prompt: "hi",
    replies: [say("<think>on and on", { doneReason: "length" })],
    usual: 1,
    extra: 0,
    exit: 1,
    error: "reply-output-limit",
    notices: [],
    told: /still thinking[^]*ollama\.numPredict[^]*--think off/,
    answer: "",
  },
  {
    name: "thinking without end is stopped and asked again with thinking off",
    prompt: "hi",
    args: THINKING,
    model: THINKER,
    replies: [think(thoughts(4_000), say("Late.", { chunksPerWrite: 50, stallAfter: 3_900 })), DONE],
    usual: 1,
    extra: 1,
    exit: 0,
    notices: ["reply-runaway-thinking"],
    told: /without coming to an answer/,
    answer: "Done.",
    differs: { 1: "think" },
    aborted: [0],
  },
];

const REPEATING_REPLIES: readonly FaultCase[] = [
  {
    name: "a text that repeats itself is stopped and asked for again, hotter",
    prompt: "hi",
    replies: [endless, DONE],
    usual: 1,
    extra: 1,
    exit: 0,
    notices: ["reply-repetition"],
    told: /repeated itself/,
    answer: "Done.",
    says: { 1: /^hi$/ },
    differs: { 1: "temperature" },
    aborted: [0],
  },
  {
    name: "a text that repeats itself twice ends the turn, and its first copy is the answer",
    prompt: "hi",
    replies: [endless, endless],
    usual: 1,
    extra: 1,
    exit: 1,
    error: "reply-repetition",
    notices: ["reply-repetition"],
    told: /repeated itself over and over/,
    answer: "I will look at the file again, since something in it may be wrong.",
    aborted: [0, 1],
  },
  {
    name: "an answer at the output limit goes on",
    prompt: "hi",
    replies: [say("One, two,", { doneReason: "length" }), say(" three.")],
    usual: 1,
    extra: 1,
    exit: 0,
    notices: ["reply-cut-answer"],
    told: /ollama\.numPredict/,
    answer: "One, two, three.",
    says: { 1: /^Your answer was cut off .* Go on exactly where it stops/ },
  },
];

const CUT_CALLS: readonly FaultCase[] = [
  {
    name: "a call that was cut off is not run, and smaller parts are asked for",
    prompt: "Write guide.md.",
    args: EDITS,
    replies: [
      call("write_file", { path: "guide.md", content: "# Part 1\nSome te" }, { doneReason: "length" }),
      call("write_file", { path: "guide.md", content: "# Part 1\n" }),
      DONE,
    ],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-truncated-call"],
    told: /output limit of \d+ tokens \(ollama\.numPredict\)/,
    answer: "Done.",
    says: { 1: /cut off at the output limit, after \d+ tokens.*at most 150 lines/ },
    after: { "guide.md": "# Part 1\n" },
  },
  {
    name: "calls that are cut off again and again end the turn",
    prompt: "Write guide.md.",
    args: EDITS,
    replies: (_, index) =>
      index < 3
        ? call("write_file", { path: "guide.md", content: "# Part" }, { doneReason: "length" })
        : say("It is too long for me."),
    usual: 2,
    extra: 2,
    exit: 5,
    error: "loop",
    notices: Array<string>(3).fill("reply-truncated-call"),
    told: /cut off at the output limit/,
    answer: "It is too long for me.",
    after: { "guide.md": null },
  },
  {
    name: "a call in text that was cut off is not run, and smaller parts are asked for",
    prompt: "Write guide.md.",
    args: EDITS,
    replies: [
      say('<tool_call>{"name":"write_file","arguments":{"path":"guide.md","content":"# Par', {
        doneReason: "length",
      }),
      call("write_file", { path: "guide.md", content: "# Part 1\n" }),
      DONE,
    ],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-truncated-call"],
    answer: "Done.",
    says: { 1: /cut off and was not run\. Write in smaller parts/ },
    after: { "guide.md": "# Part 1\n" },
  },
];

const WRONG_CALLS: readonly FaultCase[] = [
  {
    name: "a call under another name, with other names of its keys, is run as it was meant",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [call("ReadFile ", { file_path: "a.txt", start_line: "1" }), DONE],
    usual: 2,
    extra: 0,
    exit: 0,
    notices: [],
    answer: "Done.",
    says: { 1: /one/ },
  },
  {
    name: "a call as text is run as one",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [say('{"name": "read_file", "arguments": {"path": "a.txt"}}'), DONE],
    usual: 2,
    extra: 0,
    exit: 0,
    notices: [],
    answer: "Done.",
    says: { 1: /one/ },
  },
  {
    name: "a call of a tool that there is not is answered with those there are",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [call("fly_file", { path: "a.txt" }), readFile, DONE],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: [],
    answer: "Done.",
    says: { 1: /There is no tool "fly_file"\. Call one of: read_file, .*takes \{"path": string/ },
  },
  {
    name: "calls of tools that there are not end the turn",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: (_, index) => (index < 3 ? call(`fly_${index}`, { to: `${index}` }) : say("I cannot.")),
    usual: 2,
    extra: 2,
    exit: 5,
    error: "loop",
    notices: [],
    told: /3 calls in this turn could not be run: there is no such tool/,
    answer: "I cannot.",
    says: { 3: /Stop here/ },
  },
  {
    name: "a call without its text is answered with the right shape, and that it may have been cut off",
    prompt: "Write big.md.",
    args: EDITS,
    replies: [
      call("write_file", { path: "big.md" }),
      call("write_file", { path: "big.md", content: "# Big\n" }),
      DONE,
    ],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: [],
    answer: "Done.",
    says: { 1: /"content".*cut off.*150 lines.*\{"path": string, "content": string\}$/s },
    after: { "big.md": "# Big\n" },
  },
  {
    name: "calls without their text end the turn",
    prompt: "Write big.md.",
    args: EDITS,
    replies: (_, index) => (index < 3 ? call("write_file", { path: "big.md" }) : say("I cannot.")),
    usual: 2,
    extra: 2,
    exit: 5,
    error: "loop",
    notices: [],
    told: /wrong arguments for write_file/,
    answer: "I cannot.",
    says: { 2: /^write_file was not run again: / },
    after: { "big.md": null },
  },
  {
    name: "a call in text that cannot be run is told why",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [
      say('<tool_call>{"name": "write_file", "arguments": {"path": "b.md"}}</tool_call>'),
      readFile,
      DONE,
    ],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-unreadable-call"],
    answer: "Done.",
    says: {
      1: /^write_file was not run, it lacks content\. .*It takes \{"path": string, "content": string\}/,
    },
    after: { "b.md": null },
  },
];

const UNPARSED_CALLS: readonly FaultCase[] = [
  {
    name: "a call that the server could not parse is asked about",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [unparsed("ls"), readFile, DONE],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-server-parse"],
    told: /could not read the model's tool call/,
    answer: "Done.",
    says: { 1: /^Your last tool call could not be read\. Call one tool with valid arguments/ },
    differs: { 1: "temperature" },
  },
  {
    name: "a call that the server could not parse is made if its text names it",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [unparsed('{"name":"read_file","arguments":{"path":"a.txt"}}]'), DONE],
    usual: 2,
    extra: 0,
    exit: 0,
    notices: [],
    answer: "Done.",
    says: { 1: /one/ },
  },
  {
    name: "arguments that the server could not parse are no call if they fit more than one tool",
    prompt: "What is in a.txt?",
    args: ["--protocol", "native"],
    files: FILES,
    replies: () => unparsed('{"path":"a.txt"}]'),
    usual: 2,
    extra: 2,
    exit: 1,
    error: "model-output",
    notices: Array<string>(3).fill("reply-server-parse"),
    told: /scripted:latest wrote a tool call that the server could not read[^]*\n {2}Nothing is lost: send the prompt again/,
    answer: "",
    says: { 2: /^It could not be read again\. Use shorter arguments/ },
  },
  {
    name: "a call that breaks the server's XML in the middle of a reply is asked about",
    prompt: "What is in a.txt?",
    files: FILES,
    replies: [
      say("Reading it.", {
        errorLine: "XML syntax error on line 3: element <parameter> closed by </function>",
      }),
      readFile,
      DONE,
    ],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-server-parse"],
    answer: "Done.",
    says: { 1: /could not be read/ },
  },
];

const WORDS: readonly FaultCase[] = [
  {
    name: "a step that is announced and not taken is asked for",
    prompt: "Fix the bug in add.mjs.",
    args: EDITS,
    files: { "add.mjs": FUNCTION },
    replies: [say("The sum is wrong. I will edit add.mjs now."), editAdd, say("add adds now.")],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-announced"],
    told: /did not do it/,
    answer: "add adds now.",
    says: { 1: /^You said "I will edit add\.mjs now\." but called no tool\. Call the tool now\./ },
    after: { "add.mjs": MENDED },
  },
  {
    name: "a step that is announced in Chinese and not taken is asked for",
    prompt: "修复 add.mjs 里的错误",
    args: EDITS,
    files: { "add.mjs": FUNCTION },
    replies: [say("问题在第二行。接下来我将修改 add.mjs。"), editAdd, say("已经修好了。")],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-announced"],
    answer: "已经修好了。",
    says: { 1: /^You said "接下来我将修改 add\.mjs。" but called no tool/ },
    after: { "add.mjs": MENDED },
  },
  {
    name: "steps that are announced again and again are asked for twice, and then stand",
    prompt: "Make app.ts.",
    replies: () => say("Next I will create app.ts."),
    usual: 1,
    extra: 2,
    exit: 0,
    notices: ["reply-announced", "reply-announced", "stands-announced"],
    told: /says what it will do next, and did not do it/,
    answer: "Next I will create app.ts.",
  },
  {
    name: "a change that is claimed and was not made is asked about once",
    prompt: "Fix the bug in add.mjs.",
    args: EDITS,
    files: { "add.mjs": FUNCTION },
    replies: [say("I have fixed the add function in add.mjs."), editAdd, say("I have fixed add.mjs.")],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-claimed"],
    told: /no file was changed/,
    answer: "I have fixed add.mjs.",
    says: { 1: /^No file was changed in this turn\./ },
    after: { "add.mjs": MENDED },
  },
  {
    name: "a change that is claimed all the same stands with a warning",
    prompt: "Fix the bug in add.mjs.",
    files: { "add.mjs": FUNCTION },
    replies: () => say("I have fixed the add function in add.mjs."),
    usual: 1,
    extra: 1,
    exit: 0,
    notices: ["reply-claimed", "stands-claimed"],
    told: /says that it changed something, but no file was changed in this turn/,
    answer: "I have fixed the add function in add.mjs.",
    after: { "add.mjs": FUNCTION },
  },
  {
    name: "code that is shown in place of an edit is asked to be applied",
    prompt: "Fix the bug in add.mjs.",
    args: EDITS,
    files: { "add.mjs": FUNCTION },
    replies: [
      say(["Here is `add.mjs` without the bug:\n\n", `\`\`\`js\n${MENDED}\`\`\`\n`, "\nNow it adds."]),
      editAdd,
      say("add adds now."),
    ],
    usual: 2,
    extra: 1,
    exit: 0,
    notices: ["reply-shown-code"],
    told: /code in place of an edit/,
    answer: "add adds now.",
    says: {
      1: /^You showed code for add\.mjs, .*Apply it with edit_file or write_file, or say that it is only an example/,
    },
    after: { "add.mjs": MENDED },
  },
];

/** Every fault of a reply, one run each. The bench tells what they cost. */
export const FAULTS: readonly FaultCase[] = [
  ...EMPTY_REPLIES,
  ...THINKING_REPLIES,
  ...REPEATING_REPLIES,
  ...CUT_CALLS,
  ...WRONG_CALLS,
  ...UNPARSED_CALLS,
  ...WORDS,
];
