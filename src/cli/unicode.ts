/**
 * Whether a terminal shows more than ASCII. The locale of characters says so (LC_ALL, LC_CTYPE, LANG: the first that is
 * set); one that names no encoding, and none at all, mean UTF-8. The console of Linux has few glyphs besides.
 */
export function hasUnicode(
  environment: Readonly<Record<string, string | undefined>>,
  { ascii = false }: { ascii?: boolean | undefined } = {},
): boolean {
  if (ascii || environment["TERM"] === "linux") return false;
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
  if (/^(?:C|POSIX)$/i.test(locale)) return false;
  const encoding = /\.([^@]+)/.exec(locale)?.[1];
  return encoding === undefined || /^utf-?8$/i.test(encoding);
}
