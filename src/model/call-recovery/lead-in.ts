/** Prose before a call that speaks of one rather than makes one. */
const EXAMPLE =
  /\b(?:examples?|for instance|e\.g|such as|would look|looks? like|like this|as follows|format|syntax|template|schema|sample|in (?:this|the following) form|contains?|containing|you (?:can|could|may|might|would|should)|if you|shall i|should i|would you|do you)\b|\?|例如|比如|示例|格式|如果你|吗/i;
/** The same before marks that are made for calls, where such words may also belong to the task. */
const EXAMPLE_OF_MARKS =
  /\b(?:for example|for instance|e\.g|(?:an?|the|this|following) example|would look|looks? like|like this|such as|in (?:this|the following) form(?:at)?|(?:format|syntax) (?:is|of)|you (?:can|could|may|might|would) (?:use|call|write|run)|if you|shall i|should i|would you)\b|\b(?:format|syntax|examples?)\s*:\s*$|例如|比如|示例|格式|如果你/i;
/** Prose that says what its speaker is about to do. */
const INTENT =
  /\b(?:i(?:['’]ll| will|['’]m| am| need to| want to| have to| should| must)|let me|let['’]?s|let us|we(?:['’]ll| will| need to| should| must)|(?:first|next|now|then),? (?:read|check|search|open|run|list|look|find|edit|write|create|update|fix)|(?:reading|checking|searching|opening|running|listing|looking|finding|inspecting|editing|writing|creating|updating|fixing|calling|using))\b|我|让我|先|现在|接下来|首先/i;
/** Prose that leads over to the call itself. */
const ANNOUNCEMENT = /\bhere(?:['’]s| is| are) (?:the|my) (?:tool |function )?calls?\b/i;
const SENTENCE_END = /[.!?。！？](?=\s|$)/g;

const MAX_INTENT_CHARS = 240;
const MAX_INTENT_SENTENCES = 2;
/** How far before a call its introduction is looked for. */
const LOOK_BACK_CHARS = 400;

/** Whether a call in JSON or in a fence may follow this beginning of a reply: nothing, or a short word of intent. */
export function mayPrecedeCall(beginning: string): boolean {
  const text = beginning.trim();
  if (text === "") return true;
  if (text.length > MAX_INTENT_CHARS || EXAMPLE.test(text) || !INTENT.test(text)) return false;
  const sentences = (text.match(SENTENCE_END) ?? []).length + (/[.!?。！？]$/.test(text) ? 0 : 1);
  return sentences <= MAX_INTENT_SENTENCES;
}

export function speaksOfExample(text: string): boolean {
  return EXAMPLE.test(text);
}

/** No beginning that is longer than this can precede such a call. */
export const MAX_BEGINNING_CHARS = MAX_INTENT_CHARS + 40;

/**
 * Whether a marked call is one that is made, by the prose right before and right behind it.
 *
 * @param isAsTold it is written in the way in which the model was told to make calls
 */
export function isMadeCall(text: string, at: number, end: number, isAsTold = false): boolean {
  const before = text.slice(Math.max(0, at - LOOK_BACK_CHARS), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const leadIn = before.trimEnd();
  const lastLine = leadIn.slice(leadIn.lastIndexOf("\n") + 1);
  const after = text.slice(end, end + LOOK_BACK_CHARS).trimStart();
  if (EXAMPLE_OF_MARKS.test(lastLine)) return false;
  const isIntroduced = INTENT.test(lastLine) || ANNOUNCEMENT.test(lastLine);
  if (/[:：]$/.test(lastLine) && !isIntroduced && !(isAsTold && after === "")) return false;
  // In the middle of a sentence it is spoken of, unless it breaks the sentence off.
  const isInSentence = line.trim() !== "" && !/[.!?:…。！？：>\]})]\s*$/.test(line);
  if (isInSentence && (after !== "" || !isIntroduced)) return false;
  return !/^(?:(?:and|or|which|where|then|so|but|in|is|as|with|to|for|instead)\b|[,;.)])/.test(after);
}
