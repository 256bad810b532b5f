/** The line above the prompt of a session. */
export const status = {
  used: (percent: number, window: number) => `${percent} % of ${thousands(window)}`,
  sandbox: "sandbox",
  noSandbox: "no sandbox",
  branch: (name: string) => `on ${name}`,
};

function thousands(tokens: number): string {
  return tokens < 1024 ? String(tokens) : `${Math.round(tokens / 1024)}k`;
}

/** On the desktop, behind the name of the folder. */
export const notify = {
  question: "a question waits",
  ended: (wentWell: boolean, time: string) => (wentWell ? `done after ${time}` : `stopped after ${time}`),
};
