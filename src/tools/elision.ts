const MARKER = /^(?:\/\/|\/\*+|#|--|<!--|;|%|\{\/\*)?\s*(.*?)\s*(?:\*\/\}?|-->)?$/;
const DOTS = /^(?:\.{3}|…)|(?:\.{3}|…)$/;
const LEFT_OUT =
  /\b(?:existing|remaining|unchanged|previous|omitted|rest of|same as (?:before|above)|other (?:code|methods|functions|imports)|keep the)\b/i;

/**
 * The first line of `text` that stands for text left out ("// ... existing code ..."), unless `known`, the text
 * that the model had before it, has the same line.
 */
export function findElision(text: string, known: string): string | undefined {
  const knownLines = new Set(known.split("\n").map((line) => line.trim()));
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line.length <= 120 && isElision(line) && !knownLines.has(line));
}

function isElision(line: string): boolean {
  const words = MARKER.exec(line)?.[1] ?? "";
  const comment = words !== line;
  if (DOTS.test(words)) return LEFT_OUT.test(words);
  return (
    comment &&
    /^(?:the )?(?:rest of (?:the |your )?(?:code|file|function|class|method|implementation)|(?:existing|remaining|previous) (?:code|implementation))\b[\w\s]{0,40}\.?$/i.test(
      words,
    )
  );
}
