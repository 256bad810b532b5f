/** A tool call as the model makes it. */
export interface ScriptedToolCall {
  name: string;
  /** Servers send an object; a string is sent as that string, as some servers do. */
  arguments: Record<string, unknown> | string;
  /** Made up when left out; null sends none, as older servers do. */
  id?: string | null;
}

interface Pace {
  /** Milliseconds before the first byte, also of the headers; "forever" stays silent until the client leaves. */
  delay?: number | "forever";
  /** Milliseconds between two chunks. */
  chunkDelay?: number;
}

/** What the model says. Each chunk is one token and one line of the stream: thinking, then text, then the calls. */
export interface MessageReply extends Pace {
  /** A string is streamed word by word, a list chunk by chunk. */
  text?: string | readonly string[];
  thinking?: string | readonly string[];
  toolCalls?: readonly ScriptedToolCall[];
  /** Sends the calls in the last line, as the server does for models with a native template. */
  callsInLastLine?: boolean;
  /** Default "stop", also after tool calls. */
  doneReason?: string;
  /** Default: what the model's runner counted, else one token for each 4 bytes of the request body. */
  promptTokens?: number;
  /** Default: one token for each chunk. */
  outputTokens?: number;
  /** Durations to report; without them those of the model's runner or else the measured ones are, and no load. */
  loadMs?: number;
  promptMs?: number;
  outputMs?: number;
  /** Chunks that share one write; default 1. */
  chunksPerWrite?: number;

  /** Destroys the socket after this many chunks; 0: before the headers. */
  cutAfter?: number;
  /** Falls silent after this many chunks until the client leaves. */
  stallAfter?: number;
  /** Ends the stream in good order, but without the line that says `done`. */
  withoutDone?: boolean;
  /** After the chunks, in place of the last line: `{"error": …}`. */
  errorLine?: string;
}

/** An answer that is no stream. */
export interface HttpReply extends Pace {
  status: number;
  body: string;
  contentType: string;
}

/** A stream byte for byte: each piece is one write, nothing is added. Pieces are asked for when they are due. */
export interface RawReply extends Pace {
  pieces: Iterable<string | Uint8Array>;
  /** Destroys the socket after the pieces. */
  cut?: boolean;
}

export type Reply = MessageReply | HttpReply | RawReply;

export function say(text: string | readonly string[], more: MessageReply = {}): MessageReply {
  return { ...more, text };
}

/** The chunks of a reply in the order in which they are sent. */
export function chunksOf(reply: MessageReply) {
  const thinking = chunks(reply.thinking);
  const text = chunks(reply.text);
  const toolCalls = reply.toolCalls ?? [];
  return { thinking, text, toolCalls, count: thinking.length + text.length + toolCalls.length };
}

/** Words with the space before them, about what a tokeniser makes of English. */
function chunks(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? (text.match(/\s*\S+|\s+$/gu) ?? []) : text;
}

/** `think("The bug is …", say("Found it."))` */
export function think(thinking: string | readonly string[], then: MessageReply): MessageReply {
  return { ...then, thinking };
}

export function call(
  name: string,
  args: Record<string, unknown> | string,
  more: MessageReply = {},
): MessageReply {
  return { ...more, toolCalls: [{ name, arguments: args }] };
}

/** Several calls in one reply: `calls(call("read_file", …), call("read_file", …))`. */
export function calls(...replies: readonly MessageReply[]): MessageReply {
  return { toolCalls: replies.flatMap((reply) => reply.toolCalls ?? []) };
}

/** An error status with the server's JSON body. */
export function fail(status: number, error: string): HttpReply {
  return json({ error }, status);
}

export function json(value: unknown, status = 200): HttpReply {
  return { status, body: JSON.stringify(value), contentType: "application/json; charset=utf-8" };
}

/** What a proxy answers in the server's place. */
export function html(status: number, body: string): HttpReply {
  return { status, body, contentType: "text/html; charset=utf-8" };
}

export function raw(...pieces: readonly (string | Uint8Array)[]): RawReply {
  return { pieces };
}

/** No byte until the client goes away. */
export function silence(): MessageReply {
  return { delay: "forever" };
}
