import { requestKind } from "./request-kind.js";
import type { Answer } from "./shown-code.js";
import { readAnswer, suggestedFile } from "./shown-code.js";

/** What is wrong with the words of a reply that makes no call, though it may stand as an answer. */
export type WordFault = "announced" | "claimed" | "shown-code";

/** What a reply's words are held against. */
export interface WordFacts {
  /** The user's message. */
  prompt: string;
  /** Of this turn: tools were called; a file was changed; a command ended well; a call was denied. */
  hasCalled: boolean;
  hasChanged: boolean;
  hasRun: boolean;
  hasDenied: boolean;
  /** There are tools that change files, and they may be used. */
  canEdit: boolean;
  /** The text of a file of the workspace; undefined if there is none. */
  fileText: (path: string) => string | undefined;
}

export interface FoundWordFault {
  fault: WordFault;
  /** What the fault is about, in few words: the sentence that announces, the path of the file. */
  quote: string;
}

/**
 * Finds the replies with which small models stop in the middle of a task: they say what they will do, say that they
 * did what they did not, or print code in place of an edit. In doubt it finds none: a good answer that is asked about
 * costs more than a bad one that stands.
 */
export function wordFault(text: string, facts: WordFacts): FoundWordFault | undefined {
  const { prompt, hasCalled, hasChanged, hasRun, hasDenied, canEdit } = facts;
  const { work, change } = requestKind(prompt);
  if (hasDenied || !work) return undefined;
  const answer = readAnswer(text);
  const announced = announcement(answer);
  if (announced !== undefined) return { fault: "announced", quote: announced };
  if (!change || !canEdit || hasChanged) return undefined;
  if (!hasRun && claimsChange(answer, hasCalled)) return { fault: "claimed", quote: "" };
  const suggested = suggestedFile(answer, facts.fileText);
  return suggested === undefined ? undefined : { fault: "shown-code", quote: suggested };
}

const SENTENCE_END = /(?<=[.!])\s+|(?<=[。！])\s*(?=[^])/;
/** Longest sentence that is quoted. */
const QUOTE_CHARS = 120;
/** How far from the end something is looked for that speaks against an announcement. */
const END_CHARS = 400;

const INTENT =
  /\b(?:i['’]ll|i will|i am going to|i['’]m going to|let me|let['’]?s|let us|next,? i|now,? i|first,? i|then,? i|i need to|we need to|we['’]ll)\b/i;
/** What is done with a tool, soon after the intent. */
const ACTION =
  /^\W*(?:\w+\s+){0,4}?(?:read|open|check|look (?:at|into|for|through|up|around)|search|run|execute|edit|create|update(?! you)|fix|write|install|examine|inspect|modify|add|implement|list|explore|rename|delete|remove|replace|apply|rewrite|verify)\b/i;
const CHINESE_INTENT =
  /(?:我(?:们)?(?:先|再)?(?:将会?|会|要|来|先|再|现在|接下来|需要|打算|准备|这就)|让我(?:们)?|接下来|下一步|首先|现在)[^，。；]{0,6}?(?:读取|查看|看看|看一下|检查|搜索|查找|运行|执行|编辑|修改|创建|新建|更新|修复|写入|编写|安装|打开|列出|添加|删除|替换|实现|重构|重命名)/;

/** In the sentence: it hangs on something, is denied, or is over. */
const NOT_MEANT =
  /\b(?:if|unless|once|until|whenever|when you|after you|as soon as|should you|would|could|might|can(?:no|['’])?t|cannot|unable|not|never|won['’]t|denied|let me know|tell me|remember|from now on|in (?:the )?future|next time|later|have|has|had|already|was|were|done|been)\b/i;
const CHINESE_NOT_MEANT =
  /如果|若|要是|假如|一旦|是否|请|您|你|无法|不能|不会|不要|没有|被拒绝|已|过|完[成毕]|好了|了[。！]?$|以后|今后|记住/;
/** Anywhere: it is an answer, or ends with one. */
const FINAL =
  /\b(?:in (?:summary|conclusion|short)|to sum(?:mari[sz]e| up)|final answer|task is (?:complete|done|finished)|all done|that['’]s (?:it|all)|hope this helps|feel free|anything else|here(?:['’]s| is| are) (?:the|your|a) (?:result|answer|summary))\b|总结|综上|总之|任务(?:已经?)?完成|希望(?:这|对)|全部完成/i;

/** The sentence with which a reply ends by saying what comes next; undefined if it does not. */
function announcement({ words, endsInCode }: Answer): string | undefined {
  if (words === "" || endsInCode) return undefined;
  const end = words.slice(-END_CHARS);
  if (FINAL.test(words) || /[?？]/.test(end)) return undefined;
  const line = end.slice(end.lastIndexOf("\n") + 1);
  const sentence = line.trim().split(SENTENCE_END).at(-1) ?? "";
  if (NOT_MEANT.test(sentence) || CHINESE_NOT_MEANT.test(sentence)) return undefined;
  const intent = INTENT.exec(sentence);
  const isMeant =
    /[:：]$/.test(sentence) ||
    CHINESE_INTENT.test(sentence) ||
    (intent !== null && ACTION.test(sentence.slice(intent.index + intent[0].length)));
  if (!isMeant) return undefined;
  return sentence.length > QUOTE_CHARS ? `${sentence.slice(0, QUOTE_CHARS)}…` : sentence;
}

const DONE =
  "updated|fixed|created|added|changed|modified|written|implemented|removed|renamed|replaced|refactored|deleted|edited|applied|inserted|corrected|rewritten|moved|resolved";
const CLAIM = new RegExp(
  `\\bI(?:['’]ve| have)(?: now| also| just| successfully)* (?:${DONE})\\b|\\bI (?:just |successfully )?(?:updated|fixed|created|added|changed|modified|wrote|implemented|removed|renamed|replaced|refactored|deleted|edited|corrected|rewrote)\\b|\\b(?:has|have) (?:now |successfully )?been (?:successfully )?(?:${DONE})\\b`,
  "i",
);
const CHINESE_CLAIM =
  /已(?:经)?(?:成功)?(?:将|把|为|在)?[^，。！]{0,20}?(?:更新|修复|修改|修正|创建|添加|增加|新增|实现|删除|移除|重命名|替换|重构|写入|改为|改成)/;
/** Speaks of a file or of code: a text that was asked for may be written in the answer. */
const SUBJECT =
  /\b(?:files?|function|method|class|module|code|tests?|bug|script|import|component|config(?:uration)?|readme|line|variable|type|error|issue)\b|[\w/-]+\.[a-z]{1,5}\b|文件|函数|方法|代码|测试|模块|脚本|配置|变量|错误|问题/i;
const FILE = /\bfiles?\b|[\w/-]+\.[a-z]{1,5}\b|文件/i;
const NO_CLAIM =
  /\b(?:not|never|n['’]t|unable|cannot|without|nothing|no (?:file|change)s?|would|could|should|if|already|previously|earlier|before)\b|没有|无法|不能|未|如果|之前|早就/i;

function claimsChange({ words, blocks }: Answer, hasCalled: boolean): boolean {
  if (NO_CLAIM.test(words)) return false;
  // Without a look at anything, and with code in the answer, what was made may be that code.
  const subject = blocks.length > 0 && !hasCalled ? FILE : SUBJECT;
  return words
    .split("\n")
    .flatMap((line) => line.split(SENTENCE_END))
    .some((sentence) => (CLAIM.test(sentence) || CHINESE_CLAIM.test(sentence)) && subject.test(sentence));
}
