import { extname } from "node:path";
import { parses } from "./syntax-check.js";

/** Languages in which "\n" outside of quotes is hardly ever right, and whose statements end with one of these. */
const STATEMENT_END = /\.(?:java|c|cc|cpp|h|hpp|cs|go|rs|kt|swift|php|rb|css|scss|html?|xml|vue|svelte)$/i;
/** Languages that can be parsed here. */
const PARSED = /\.(?:py|[cm]?[jt]s|[jt]sx|jsonc?)$/i;

/**
 * The text with its line breaks, if a model wrote all of them as a backslash and an "n". Undefined unless that is
 * near certain: no real line break, escapes outside of quotes, a language in which they make no sense there, and a
 * text that does not parse as it is.
 */
export async function repairLiteralNewlines(
  path: string,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (text.includes("\n") || !text.includes("\\n")) return undefined;
  const repaired = /(?<!\\)(?:\\\\)*"/.test(text) ? breakOutsideQuotes(text) : unescapeAll(text);
  if (!repaired.includes("\n")) return undefined;
  if (PARSED.test(path)) {
    const isBroken = (await parses(path, text, env)) === false;
    return isBroken && (await parses(path, repaired, env)) !== false ? repaired : undefined;
  }
  if (extname(path).toLowerCase() === ".md") return /^#{1,6} .*?\\n\\n/.test(text) ? repaired : undefined;
  const ends = repaired.match(/[;{}>),:](?=\n)|\n(?=\n)/g) ?? [];
  return STATEMENT_END.test(path) && ends.length >= 2 ? repaired : undefined;
}

/** Everything was escaped once too often, quotes too. */
function unescapeAll(text: string): string {
  const plain: Record<string, string> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };
  return text.replace(/\\([ntr"\\])/g, (all, name: string) => plain[name] ?? all);
}

function breakOutsideQuotes(text: string): string {
  let quote = "";
  return text.replace(/\\(.)|["'`]/g, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      if (quote === "") quote = found;
      else if (quote === found) quote = "";
      return found;
    }
    if (quote !== "") return found;
    return escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped === "r" ? "" : found;
  });
}
