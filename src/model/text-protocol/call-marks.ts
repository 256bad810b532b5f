/** The tags that bound a call and its raw blocks. */
const TAG = "\\/?(?:call[\\s:=>]|(?:content|old_text|new_text|command)\\s*>)";
const MARK = new RegExp(`<(?=${TAG})`, "g");
const SHOWN = new RegExp(`‹(?=${TAG})`, "g");

/** `text` with such tags in other brackets, so that a file which holds them can be copied into a call. */
export function showCallMarks(text: string): string {
  return text.replace(MARK, "‹");
}

/** The reverse, for what the model copied. */
export function restoreCallMarks(text: string): string {
  return text.replace(SHOWN, "<");
}
