import { spawn } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ClipboardOptions {
  environment: Environment;
  platform: NodeJS.Platform;
  /** Writes a sequence to the terminal; undefined for one that understands none. */
  send: ((sequence: string) => void) | undefined;
}

/** Bytes of text that terminals take in one sequence; xterm stops at 100,000 characters of base64. */
const MOST_BYTES = 74_000;

/**
 * Puts text into the clipboard: with the program of this desktop, or by the terminal (OSC 52), which reaches the
 * user's own machine over ssh. Resolves to what took it, undefined if nothing could.
 */
export async function copyToClipboard(text: string, options: ClipboardOptions): Promise<string | undefined> {
  for (const [program, ...args] of programs(options)) {
    if (program !== undefined && (await feed([program, ...args], text, options.environment))) return program;
  }
  if (options.send === undefined || Buffer.byteLength(text) > MOST_BYTES) return undefined;
  options.send(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  return "OSC 52";
}

/** The programs that would reach the user's clipboard, in the order in which they are tried. */
function programs({ environment, platform }: Pick<ClipboardOptions, "environment" | "platform">): string[][] {
  // tmux passes a buffer of its own on to the terminal; what a program in it writes, it keeps back.
  const tmux = environment["TMUX"] ? [["tmux", "load-buffer", "-w", "-"]] : [];
  // Over ssh the desktop of this machine is not the user's.
  if (environment["SSH_CONNECTION"] || environment["SSH_TTY"]) return tmux;
  if (platform === "darwin") return [["pbcopy"]];
  if (platform === "win32" || environment["WSL_DISTRO_NAME"]) return [["clip.exe"]];
  return [
    ...(environment["WAYLAND_DISPLAY"] ? [["wl-copy"]] : []),
    ...(environment["DISPLAY"]
      ? [
          ["xclip", "-selection", "clipboard"],
          ["xsel", "--input", "--clipboard"],
        ]
      : []),
    ...tmux,
  ];
}

/** Whether the program took the text. */
function feed(
  [program, ...args]: readonly [string, ...string[]],
  text: string,
  environment: Environment,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"], env: { ...environment } });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
    // A program that ends without reading is told by its exit code.
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
}
