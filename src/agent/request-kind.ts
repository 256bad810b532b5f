/** What a message of the user asks for. In doubt nothing: who only asks a question must not be answered with work. */
export interface RequestKind {
  /** Something is to be done, be it only to look something up. */
  work: boolean;
  /** Files are to be changed. */
  change: boolean;
}

const CHANGE_VERBS =
  /\b(?:add|adapt|adjust|apply|bump|change|clean up|convert|correct|create|delete|document|edit|extend|extract|fix|format|generate|implement|improve|insert|integrate|make|mend|migrate|modify|move|optimi[sz]e|refactor|remove|rename|repair|replace|resolve|rewrite|simplify|split|translate|update|upgrade|write)\b/i;
/** Most of them are nouns too. */
const OTHER_VERBS =
  /(?:^|[.!?;,:]\s+|\b(?:to|and|then|please|now|just|you)\s+)(?:build|check|commit|configure|debug|execute|find|install|investigate|look|open|read|run|search|set up|start|test|verify)\b/i;
/** A whole message that lets the work go on. */
const GO_ON =
  /^(?:go(?: on| ahead)?|continue|proceed|carry on|do (?:it|that|so)|next|start|yes|yep|ok(?:ay)?|sure|please(?: do)?|继续|开始|好(?:的|吧)?|可以|是的?|行|去做吧)[\s,.!。！，]*(?:please|do it|go on|go ahead|继续|请继续)?[.!。！]*$/i;

/** What comes before the request itself. */
const POLITE =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|now|so|well|then|please|and)[\s,!.]+|(?:can|could|would|will) you(?: please| kindly)?\s+|i(?:['’]d like| want| need) you to\s+|请(?:你)?|麻烦(?:你)?|帮(?:我|忙)|你?(?:能|可以)(?:不能|否)?(?:帮我|请)?|那|现在)+/i;
/** Requests for words. */
const WORDS =
  /^(?:explain|describe|plan|propose|suggest|recommend|review|summari[sz]e|outline|compare|discuss|tell|show|list|name|give me|think|analy[sz]e|advise|brainstorm|estimate|translate this (?:sentence|text|word)|what|why|how|which|who|whose|when|where|is|are|was|were|does|do|did|has|have|can|could|should|shall|would|will|may|might|am)\b|^(?:解释|说明|介绍|描述|分析|总结|概括|规划|计划|制定|建议|讲|说|告诉|列出|列举|比较|对比|评审|审查|翻译这|展示|显示|为什么|为何|怎么|怎样|如何|什么|哪|谁|是否|是不是|有没有|有哪些)/i;
const QUESTION = /[?？]["'”’)）]*$|(?:吗|呢)[。.]?$/;
const POLITE_QUESTION = /\b(?:can|could|would|will) you\b|(?:能|可以)(?:不能|否)?(?:帮|请|把|给|将)?/i;
/** What must not happen. */
const NO_CHANGE =
  /\b(?:do not|don['’]?t|without|never|no need to)\s+(?:\w+\s+)?(?:edit|chang|modif|writ|touch|creat|appl|mak)\w*|\b(?:only|just) (?:show|explain|tell|describe|list|answer)\b|\b(?:example|snippet|dry run)\b|不要(?:修改|改动|编辑|写|动)|别(?:改|动)|只(?:需|是|要)?(?:显示|展示|给出|说明|解释|看)|示例|例子|举例/i;

const CHINESE_CHANGE =
  /修复|修改|修正|改[一成为掉动进写]|改下|添加|增加|新增|加[上入一个]|创建|新建|编写|写[一个入出段]|更新|实现|重构|重命名|删除|删掉|移除|移动|替换|编辑|完善|优化|补充|补上|生成|翻译成/;
const CHINESE_OTHER =
  /运行|执行|测试|检查|查看|看看|看一下|查找|找出|找到|搜索|安装|构建|编译|调试|读取|读一下|打开/;

/** Longest beginning of a message that is looked at: what is piped in comes behind. */
const MOST_CHARS = 1_000;

export function requestKind(prompt: string): RequestKind {
  const whole = prompt.trim().slice(0, MOST_CHARS);
  if (GO_ON.test(whole)) return { work: true, change: false };
  const [first = ""] = whole.split(/\n\s*\n/);
  const ofFirst = kindOf(first);
  // What was only introduced may be asked for further down.
  return ofFirst ?? kindOf(whole.slice(first.length)) ?? { work: false, change: false };
}

/** Undefined if the text asks for nothing that is known. */
function kindOf(text: string): RequestKind | undefined {
  const request = text.trim().replace(POLITE, "");
  const last =
    text
      .trim()
      .split(/(?<=[.!])\s+|(?<=[。！])/)
      .at(-1) ?? "";
  if (WORDS.test(request)) return { work: false, change: false };
  if (QUESTION.test(text.trim()) && !POLITE_QUESTION.test(last)) return { work: false, change: false };
  const change = CHANGE_VERBS.test(request) || CHINESE_CHANGE.test(request);
  if (!change && !OTHER_VERBS.test(request) && !CHINESE_OTHER.test(request)) return undefined;
  return { work: true, change: change && !NO_CHANGE.test(text) };
}
