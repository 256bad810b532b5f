import type { ToolCall } from "@langchain/core/messages/tool";
import type { z } from "zod";
import { messageOf } from "../errors.js";
import { toolNamed } from "../model/call-recovery/aliases.js";
import { declaredTools } from "../model/call-recovery/declared-tools.js";
import { fitArguments } from "../model/call-recovery/fit-arguments.js";
import type { Access, Policy, ResolvedPath, Verdict, VerdictKind } from "../permissions/access.js";
import type { ResultRoom } from "../context/result-room.js";
import type { CallMade, CallResult } from "./loop-guard.js";
import type { ReplyStats } from "../model/reply-stats.js";
import type { KnownFile, SessionRecord, ShownImage } from "../sessions/records.js";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.js";
import { toWireTool } from "../tools/wire-schema.js";
import type { ChangeScope } from "../undo/change-recorder.js";
import type { Undo } from "../undo/undo.js";
import type { AgentEvent, ToolStatus } from "./agent-events.js";
import type { Approve } from "./approval.js";
import { ANSWER_OF_UNFINISHED } from "./conversation.js";
import { createCallOrder } from "./call-order.js";
import { recordedTurn } from "./recorded-turn.js";
import { restoreControlTokens, showControlTokens } from "./control-tokens.js";
import { endedInTime } from "./patience.js";
import { denialText, unknownToolText, unmadeCallText, wrongArgumentsText } from "./tool-answers.js";
import { stopReason } from "./turn-clock.js";

/** The turn that a call belongs to. */
export interface GateTurn {
  signal: AbortSignal;
  /** Does not count the time until there is an answer. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  emit(event: AgentEvent): void;
  record(record: SessionRecord): void;
  /** Waits until the reply that holds the call has been told and recorded: nothing acts before. False if it never was. */
  replyTold(callId: string): Promise<boolean>;
  /** Why no call of the current reply is run; undefined as a rule. */
  refusal(): string | undefined;
  /** The result of the same call before, where a run would bring nothing new. */
  storedResult(call: CallMade): string | undefined;
  /** Notes a call that cannot be run for this reason; how often there was one. Too often ends the turn. */
  wrongCall(reason: string): number;
  /** What the model is told behind the result of a call. */
  noteAfter(callId: string, call: CallMade, result: CallResult): string | undefined;
  /** What has happened meanwhile that the model does not know. */
  news(): string | undefined;
}

export interface ToolOutcome {
  status: ToolStatus;
  output: string;
  image?: ShownImage | undefined;
}

export interface ToolGateOptions {
  tools: readonly Tool[];
  policy: Policy;
  workspaceRoot: string;
  /** Undefined while nobody can be asked. */
  approve: () => Approve | undefined;
  /** Keeps the rules of an "always" answer. */
  keepRules: (rules: readonly string[], keep: "session" | "project") => Promise<void>;
  /** How a command that the user approves is confined, in one line for the question. */
  confinement: () => Promise<string>;
  /** What results may take of the context window. */
  room: Omit<ResultRoom, "start">;
  /** Whether the model can be shown images of this media type. */
  showsImages: (mediaType: string) => boolean;
  /** Notes what a call changes; undefined where undo is off. */
  undo?: Pick<Undo, "around"> | undefined;
}

export interface ToolGate {
  run(call: ToolCall, turn: GateTurn): Promise<ToolOutcome>;
  /** What the model is told about a call that never came here; `times` as for the others. */
  explain(unmade: Pick<ReplyStats, "problem" | "detail">, times: number): string;
}

type Ending = ToolOutcome &
  Pick<ToolResult, "diff" | "changedFiles" | "command" | "found"> & {
    /** Of the run, questions not counted. */
    durationMs?: number;
    /** What the model has seen of files. */
    files?: KnownFile[];
    /** Of an earlier run of the same call. */
    isStored?: boolean;
    /** A command has done more than read. */
    mayHaveChanged?: boolean;
  };

const STORED_RESULT =
  "[Not run again: this is the result of the same call before. Use it, or do something else.]";

/** Characters; a session keeps of a diff what a person may read. */
const MAX_RECORDED_DIFF = 100_000;

const UNSEEN_LOSS = "changes are free here, but not one that may lose what was not looked at";

/**
 * The one path of every tool call: find → validate → permission → run → cap → report. Each call ends with exactly one
 * outcome, whatever happens: unknown, invalid, denied, cancelled and failed calls are answers too.
 */
export function createToolGate(options: ToolGateOptions): ToolGate {
  const { policy, workspaceRoot, room } = options;
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const declared = declaredTools(options.tools.map(toWireTool));
  const order = createCallOrder();

  async function pass(call: Required<Pick<ToolCall, "id">> & ToolCall, turn: GateTurn): Promise<ToolOutcome> {
    const { id } = call;
    const known = toolNamed(call.name, declared);
    const tool = known && tools.get(known.name);
    const name = tool?.name ?? call.name;
    // Other names of a key, values in quotes, one object too many: mended without loss, before anybody sees them.
    const args = (known && fitArguments(restored(call.args), known)?.args) ?? call.args;
    turn.record({ type: "call-prepared", id, tool: name, args });
    turn.emit({ type: "tool-start", id, tool: name, args });

    const ending = await judgeAndRun({ id, name, args, tool }, turn).catch((error: unknown): Ending => {
      if (turn.signal.aborted) return { status: "cancelled", output: `Stopped: ${stopReason(turn.signal)}.` };
      return { status: "error", output: `${name} failed: ${messageOf(error)}` };
    });
    const note = turn.noteAfter(
      id,
      { tool: name, args },
      {
        status: ending.status,
        output: ending.output,
        wasRun: ending.durationMs !== undefined,
        changed: (ending.changedFiles?.length ?? 0) > 0,
        mayHaveChanged: ending.mayHaveChanged === true,
        exitCode: exitCodeOf(ending),
      },
    );
    const text = ending.isStored ? `${ending.output}\n${STORED_RESULT}` : ending.output;
    const shown = room.fit(showControlTokens(text));
    // A command line may hold anything.
    const news = showControlTokens(turn.news() ?? "") || undefined;
    const notes = [news, note].flatMap((words) => (words === undefined ? [] : [`[${words}]`]));
    const output = notes.length === 0 ? shown : `${shown}\n\n${notes.join("\n")}`;

    const { status, image, diff, changedFiles, command, found, files = [], durationMs = 0 } = ending;
    if (image !== undefined) room.takeImage(image.tokens);
    const exitCode = exitCodeOf(ending);
    turn.record({
      type: "call-finished",
      id,
      status,
      output,
      ...(image && { image }),
      ...(diff !== undefined && { diff: diff.slice(0, MAX_RECORDED_DIFF) }),
      ...(changedFiles && { changedFiles }),
      ...(command && { command }),
      ...(files.length > 0 && { files }),
    });
    turn.emit({
      type: "tool-end",
      id,
      tool: name,
      status,
      output,
      durationMs,
      ...(diff !== undefined && { diff }),
      ...(exitCode !== undefined && { exitCode }),
      ...(found && { found }),
    });
    return { status, output, image };
  }

  async function judgeAndRun({ id, name, args, tool }: PreparedCall, turn: GateTurn): Promise<Ending> {
    turn.signal.throwIfAborted();
    const refusal = turn.refusal();
    if (refusal !== undefined) return { status: "error", output: `Not run: ${refusal}` };

    if (!tool) {
      const times = turn.wrongCall("there is no such tool");
      return { status: "error", output: unknownToolText(name, options.tools, times) };
    }
    const parsed = tool.schema.safeParse(args);
    if (!parsed.success) {
      const times = turn.wrongCall(`wrong arguments for ${name}`);
      return { status: "error", output: wrongArgumentsText(tool, args, parsed.error, times) };
    }

    const stored = turn.storedResult({ tool: name, args });
    if (stored !== undefined) return { status: "ok", output: stored, isStored: true };

    const paths = new Map<string, ResolvedPath>();
    const files: KnownFile[] = [];
    const context: ToolContext = {
      workspaceRoot,
      signal: turn.signal,
      maxOutputChars: room.maxChars(),
      maxImageTokens: (mediaType) => (options.showsImages(mediaType) ? room.maxImageTokens() : undefined),
      readsOnly: false,
      network: false,
      path(written) {
        const path = paths.get(written);
        if (!path) throw new Error(`${tool.name} opens a path that it did not declare: ${written}`);
        return path;
      },
      saw: (path, hash) => files.push({ path, hash }),
      onOutput: (text) => {
        turn.emit({ type: "tool-output", id, text });
      },
    };
    const accesses = tool.touches(parsed.data);
    const verdict = await judgeAll(policy, accesses, paths);
    context.readsOnly = verdict.readsOnly === true;
    context.network = verdict.verdict === "ask" || (verdict.verdict === "allow" && policy.mode === "bypass");
    const denied = await permit(id, tool, parsed.data, { accesses, verdict, context, turn });
    if (denied) return denied;

    turn.signal.throwIfAborted();
    let startedAt = performance.now();
    const run = () => {
      turn.record({ type: "call-started", id, effect: tool.effect });
      startedAt = performance.now();
      return endedInTime(tool.run(parsed.data, context), turn.signal);
    };
    const scope = changeScope(accesses, context);
    const result = await (options.undo && scope
      ? options.undo.around(scope, recordedTurn(turn), run)
      : run());
    const durationMs = Math.round(performance.now() - startedAt);
    if (!result) return { status: "unknown", output: ANSWER_OF_UNFINISHED[tool.effect], durationMs };
    const cancelled = turn.signal.aborted && result.status === "error";
    const ran = accesses.some(({ kind }) => kind === "run") && !context.readsOnly;
    const mayHaveChanged = ran && result.status === "ok" && (result.command?.exitCode ?? 0) === 0;
    return { ...result, durationMs, files, mayHaveChanged, ...(cancelled && { status: "cancelled" }) };
  }

  /** Undefined if the call may run. */
  async function permit(
    id: string,
    tool: Tool,
    args: z.infer<Tool["schema"]>,
    { accesses, verdict, context, turn }: Judged,
  ): Promise<Ending | undefined> {
    const tell = (
      kind: "allow" | "deny",
      by: Extract<AgentEvent, { type: "permission" }>["by"],
      because: string,
    ) => {
      turn.record({ type: "permission", id, verdict: kind, by, because });
      turn.emit({ type: "permission", id, verdict: kind, by, because });
    };
    const because = verdict.because.join("; ");
    if (verdict.verdict === "deny") {
      tell("deny", verdict.by, because);
      return { status: "denied", output: denialText(verdict.by, because) };
    }
    const approve = options.approve();
    const allowed = verdict.verdict === "allow";
    const isUnwatched = allowed && (policy.mode === "bypass" || approve === undefined);
    const preview = isUnwatched ? undefined : await tool.preview?.(args, context);
    if (preview && "status" in preview) return preview;
    // What may be done unasked is asked about all the same where it would lose what nobody has looked at.
    if (allowed && preview?.warning === undefined) {
      tell("allow", verdict.by, because);
      return undefined;
    }
    if (!approve) {
      tell("deny", "nobody", because);
      return { status: "denied", output: denialText("nobody", because) };
    }
    const request = {
      callId: id,
      tool: tool.name,
      subject: accesses.map(subjectOf).join(", "),
      verdict: allowed ? { ...verdict, verdict: "ask" as const, because: [UNSEEN_LOSS] } : verdict,
      ...preview,
      ...(accesses.some(({ kind }) => kind === "run") && { confinement: await options.confinement() }),
    };
    turn.signal.throwIfAborted();
    const answer = await turn.whileAsking(() => approve(request, turn.signal));
    if (answer.answer === "no") {
      const reason = answer.reason ?? "";
      tell("deny", "user", reason === "" ? "declined by the user" : `declined by the user: ${reason}`);
      return { status: "denied", output: denialText("user", reason) };
    }
    if (answer.answer === "always") await options.keepRules(verdict.rememberAs, answer.keep);
    tell("allow", "user", because);
    return undefined;
  }

  return {
    async run(call, turn) {
      if (!(await turn.replyTold(call.id ?? ""))) return { status: "cancelled", output: "" };
      const effect = tools.get(toolNamed(call.name, declared)?.name ?? "")?.effect ?? "read";
      return order.run(effect, () => pass({ ...call, id: call.id ?? "" }, turn));
    },
    explain: (unmade, times) => unmadeCallText(unmade, options.tools, times),
  };
}

/** Undefined where there is none, or none that tells of a failure: it runs, or was stopped on purpose. */
function exitCodeOf({ command }: Ending): number | null | undefined {
  const hasOne = ["exited", "killed"].includes(command?.state ?? "exited");
  return hasOne ? command?.exitCode : undefined;
}

/** A call as it was understood. */
interface PreparedCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
  /** Undefined if there is none of that name. */
  tool: Tool | undefined;
}

function restored(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, restoreControlTokens<unknown>(value)]),
  );
}

interface Judged {
  accesses: readonly Access[];
  verdict: Verdict;
  context: ToolContext;
  turn: GateTurn;
}

const STRICTNESS: Record<VerdictKind, number> = { allow: 0, ask: 1, deny: 2 };

/** The strictest verdict on everything that a call touches; keeps the paths that may be opened. */
async function judgeAll(
  policy: Policy,
  accesses: readonly Access[],
  paths: Map<string, ResolvedPath>,
): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  for (const access of accesses) {
    const verdict = await policy.judge(access);
    if ("path" in access && verdict.path) paths.set(access.path, verdict.path);
    verdicts.push(verdict);
  }
  const strictest = verdicts.sort((a, b) => STRICTNESS[b.verdict] - STRICTNESS[a.verdict])[0];
  return (
    strictest ?? {
      verdict: "allow",
      by: "rule",
      because: ["it touches nothing"],
      commands: [],
      rememberAs: [],
    }
  );
}

/** What the call may change; undefined if it only reads. */
function changeScope(accesses: readonly Access[], context: ToolContext): ChangeScope | undefined {
  if (accesses.some(({ kind }) => kind === "run")) {
    return context.readsOnly ? undefined : { kind: "workspace" };
  }
  const paths = accesses.flatMap((access) =>
    access.kind === "write" ? [context.path(access.path).real] : [],
  );
  return paths.length > 0 ? { kind: "files", paths } : undefined;
}

function subjectOf(access: Access): string {
  return access.kind === "run" ? access.command : access.path;
}
