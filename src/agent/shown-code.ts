import { lstatSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

/** An answer, its words and its code blocks apart. */
export interface Answer {
  words: string;
  blocks: readonly CodeBlock[];
  /** The last of it is code. */
  endsInCode: boolean;
}

interface CodeBlock {
  label: string;
  lines: string[];
  /** The line of words before it. */
  before: string;
}

/** A shorter block is a hint. */
const LEAST_LINES = 6;
/** Of a file that is compared with a block, in bytes. */
const MOST_BYTES = 512 * 1024;

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** What a command prints, or is. */
const OUTPUT_LABEL = /^\s*(?:console|shell|sh|bash|zsh|text|txt|log|output|plaintext|terminal|powershell)\b/i;
const PATH = /(?:[\w@.-]+\/)*[\w@.-]*\w\.[a-z]\w{0,9}/gi;
const COMMENT = /^\s*(?:\/\/|#|--|;|<!--|\/\*+|%)/;
const DIFF_HEAD = /^\+\+\+ (?:b\/)?(\S+)/m;

/** An existing file for which a block shows other text than it has; undefined if there is none. */
export function suggestedFile(
  { blocks }: Answer,
  fileText: (path: string) => string | undefined,
): string | undefined {
  return blocks
    .filter(({ label, lines }) => lines.length >= LEAST_LINES && !OUTPUT_LABEL.test(label))
    .flatMap((block) => pathsOf(block).filter((path) => isOther(block, fileText(path))))[0];
}

/** Looks into the files of a workspace, links not followed. */
export function workspaceText(root: string): (path: string) => string | undefined {
  return (path) => {
    const whole = join(root, path);
    if (isAbsolute(path) || relative(root, whole).startsWith("..")) return undefined;
    try {
      const { size } = lstatSync(whole);
      return lstatSync(whole).isFile() && size <= MOST_BYTES ? readFileSync(whole, "utf8") : undefined;
    } catch {
      // There is no such file, or none that may be read.
      return undefined;
    }
  };
}

/** The files that a block says it is for: in its label, in a comment at its top, in the words right before it. */
function pathsOf({ label, lines, before }: CodeBlock): string[] {
  const [first = ""] = lines;
  const diff = DIFF_HEAD.exec(lines.join("\n"))?.[1];
  const texts = [label.replace(/^\w+[:\s]/, ""), COMMENT.test(first) ? first : "", before];
  const paths = texts.flatMap((text) => text.match(PATH) ?? []);
  return diff === undefined ? paths : [diff, ...paths];
}

/** A block whose every line stands in the file quotes it. */
function isOther({ lines }: CodeBlock, file: string | undefined): boolean {
  if (file === undefined) return false;
  const known = new Set(file.split("\n").map((line) => line.trim()));
  return lines.some((line) => line.trim() !== "" && !COMMENT.test(line) && !known.has(line.trim()));
}

export function readAnswer(text: string): Answer {
  const blocks: CodeBlock[] = [];
  const words: string[] = [];
  let open: { mark: string; block: CodeBlock } | undefined;
  let endsInCode = false;
  for (const line of text.split("\n")) {
    const fence = FENCE.exec(line);
    const [, mark = "", label = ""] = fence ?? [];
    if (open === undefined && fence) {
      const before = words.findLast((word) => word.trim() !== "") ?? "";
      open = { mark, block: { label: label.trim(), lines: [], before } };
      endsInCode = true;
    } else if (open !== undefined && fence && mark.startsWith(open.mark) && label.trim() === "") {
      blocks.push(open.block);
      open = undefined;
    } else if (open !== undefined) {
      open.block.lines.push(line);
    } else {
      words.push(line);
      if (line.trim() !== "") endsInCode = false;
    }
  }
  return { words: words.join("\n").trim(), blocks, endsInCode };
}
