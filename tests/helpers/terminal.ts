import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { CLI_ENTRY } from "./run-cli.js";
import type { CliPlace, Environment } from "./run-cli.js";
import { withoutStatus } from "./status-row.js";

export interface TerminalOptions {
  env?: Environment;
  columns?: number;
  rows?: number;
  /** Files that stand in for the terminal. */
  stdin?: string;
  stdout?: string;
  stderr?: string;
  /** What a pipe brings to standard input. */
  piped?: string;
  /** In a session of its own: what it writes goes to the terminal, but it has none. */
  withoutTerminal?: boolean;
}

interface EndInTerminal {
  code: number;
  /** What `stty -g` says of the terminal before and after. */
  before: string;
  after: string;
  cursorVisible: boolean;
  pasteMode: boolean;
}

/** What is typed into a terminal and shown on it. */
interface TerminalScreen {
  /**
   * What the terminal shows, with what has scrolled away, without blanks at the end of lines and of the whole, and
   * without the status line of a session.
   */
  text(): string;
  /** That line; empty if there is none. */
  status(): string;
  /** Waits until the terminal shows it, or `text` fulfils it; fails with what it shows instead. */
  waitFor(wanted: string | RegExp | ((text: string) => boolean)): Promise<void>;
  /** Everything that was written, with sequences. */
  written(): string;
  /** Presses keys. */
  type: (keys: string) => void;
  resize(columns: number, rows: number): void;
}

/** mini-cc in a terminal of its own, started by a shell as a user would. */
export interface TerminalRun extends TerminalScreen {
  /** Sends a signal to mini-cc, and to it alone. */
  kill: (signal: NodeJS.Signals) => void;
  /** Resolves when mini-cc and then its shell have ended. */
  ended: Promise<EndInTerminal>;
}

export interface TerminalShell extends TerminalScreen {
  ended: Promise<void>;
}

const LIMIT_MS = 30_000;

/** Runs `mini-cc …args` in the workspace of the place. */
export function runInTerminal(
  place: CliPlace,
  args: readonly string[],
  options: TerminalOptions = {},
): TerminalRun {
  const notes = mkdtempSync(join(tmpdir(), "mini-cc-terminal-"));
  const note = (name: string) => readFileSync(join(notes, name), "utf8").trim();
  const redirects = [
    options.stdin && '<"$MINI_CC_TEST_IN"',
    options.stdout && '>"$MINI_CC_TEST_OUT"',
    options.stderr && '2>"$MINI_CC_TEST_ERR"',
  ];
  const feed = options.piped === undefined ? "" : `printf %s "$MINI_CC_TEST_PIPE" | `;
  const own = options.withoutTerminal === true ? "setsid" : "";
  const script = [
    'stty -g >"$0/before"',
    `${feed}(sh -c 'echo $PPID' >"$0/pid"; exec ${own} "$@" ${redirects.join(" ")})`,
    'echo $? >"$0/code"',
    'stty -g >"$0/after"',
  ].join("\n");
  const terminal = openTerminal(["bash", "-c", script, notes, process.execPath, CLI_ENTRY, ...args], place, {
    ...options,
    env: {
      MINI_CC_TEST_IN: options.stdin,
      MINI_CC_TEST_OUT: options.stdout,
      MINI_CC_TEST_ERR: options.stderr,
      MINI_CC_TEST_PIPE: options.piped,
      ...options.env,
    },
  });
  const isOn = (mode: string) => {
    const written = terminal.written();
    return written.lastIndexOf(`\x1b[?${mode}h`) > written.lastIndexOf(`\x1b[?${mode}l`);
  };
  const ended = terminal.closed.then((): EndInTerminal => ({
    code: Number(note("code")),
    before: note("before"),
    after: note("after"),
    cursorVisible: !terminal.written().includes("\x1b[?25l") || isOn("25"),
    pasteMode: isOn("2004"),
  }));
  onTestFinished(async () => {
    if (terminal.isOpen()) {
      process.kill(Number(note("pid")), "SIGKILL");
      await ended;
    }
    rmSync(notes, { recursive: true, force: true });
  });
  return { ...terminal, kill: (signal) => process.kill(Number(note("pid")), signal), ended };
}

const BASH = ["bash", "--norc", "--noprofile", "-i"] as const;

/** An interactive shell, with job control, that knows the command `mini-cc`. */
export function shellInTerminal(
  place: CliPlace,
  options: TerminalOptions = {},
  shell: readonly [string, ...string[]] = BASH,
): TerminalShell {
  const bin = join(place.home, "bin");
  mkdirSync(bin, { recursive: true });
  const command = `#!/bin/sh\nexec "${process.execPath}" "${CLI_ENTRY}" "$@"\n`;
  writeFileSync(join(bin, "mini-cc"), command, { mode: 0o755 });
  const PATH = `${bin}:${place.env["PATH"] ?? ""}`;
  const terminal = openTerminal([...shell], place, {
    ...options,
    env: { PATH, PS1: "$ ", ...options.env },
  });
  onTestFinished(async () => {
    if (!terminal.isOpen()) return;
    // A shell that loses its terminal ends what it has started.
    terminal.hangUp();
    await terminal.closed;
  });
  return { ...terminal, ended: terminal.closed };
}

interface OpenTerminal extends TerminalScreen {
  isOpen: () => boolean;
  closed: Promise<void>;
  hangUp: () => void;
}

function openTerminal(argv: [string, ...string[]], place: CliPlace, options: TerminalOptions): OpenTerminal {
  const { columns = 80, rows = 50 } = options;
  const env: Environment = { ...place.env, ...options.env };
  const [file, ...args] = argv;
  const pty = spawn(file, args, {
    // This is TERM.
    name: options.env?.["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd: place.workspace,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
  });
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const watchers = new Set<() => void>();
  let written = "";
  pty.onData((data) => {
    written += data;
    screen.write(data, () => {
      for (const look of watchers) look();
    });
  });
  // Answers to what a program asks the terminal.
  screen.onData((answer) => {
    pty.write(answer);
  });

  function shown(): { lines: string[]; status: string } {
    const { active } = screen.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, y) => active.getLine(y)?.translateToString(true) ?? "",
    );
    return withoutStatus(lines, active.baseY + active.cursorY);
  }

  const text = () => shown().lines.join("\n").trimEnd();

  let open = true;
  const closed = new Promise<void>((resolve) => {
    pty.onExit(() => {
      open = false;
      resolve();
    });
  });
  onTestFinished(() => screen.dispose());

  return {
    text,
    status: () => shown().status,
    waitFor: (wanted) =>
      new Promise((resolve, reject) => {
        const limit = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`the terminal never showed ${String(wanted)}:\n${text()}`));
        }, LIMIT_MS);
        function look(): void {
          if (!isShown(wanted, text())) return;
          watchers.delete(look);
          clearTimeout(limit);
          resolve();
        }
        watchers.add(look);
        look();
      }),
    written: () => written,
    type: (keys) => {
      pty.write(keys);
    },
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    isOpen: () => open,
    closed,
    hangUp: () => pty.kill("SIGHUP"),
  };
}

function isShown(wanted: string | RegExp | ((text: string) => boolean), text: string): boolean {
  if (typeof wanted === "string") return text.includes(wanted);
  return typeof wanted === "function" ? wanted(text) : wanted.test(text);
}
