// The strings about commands in the background and the ends of commands, in English.

/** "3 min", "12 s" */
function lasting(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

export const processes = {
  command: "show the commands in the background; stop ID ends one",
  none: "no command runs in the background",
  usage: "what should be stopped? /processes stop ID",
  unknown: (id: string) => `no background command has the id "${id}": /processes lists them`,
  over: (id: string) => `${id} has ended already`,
  stopped: (id: string, command: string) => `stopped ${id}: ${command}`,
  hint: "/processes stop ID ends one · all end with mini-cc",
  /** Of a command in the background, after its id. */
  state: {
    running: (seconds: number) => `running for ${lasting(seconds)}`,
    exited: (exitCode: number | null) => (exitCode === null ? "did not start" : `exit code ${exitCode}`),
    killed: "ended by a signal",
    stopped: "stopped",
    lost: "lost with an earlier mini-cc",
  },
  /** In the summary of a turn. */
  background: (id: string, command: string, state: string) =>
    `in the background ${id}: ${command} (${state})`,
  running: "running",
  pipeline: (statuses: readonly number[]) => `exit codes in the pipeline: ${statuses.join(", ")}`,
};
