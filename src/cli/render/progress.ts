import type { Ora } from "ora";
import type { Messages } from "../messages/catalogue.js";
import { columnsOf, fit } from "./terminal.js";
import type { TerminalTraits } from "./terminal.js";

/** The one moving line of the terminal; it yields to output and to questions. */
export interface Progress {
  /** `elapsedMs`: how long it has lasted already; time goes on by itself. */
  show(what: string, elapsedMs?: number): void;
  hide(): void;
  /** Hides the line until `resume`, whatever is shown meanwhile. */
  pause(): void;
  resume(): void;
}

/** What is going on, and since when (milliseconds since the epoch). */
export interface OngoingWork {
  what: string;
  since: number;
}

/** A progress line drawn by `draw`, which gets what is to be seen; undefined while nothing is. */
export function progressOf(draw: (work: OngoingWork | undefined) => void): Progress {
  let work: OngoingWork | undefined;
  let paused = false;
  const update = () => draw(paused ? undefined : work);
  return {
    show(what, elapsedMs = 0) {
      work = { what, since: Date.now() - elapsedMs };
      update();
    },
    hide() {
      work = undefined;
      update();
    },
    pause() {
      paused = true;
      update();
    },
    resume() {
      paused = false;
      update();
    },
  };
}

/** For streams on which nothing may move. */
export const noProgress: Progress = { show() {}, hide() {}, pause() {}, resume() {} };

/** Cells of the line that are not its text: the frame, the time, and one to spare. */
const OTHER_CELLS = 22;
/** Milliseconds between two frames of the spinner. */
const FRAME_MS = 100;

/** A spinner with what is going on and for how long. `stream` must be a terminal. It leaves input and cursor alone. */
export function createProgress(options: {
  stream: NodeJS.WriteStream;
  messages: Messages;
  colourLevel: TerminalTraits["colourLevel"];
}): Progress {
  const { stream, messages, colourLevel } = options;
  let work: OngoingWork | undefined;
  let loading = false;
  let spinner: Ora | undefined;

  /** Ora is loaded when something is to be shown for the first time. */
  async function load(): Promise<void> {
    const { default: ora } = await import("ora");
    spinner = ora({
      stream,
      isEnabled: true,
      discardStdin: false,
      spinner: { interval: FRAME_MS, frames: messages.glyphs.spinner },
      hideCursor: false,
      color: colourLevel === 0 ? false : "cyan",
      suffixText: () => {
        const seconds = Math.floor((Date.now() - (work?.since ?? Date.now())) / 1000);
        return seconds < 1 ? "" : `${messages.glyphs.ellipsis} ${messages.duration(seconds * 1000)}`;
      },
    });
    update();
  }

  function update(): void {
    if (work === undefined) {
      if (spinner?.isSpinning) spinner.stop();
    } else if (spinner !== undefined) {
      // One line only: a second one would stay behind when the window gets narrower.
      spinner.text = fit(work.what, columnsOf(stream) - OTHER_CELLS, messages.glyphs.ellipsis);
      spinner.start();
    } else if (!loading) {
      loading = true;
      // A turn does not end because nothing moves on the screen.
      load().catch(() => undefined);
    }
  }

  return progressOf((now) => {
    work = now;
    update();
  });
}
