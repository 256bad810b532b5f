/** "(address "title")" of a link. */
export const DESTINATION =
  /\(\s*(?:<((?:[^<>\n\\]|\\.)*)>|((?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)/y;

const BARE = /https?:\/\/[!#-;=?-Z_a-z~[\]]+/y;

/** The address that begins there in running text, without the punctuation of the sentence round it; "" for none. */
export function bareAddress(text: string, at: number): string {
  if (at > 0 && /\w/.test(text.charAt(at - 1))) return "";
  BARE.lastIndex = at;
  let address = BARE.exec(text)?.[0] ?? "";
  for (;;) {
    let end = address.length;
    while (end > 0 && ".,:;!?'*_~".includes(address.charAt(end - 1))) end--;
    const shorter = address.slice(0, end);
    const trimmed = /[)\]]$/.test(shorter) && !isBalanced(shorter) ? shorter.slice(0, -1) : shorter;
    if (trimmed === address) return /^https?:\/\/./.test(address) ? address : "";
    address = trimmed;
  }
}

function isBalanced(address: string): boolean {
  const count = (pattern: RegExp) => address.match(pattern)?.length ?? 0;
  return count(/[)\]]/g) <= count(/[([]/g);
}

/** Whether a link says its address itself. */
export function isSameAddress(said: string, address: string): boolean {
  return said === address || address === `mailto:${said}` || address === `http://${said}`;
}
