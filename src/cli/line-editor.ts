import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { TerminalEvent, TerminalInput } from "./terminal-input.js";

export type Message =
  | { type: "text"; text: string }
  /** Ctrl-C; `hadText`: whether it threw anything away. */
  | { type: "interrupt"; hadText: boolean }
  /** Ctrl-D on an empty line, or no more input. */
  | { type: "end" };

export interface LineEditorOptions {
  input: TerminalInput;
  output: NodeJS.WritableStream;
  prompt: string;
  /** Prompt of the further lines of a message. */
  continuation: string;
  /** Earlier lines, the newest first; gets the new ones. */
  history?: string[];
  /** Input that came before; what belongs to the next message stays in it. */
  typedAhead?: TerminalEvent[];
}

/**
 * Reads one message. Enter ends it, "\" before Enter begins a new line, and the line ends of pasted text belong to the
 * message. Ended by the signal, it rejects with the signal's reason.
 */
export function readMessage(options: LineEditorOptions, signal?: AbortSignal): Promise<Message> {
  const { input, output, prompt, continuation, history = [], typedAhead = [] } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const lines: string[] = [];
    let pasting = false;
    let open = true;
    const isOpen = () => open;
    // Readline edits and draws; keys reach it by our hand, so that they can go elsewhere between two messages.
    const editor = createInterface({
      input: new PassThrough(),
      output,
      terminal: true,
      prompt,
      history: [...history],
    });

    function close(): void {
      open = false;
      release();
      signal?.removeEventListener("abort", onAbort);
      editor.close();
    }

    function finish(message: Message): void {
      if (!open) return;
      close();
      if (message.type !== "text") output.write("\n");
      resolve(message);
    }

    function onAbort(): void {
      close();
      output.write("\n");
      reject(signal?.reason as Error);
    }

    function onEvent(event: TerminalEvent): void {
      if (event.type === "key") editor.write(event.text ?? null, event.key);
      else if (event.type === "paste") paste(event.text);
      else finish({ type: "end" });
    }

    function paste(text: string): void {
      const after = editor.line.slice(editor.cursor);
      editor.write(null, { ctrl: true, name: "k" });
      pasting = true;
      editor.write(text);
      pasting = false;
      editor.write(after);
      for (let left = 0; left < after.length; left++) editor.write(null, { name: "left" });
    }

    editor.on("line", (line) => {
      const continues = pasting || line.endsWith("\\");
      lines.push(continues && !pasting ? line.slice(0, -1) : line);
      if (!continues) {
        finish({ type: "text", text: lines.join("\n") });
        return;
      }
      editor.setPrompt(continuation);
      editor.prompt();
    });
    editor.on("SIGINT", () => finish({ type: "interrupt", hadText: lines.length > 0 || editor.line !== "" }));
    editor.on("close", () => finish({ type: "end" }));
    editor.on("history", (entries) => history.splice(0, history.length, ...entries));
    // Readline would stop the process with the terminal in raw mode.
    editor.on("SIGTSTP", () => undefined);

    const release = input.read(onEvent);
    signal?.addEventListener("abort", onAbort);
    editor.prompt();
    while (isOpen() && typedAhead.length > 0) onEvent(typedAhead.shift() ?? { type: "end" });
  });
}
