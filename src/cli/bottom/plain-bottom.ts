import { noProgress } from "../render/progress.js";
import { columnsOf, createLineWriter } from "../render/terminal.js";
import type { OutputStream } from "../render/terminal.js";
import type { Bottom } from "./bottom.js";

/** For terminals, and people, on which nothing may move: only what is printed is shown. */
export function createPlainBottom(output: OutputStream & { rows?: number }): Bottom {
  const writer = createLineWriter(output);
  const nothing = () => undefined;
  return {
    print: (...lines) => writer.lines(...lines),
    write: (text) => writer.write(text),
    endLine: () => writer.endLine(),
    setLive: nothing,
    setStatus: nothing,
    setFoot: nothing,
    progress: noProgress,
    get columns() {
      return columnsOf(output);
    },
    get rows() {
      return output.rows || 24;
    },
    flush: nothing,
    hide: nothing,
    show: nothing,
    close: nothing,
  };
}
