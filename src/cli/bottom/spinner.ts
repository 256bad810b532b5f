import type { Messages } from "../messages/catalogue.js";
import type { OngoingWork, Progress } from "../render/progress.js";
import { progressOf } from "../render/progress.js";
import { fit, widthOf } from "../render/terminal.js";

const FRAME_MS = 100;
/** Cells of the line besides its text and the time: the frame, a blank, and one to spare. */
const OTHER_CELLS = 3;

/** A line with what is going on and for how long; `show` gets it anew with each frame, and "" when it goes away. */
export function createSpinner(options: {
  messages: Messages;
  style: (frame: string) => string;
  columns: () => number;
  show: (line: string) => void;
}): { progress: Progress; stop(): void } {
  const { messages, style, columns, show } = options;
  const { glyphs } = messages;
  let work: OngoingWork | undefined;
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;
  /** Work that was left behind may still tell what it does. */
  let ended = false;

  function line({ what, since }: OngoingWork): string {
    const seconds = Math.floor((Date.now() - since) / 1000);
    const time = seconds < 1 ? "" : ` ${glyphs.ellipsis} ${messages.duration(seconds * 1000)}`;
    return `${style(glyphs.spinner[frame] ?? "")} ${fit(what, columns() - widthOf(time) - OTHER_CELLS, glyphs.ellipsis)}${time}`;
  }

  function draw(): void {
    if (work === undefined || ended) {
      clearInterval(timer);
      timer = undefined;
      show("");
      return;
    }
    show(line(work));
    timer ??= setInterval(() => {
      frame = (frame + 1) % glyphs.spinner.length;
      draw();
    }, FRAME_MS);
  }

  return {
    progress: progressOf((now) => {
      work = now;
      draw();
    }),
    stop() {
      ended = true;
      draw();
    },
  };
}
