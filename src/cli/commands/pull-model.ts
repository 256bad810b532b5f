import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import { supportsTools } from "../../model/choose-model.js";
import { ModelError } from "../../model/model-error.js";
import type { OllamaClient, PullProgress } from "../../model/ollama-client.js";
import { visible } from "../../printable.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import type { Messages } from "../messages/catalogue.js";
import { modelServer } from "./model-server.js";
import { byteText } from "./model-words.js";
import type { CommandContext } from "../program.js";
import { columnsOf, fit } from "../render/terminal.js";
import { start } from "../start.js";
import { traitsOf } from "../traits-of.js";

/** A terminal is drawn on at most so often. */
const REDRAW_MS = 100;
/** Cells of the bar itself. */
const BAR_CELLS = 12;

/** `mini-cc models pull NAME`: progress on stderr, what to type next on stdout. */
export async function pullModel(context: CommandContext, name: string): Promise<ExitCode> {
  const { loaded, messages } = await start(context);
  const words = messages.models;
  const { client } = modelServer(loaded);
  const { animated } = traitsOf(process.stderr, context.options);
  return cancelOnSignals(async (signal) => {
    const say = (line: string) => process.stderr.write(`${visible(line)}\n`);
    const bar = animated ? createBar(process.stderr, messages) : createLines(say, messages);
    say(words.pulling(name, client.baseUrl));
    try {
      let last = "";
      for await (const progress of client.pull(name, signal)) {
        bar.show(progress);
        last = progress.status;
      }
      bar.end();
      if (last !== "success") throw unfinished(name, messages);
      for (const line of await nextSteps(client, name, messages, signal)) {
        process.stdout.write(`${visible(line)}\n`);
      }
      return EXIT.done;
    } catch (error) {
      bar.end();
      if (signal.aborted) {
        say(words.pullCancelled(name));
        return EXIT.cancelled;
      }
      const broken = error instanceof ModelError && ["stream-cut", "timeout"].includes(error.kind);
      throw broken ? unfinished(name, messages, error) : error;
    }
  });
}

/** What was downloaded stays with the server, so that the same command goes on. */
function unfinished(name: string, messages: Messages, cause?: UserError): UserError {
  const { pullBroken, pullContinue } = messages.models;
  const broken = pullBroken(name);
  const why = cause && messages.translate.text(cause.message);
  return new UserError(why === undefined ? broken : messages.joining.named(broken, why), {
    code: "pull-failed",
    hint: pullContinue(name),
    cause,
  });
}

async function nextSteps(
  client: OllamaClient,
  name: string,
  messages: Messages,
  signal: AbortSignal,
): Promise<string[]> {
  const words = messages.models;
  const { capabilities, cloud } = await client.showModel(name, signal);
  return [
    words.pulled(name),
    ...(cloud ? [words.cloud] : []),
    ...(capabilities?.includes("completion") === false
      ? [words.noChat(name)]
      : [...(supportsTools(capabilities) ? [] : [words.asText(name)]), words.next(name)]),
  ];
}

interface PullView {
  show(progress: PullProgress): void;
  /** Ends the line that moves. */
  end(): void;
}

/** For a stream that is no terminal: one line for each layer and step. */
function createLines(say: (line: string) => void, { translate, joining }: Messages): PullView {
  let last = "";
  return {
    show({ status, total }) {
      if (status === last) return;
      last = status;
      const step = translate.text(status);
      say(total === undefined ? step : `${step} ${joining.bracketed(byteText(total))}`);
    },
    end() {},
  };
}

/** One line that moves for each layer. */
function createBar(stream: NodeJS.WriteStream, messages: Messages): PullView {
  let status: string | undefined;
  let drawnAt = 0;
  /** Where the layer stood when it began to come; what an earlier pull brought does not count as speed. */
  let from = { at: 0, completed: 0 };

  function draw(text: string): void {
    stream.write(`\r\x1b[2K${fit(visible(text), columnsOf(stream) - 1, messages.glyphs.ellipsis)}`);
  }

  return {
    show(progress) {
      const { total, completed = 0 } = progress;
      const now = performance.now();
      const isNew = progress.status !== status;
      if (isNew) {
        if (status !== undefined) stream.write("\n");
        status = progress.status;
        from = { at: now, completed };
      }
      const isWhole = total !== undefined && completed >= total;
      if (!isNew && !isWhole && now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      if (total === undefined || total === 0) {
        draw(messages.translate.text(progress.status));
        return;
      }
      const speed = ((completed - from.completed) * 1000) / Math.max(1, now - from.at);
      const rest = speed > 0 && !isWhole ? messages.duration(((total - completed) / speed) * 1000) : "";
      draw(barText({ status: messages.translate.text(progress.status), total, completed, speed, rest }));
    },
    end() {
      if (status !== undefined) stream.write("\n");
      status = undefined;
    },
  };
}

function barText(layer: {
  status: string;
  total: number;
  completed: number;
  speed: number;
  rest: string;
}): string {
  const { status, total, completed, speed, rest } = layer;
  const share = Math.min(1, completed / total);
  const filled = Math.round(share * BAR_CELLS);
  const parts = [
    status,
    `[${"#".repeat(filled)}${"-".repeat(BAR_CELLS - filled)}]`,
    `${Math.floor(share * 100)} %`,
    `${byteText(completed)} / ${byteText(total)}`,
    ...(speed > 0 ? [`${(speed / 1e6).toFixed(1)} MB/s`] : []),
    ...(rest === "" ? [] : [rest]),
  ];
  return parts.join("  ");
}
