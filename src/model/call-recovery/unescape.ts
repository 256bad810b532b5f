const ESCAPE = /\\(u[0-9a-fA-F]{4}|[^])/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "\\": "\\",
  "/": "/",
  n: "\n",
  r: "\r",
  t: "\t",
};
const WINDOWS_PATH = /^[A-Za-z]:\\(?!\\)/;

/**
 * What a string of a broken value means. An escape that is none keeps its backslash, as in `\d`; so does `\b`, which
 * stands for a word border more often than for a backspace. In `C:\new` no backslash escapes anything.
 */
export function unescape(raw: string): string {
  if (WINDOWS_PATH.test(raw)) return raw.replaceAll("\\\\", "\\");
  return raw.replace(ESCAPE, (whole, escape: string) => {
    if (escape.length === 5) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return Object.hasOwn(CHARACTERS, escape) ? (CHARACTERS[escape] ?? whole) : whole;
  });
}
