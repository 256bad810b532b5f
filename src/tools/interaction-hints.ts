/** What a program says that wanted a person in front of it, and what the model can do instead; the first that fits. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(sudo|doas): (?!command not found)|askpass|a (terminal|password) is required|password (for|:)|passphrase/i,
    "It wants a password, and nobody can type one here. Do without, or tell the user to run it.",
  ],
  [
    /problem with the editor|terminal is dumb|\$?EDITOR\b.*(not set|unset)|supply the message using/i,
    'There is no editor here. Give the text as an option, such as git commit -m "text", or take a command that needs none.',
  ],
  [
    /could not read (Username|Password)|terminal prompts disabled|Host key verification failed|Permission denied \(publickey/i,
    "It wants to log in, and nobody can answer here. Tell the user to set up access or to run it.",
  ],
  [
    /not a (tty|terminal)|\/dev\/tty|no tty|open terminal failed|failed tty get|Inappropriate ioctl|unable to open (a )?(tty|terminal)|Error opening terminal|stdin is not/i,
    "There is no terminal and no keyboard here. Use options that need none (-y, --yes, --no-interaction), or another program.",
  ],
  [
    /EOFError|EOF when reading|end of (file|input) (on|from|while reading) (stdin|standard input)|\(y\/n\)|\[y\/n\]|\[yes\/no\]|are you sure/i,
    "It asked a question, and nobody can answer here. Give the answer as an option (such as --yes), or pipe it in.",
  ],
];

/** What to tell the model of a command that failed since it wanted to be operated by hand; undefined as a rule. */
export function interactionHint(output: string): string | undefined {
  return HINTS.find(([wants]) => wants.test(output))?.[1];
}
