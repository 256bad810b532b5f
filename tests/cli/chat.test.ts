import { describe, expect, it } from "vitest";
import type { ApprovalAnswer, ApprovalRequest, Approve } from "../../src/agent/approval.js";
import type { AgentEvent, TurnEnd } from "../../src/agent/agent-events.js";
import type { App } from "../../src/app.js";
import { runChat } from "../../src/cli/chat.js";
import type { Unit } from "../../src/cli/editor/draft.js";
import { en } from "../../src/cli/messages/en.js";
import { EXIT, UserError } from "../../src/errors.js";
import { turnEnd } from "./render/recorder.js";
import { createKeyboard, createScreen } from "./screen.js";

type Turn = (turn: {
  prompt: string;
  signal: AbortSignal;
  onEvent: (event: AgentEvent) => void;
  approve: Approve;
}) => Promise<TurnEnd>;

/** An app in memory whose turns run as the test says. */
function createFakeApp(run: Turn) {
  const prompts: string[] = [];
  const state = { model: "qwen2.5:latest", cleared: 0 };
  let approve: Approve | undefined;
  const app: App = {
    mode: "default",
    notices: [],
    session: () => ({
      type: "session",
      id: "s1",
      model: state.model,
      cwd: "/project",
      contextWindow: 16384,
      version: "0.1.0",
    }),
    setApprove(given) {
      approve = given;
    },
    async prompt(prompt, { signal, onEvent }) {
      prompts.push(prompt);
      const end = await run({ prompt, signal, onEvent, approve: approve! });
      onEvent(end);
      return end;
    },
    withFiles: (text) => Promise.resolve(text),
    run: (command, { onOutput }) => {
      onOutput(`output of ${command}\n`);
      return Promise.resolve({ outcome: "exit code 0", output: `output of ${command}` });
    },
    compact: () => Promise.resolve({ tokensBefore: 0, tokensAfter: 0 }),
    contextUse: () => Promise.reject(new Error("not asked here")),
    projectNotes: () => [],
    reloadNotes: () => Promise.resolve({ changed: false, notices: [] }),
    warmUp: () => undefined,
    sandbox: () => Promise.resolve({ active: true, code: "bubblewrap", text: "sandbox: bubblewrap" }),
    clear: () => {
      state.cleared++;
      return Promise.resolve();
    },
    listModels: () => Promise.resolve(["qwen2.5:latest", "llama3.2:3b"]),
    useModel: (name) => {
      state.model = name;
      return Promise.resolve();
    },
    dispose: () => Promise.resolve(),
  };
  return { app, prompts, state };
}

const answerAtOnce: Turn = ({ prompt, onEvent }) => {
  onEvent({ type: "text-delta", text: `echo of ${prompt}` });
  return Promise.resolve(turnEnd({ text: `echo of ${prompt}` }));
};

/** A turn that lasts until it is cancelled. */
const untilCancelled: Turn = ({ signal, onEvent }) =>
  new Promise((resolve) => {
    onEvent({ type: "text-delta", text: "working" });
    signal.addEventListener("abort", () => resolve(turnEnd({ outcome: "cancelled", text: "working" })));
  });

const command: ApprovalRequest = {
  callId: "c1",
  tool: "run_command",
  subject: "npm test",
  verdict: { verdict: "ask", by: "rule", because: ["no rule"], commands: [], rememberAs: [] },
};

function startChat(run: Turn, columns?: number) {
  const fake = createFakeApp(run);
  const screen = createScreen(columns);
  const keyboard = createKeyboard();
  const signals = new AbortController();
  const history: (readonly Unit[])[] = [];
  const ended = runChat({
    app: fake.app,
    input: keyboard,
    output: screen.output,
    messages: en,
    traits: { colourLevel: 0, animated: true },
    bell: false,
    history: {
      entries: () => history,
      add: (units) => history.unshift(units),
      saved: () => Promise.resolve(),
    },
    environment: {},
    signal: signals.signal,
  });
  return { ...fake, screen, keyboard, signals, ended };
}

/** Types, one key after another as a person does. */
function type(keyboard: { write(text: string): unknown }, text: string): void {
  for (const key of text) keyboard.write(key);
}

describe("the interactive session", () => {
  it("greets with model, window, mode and folder, and answers one prompt after another", async () => {
    const { screen, keyboard, prompts, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    const shown = (await screen.lines()).join("\n");
    for (const part of ["mini-cc 0.1.0", "qwen2.5", "16,384 tokens", "default", "/project", "Ctrl-D"]) {
      expect(shown).toContain(part);
    }
    for (const prompt of ["one", "two", "three"]) {
      type(keyboard, `${prompt}\r`);
      await screen.waitFor(new RegExp(`echo of ${prompt}[^]*tokens in[^]*›`));
    }
    type(keyboard, "\x04");
    expect(await ended).toBe(EXIT.done);
    expect(prompts).toEqual(["one", "two", "three"]);
  });

  it.each([
    ["Ctrl-D", "\x04"],
    ["/exit", "/exit\r"],
    ["Ctrl-C twice", "\x03\x03"],
    ["the end of the input", undefined],
  ])("gives the terminal back when it is left by %s", async (_name, keys) => {
    const { screen, keyboard, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    expect(keyboard.isRaw).toBe(true);
    if (keys === undefined) keyboard.end();
    else type(keyboard, keys);
    expect(await ended).toBe(EXIT.done);
    expect(keyboard.isRaw).toBe(false);
    expect(screen.written().lastIndexOf("\x1b[?2004l")).toBeGreaterThan(
      screen.written().lastIndexOf("\x1b[?2004h"),
    );
    expect(screen.written()).not.toContain("\x1b[?25l");
    expect(process.listeners("exit").filter((listener) => listener.name === "restore")).toEqual([]);
  });

  it("clears the line on Ctrl-C and leaves only at the second on an empty one", async () => {
    const { screen, keyboard, prompts, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, "\x03");
    await screen.waitFor(en.chat.leaveHint);
    type(keyboard, "half a thought\x03");
    type(keyboard, "\x03");
    type(keyboard, "still here\r");
    await screen.waitFor("echo of still here");
    type(keyboard, "\x03\x03");
    expect(await ended).toBe(EXIT.done);
    expect(prompts).toEqual(["still here"]);
  });

  it("cancels the turn on Ctrl-C and goes on with the conversation", async () => {
    const turns = [untilCancelled, answerAtOnce];
    const { screen, keyboard, ended } = startChat((turn) => turns.shift()!(turn));
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor("working");
    type(keyboard, "\x03");
    await screen.waitFor(en.chat.cancelled);
    type(keyboard, "again\r");
    await screen.waitFor("echo of again");
    type(keyboard, "\x04");
    expect(await ended).toBe(EXIT.done);
  });

  it("leaves at the second Ctrl-C when a turn does not end", async () => {
    const { screen, keyboard, ended } = startChat(({ onEvent }) => {
      onEvent({ type: "text-delta", text: "deaf" });
      return new Promise(() => undefined);
    });
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor("deaf");
    type(keyboard, "\x03\x03");
    expect(await ended).toBe(EXIT.cancelled);
    expect(keyboard.isRaw).toBe(false);
  });

  it("ends when the input ends during a turn", async () => {
    const { screen, keyboard, ended } = startChat(untilCancelled);
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor("working");
    keyboard.end();
    expect(await ended).toBe(EXIT.cancelled);
  });

  it("ends on a signal at the prompt and in a turn, which it cancels first", async () => {
    const atPrompt = startChat(answerAtOnce);
    await atPrompt.screen.waitFor("›");
    atPrompt.signals.abort();
    expect(await atPrompt.ended).toBe(EXIT.cancelled);
    expect(atPrompt.keyboard.isRaw).toBe(false);

    const inTurn = startChat(untilCancelled);
    await inTurn.screen.waitFor("›");
    type(inTurn.keyboard, "go\r");
    await inTurn.screen.waitFor("working");
    inTurn.signals.abort();
    expect(await inTurn.ended).toBe(EXIT.cancelled);
    expect((await inTurn.screen.lines()).join("\n")).toContain(en.chat.cancelled);
  });

  it("keeps what is typed while the agent works for the next prompts", async () => {
    const finish: (() => void)[] = [];
    const { screen, keyboard, prompts, ended } = startChat(async (turn) => {
      turn.onEvent({ type: "model-progress", step: 1, phase: "reading", elapsedMs: 0 });
      await new Promise<void>((resolve) => finish.push(resolve));
      return answerAtOnce(turn);
    });
    await screen.waitFor("›");
    type(keyboard, "one\r");
    await screen.waitFor("reading the prompt");
    type(keyboard, "two\rthr");
    finish.shift()!();
    await screen.waitFor("echo of one");
    await screen.waitFor(/› two\n[^]*reading the prompt/);
    finish.shift()!();
    await screen.waitFor(/echo of two[^]*› thr/);
    type(keyboard, "ee\r");
    await screen.waitFor(/› three\n[^]*reading the prompt/);
    finish.shift()!();
    await screen.waitFor("echo of three");
    type(keyboard, "\x04");
    await ended;
    expect(prompts).toEqual(["one", "two", "three"]);
  });

  it("asks in the middle of a turn, and takes no typed-ahead key as the answer nor the answer as a prompt", async () => {
    const answers: ApprovalAnswer[] = [];
    let ask: () => void = () => undefined;
    const { screen, keyboard, prompts, ended } = startChat(async (turn) => {
      turn.onEvent({ type: "model-progress", step: 1, phase: "thinking", elapsedMs: 0 });
      if (turn.prompt === "go") {
        await new Promise<void>((resolve) => {
          ask = resolve;
        });
        answers.push(await turn.approve(command, turn.signal), await turn.approve(command, turn.signal));
      }
      return answerAtOnce(turn);
    });
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor("thinking");
    type(keyboard, "yes, later");
    ask();
    await screen.waitFor(/\[n\]/);
    expect((await screen.lines()).join("\n")).not.toContain("thinking");
    type(keyboard, "y");
    await screen.waitFor(/\[n\][^]*\[n\]/);
    type(keyboard, "nnot now\r");
    await screen.waitFor(/echo of go[^]*› yes, later/);
    type(keyboard, "\r");
    await screen.waitFor("echo of yes, later");
    type(keyboard, "\x04");
    await ended;
    expect(answers).toEqual([{ answer: "once" }, { answer: "no", reason: "not now" }]);
    expect(prompts).toEqual(["go", "yes, later"]);
  });

  it("cancels the turn on Ctrl-C at a question", async () => {
    const { screen, keyboard, ended } = startChat(async ({ approve, signal }) => {
      await approve(command, signal).catch(() => undefined);
      return turnEnd({ outcome: signal.aborted ? "cancelled" : "done" });
    });
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor(/\[n\]/);
    type(keyboard, "\x03");
    await screen.waitFor(new RegExp(`${en.chat.cancelled}[^]*›`));
    type(keyboard, "\x04");
    expect(await ended).toBe(EXIT.done);
  });

  it.each([
    ["bracketed paste", ["\x1b[200~a\nb\x1b[201~", "\r"]],
    ["bracketed paste that ends a line", ["\x1b[200~a\r\nb\r\n\x1b[201~", "\r"]],
    ["paste in pieces", ["\x1b[200~a\n", "b\x1b[20", "1~", "\r"]],
    ["lines in one chunk", ["a\nb\n", "\r"]],
    ["lines in one chunk, ended by Enter", ["a\nb", "\r"]],
    ["a backslash before Enter", ["a\\", "\r", "b\r"]],
    ["paste between typed text", ["XY\x1b[D", "\x1b[200~1\n2\x1b[201~", "\r"], "X1\n2Y"],
    ["a paste with sequences in it", ["\x1b[200~\x1b[31ma\x1b[0m\nb\x1b[201~", "\r"]],
  ])("takes %s as one message", async (_name, chunks, expected = "a\nb") => {
    const { screen, keyboard, prompts, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    for (const chunk of chunks) {
      keyboard.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await screen.waitFor("tokens in");
    type(keyboard, "\x04");
    await ended;
    expect(prompts).toEqual([expected]);
  });

  it("gives earlier prompts back with the arrow key", async () => {
    const { screen, keyboard, prompts, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, "first\r");
    await screen.waitFor("tokens in");
    keyboard.write("\x1b[A");
    keyboard.write("!\r");
    await screen.waitFor("echo of first!");
    type(keyboard, "\x04");
    await ended;
    expect(prompts).toEqual(["first", "first!"]);
  });

  it("shows a failed turn kindly and prompts again", async () => {
    const { screen, keyboard, ended } = startChat(() =>
      Promise.reject(new UserError("the server is gone", { code: "x", hint: "ollama serve" })),
    );
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor(/error: the server is gone\n {2}ollama serve\n[^]*›/);
    type(keyboard, "\x04");
    expect(await ended).toBe(EXIT.done);
  });
});

describe("slash commands", () => {
  it("are listed by /help, and an unknown one is answered with the nearest", async () => {
    const { screen, keyboard, prompts, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, "/help\r");
    await screen.waitFor(/\/help[^]*\/model \[NAME\][^]*\/clear[^]*\/exit/);
    type(keyboard, "/modle\r");
    await screen.waitFor('unknown command "/modle". Did you mean "/model"?');
    type(keyboard, "/etc/hosts is what?\r");
    await screen.waitFor("echo of /etc/hosts");
    type(keyboard, "\x04");
    await ended;
    expect(prompts).toEqual(["/etc/hosts is what?"]);
  });

  it("list and change the model", async () => {
    const { screen, keyboard, state, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, "/model\r");
    await screen.waitFor(/\* qwen2\.5:latest\n {2}llama3\.2:3b/);
    type(keyboard, "/model llama3.2:3\r");
    await screen.waitFor('Did you mean "llama3.2:3b"?');
    expect(state.model).toBe("qwen2.5:latest");
    type(keyboard, "/model llama3.2:3b\r");
    await screen.waitFor("model: llama3.2:3b");
    expect(state.model).toBe("llama3.2:3b");
    type(keyboard, "/clear\r");
    await screen.waitFor("new conversation");
    expect(state.cleared).toBe(1);
    type(keyboard, "\x04");
    await ended;
  });
});
