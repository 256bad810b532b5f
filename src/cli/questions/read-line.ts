import type { Bottom } from "../bottom/bottom.js";
import type { Pasted } from "../editor/draft.js";
import { textOf } from "../editor/draft.js";
import { createEditor } from "../editor/editor.js";
import { draftWidth, editorArea } from "../editor/editor-view.js";
import type { EditorLook } from "../editor/editor-view.js";
import { foldedLabel } from "../chat/folded-label.js";
import type { Messages } from "../messages/catalogue.js";
import type { Colours } from "../render/terminal.js";
import type { TerminalInput } from "../keyboard/terminal-input.js";

export interface LineQuestion {
  input: TerminalInput;
  bottom: Bottom;
  messages: Messages;
  colours: Colours;
  /** Stands before what is typed. */
  prompt: string;
}

/**
 * Reads an answer in words; "" for none (Esc, the end of the input), undefined for Ctrl-C. Ended by the signal, it
 * rejects with the signal's reason.
 */
export function readLine(question: LineQuestion, signal: AbortSignal): Promise<string | undefined> {
  const { input, bottom, messages, colours, prompt } = question;
  const label = (folded: Pasted) => foldedLabel(folded, messages);
  const plain = (text: string) => text;
  const look: EditorLook = {
    prompt,
    label,
    glyphs: messages.glyphs,
    search: messages.input.search,
    styles: { prompt: plain, dim: colours.dim, selected: plain, folded: colours.cyan },
  };
  const editor = createEditor({
    history: () => [],
    complete: () => [],
    takeBack: () => undefined,
    label,
  });
  const columns = () => (bottom.isPlain ? Number.MAX_SAFE_INTEGER : bottom.columns);
  const area = () => editorArea({ ...editor.state, menu: undefined }, columns(), bottom.rows, look);

  return new Promise((resolve, reject) => {
    function end(settle: () => void): void {
      release();
      signal.removeEventListener("abort", onAbort);
      bottom.leaveFoot(...shown);
      settle();
    }
    function onAbort(): void {
      end(() => reject(signal.reason as Error));
    }
    let shown: readonly string[] = [];
    function draw(): void {
      const { rows, cursor } = area();
      shown = rows;
      bottom.setFoot({ rows, cursor }, draw);
    }
    const release = input.read((event) => {
      if (event.type === "end") {
        end(() => resolve(""));
        return;
      }
      const result = editor.press(event, draftWidth(columns(), prompt));
      if (result.type === "submit") end(() => resolve(textOf(result.units).trim()));
      else if (result.type === "interrupt") end(() => resolve(undefined));
      else if (result.type === "escape" || result.type === "end") end(() => resolve(""));
      else {
        draw();
      }
    });
    signal.addEventListener("abort", onAbort);
    draw();
  });
}
