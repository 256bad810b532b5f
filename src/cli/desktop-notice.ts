import { basename } from "node:path";
import type { TurnEnd } from "../agent/agent-events.js";
import type { Config } from "../config/schema.js";
import type { Messages } from "./messages/catalogue.js";
import { oneLine } from "./render/one-line.js";

/** Milliseconds; who waits longer for a turn may well be looking elsewhere. */
const LONG_TURN_MS = 20_000;
/** Characters of a notice; desktops cut longer ones. */
const MOST_CHARS = 120;

type Kind = Config["notify"];

/** Tells a user who looks elsewhere, by a bell or by a notice of the desktop. */
export interface DesktopNotices {
  /** A question waits for an answer. */
  question(): void;
  /** A turn has ended; one that was short, or that the user has stopped, is no news. */
  turnEnded(end: TurnEnd, lastedMs: number): void;
}

export function createDesktopNotices(options: {
  config: Pick<Config, "bell" | "notify">;
  messages: Messages;
  /** Names the session among others. */
  folder: string;
  /** Understands no sequences. */
  isDumb: boolean;
  send: (sequence: string) => void;
}): DesktopNotices {
  const { config, messages, folder, isDumb, send } = options;
  const wanted: Kind = config.notify === "off" && config.bell ? "bell" : config.notify;
  const kind = wanted !== "off" && isDumb ? "bell" : wanted;
  const tell = (text: string) => send(noticeSequence(kind, `${basename(folder)}: ${text}`, messages));
  return {
    question() {
      tell(messages.notify.question);
    },
    turnEnded({ outcome }, lastedMs) {
      if (lastedMs < LONG_TURN_MS || outcome === "cancelled") return;
      tell(messages.notify.ended(outcome === "done", messages.duration(lastedMs)));
    },
  };
}

/** What makes the terminal tell it; empty for "off". The text can hold what it likes. */
export function noticeSequence(kind: Kind, text: string, messages: Messages): string {
  // A semicolon parts the fields of a sequence.
  const safe = Array.from(oneLine(text, messages).replaceAll(";", ",")).slice(0, MOST_CHARS).join("");
  switch (kind) {
    case "off":
      return "";
    case "bell":
      return "\x07";
    case "osc9":
      return `\x1b]9;mini-cc ${safe}\x07`;
    case "osc777":
      return `\x1b]777;notify;mini-cc;${safe}\x07`;
  }
}
