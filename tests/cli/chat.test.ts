import { describe, expect, it } from "vitest";
import type { ApprovalAnswer, ApprovalRequest } from "../../src/agent/approval.js";
import { en } from "../../src/cli/messages/en.js";
import { EXIT, UserError } from "../../src/errors.js";
import { turnEnd } from "./render/recorder.js";
import { startChat, type } from "./fake-session.js";
import type { Turn } from "./fake-session.js";

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

  it("says so where the model cannot be told to think", async () => {
    const app = { thinkLevel: "high" as const, canThink: false };
    const { screen, keyboard, ended } = startChat(answerAtOnce, { app });
    await screen.waitFor("›");
    type(keyboard, "/think high\r");
    await screen.waitFor(/thinking: high\n.* cannot be told to think/);
    type(keyboard, "\x04");
    await ended;
  });

  it.each([
    ["bracketed paste", ["\x1b[200~a\nb\x1b[201~", "\r"]],
    ["bracketed paste that ends a line", ["\x1b[200~a\r\nb\r\n\x1b[201~", "\r"]],
    ["paste in pieces at its line ends", ["\x1b[200~a\n", "\nb\x1b[201~", "\r"], "a\n\nb"],
    ["paste in pieces", ["\x1b[200~a\n", "b\x1b[20", "1~", "\r"]],
    ["lines in one chunk", ["a\nb\n", "\r"]],
    ["lines in one chunk, ended by Enter", ["a\nb", "\r"]],
    ["a line that a program sends", ["a\\\r", "b\n"]],
    ["a paste with the line end that a program sends behind it", ["\x1b[200~a\nb\x1b[201~\n"]],
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

describe("typing while the agent works", () => {
  /** A turn that takes what waits whenever the test lets it go on. */
  function steps() {
    const waiting: (() => void)[] = [];
    const taken: string[][] = [];
    const turn: Turn = async ({ prompt, steering, signal, onEvent }) => {
      onEvent({ type: "model-progress", step: 1, phase: "reading", elapsedMs: 0 });
      for (;;) {
        const more = await new Promise<boolean>((resolve) => {
          waiting.push(() => resolve(true));
          signal.addEventListener("abort", () => resolve(false));
        });
        if (signal.aborted) return turnEnd({ outcome: "cancelled" });
        if (!more || !steering.isWaiting()) return answerAtOnce({ prompt, onEvent } as Parameters<Turn>[0]);
        taken.push(await steering.take());
      }
    };
    return { turn, taken, go: () => waiting.shift()!() };
  }

  it("shows what waits, lets it be taken back and changed, and hands it over at the next step", async () => {
    const { turn, taken, go } = steps();
    const { screen, keyboard, prompts, ended } = startChat(turn);
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor(/reading[^]*› Esc stops/);
    type(keyboard, "use tabs\r");
    await screen.waitFor(/waiting: use tabs[^]*› Esc stops/);
    keyboard.write("\x1b[A");
    await screen.waitFor(/reading the prompt[^\n]*\n› use tabs$/);
    type(keyboard, ", please\rand no semicolons\r");
    await screen.waitFor(/waiting: use tabs, please\n {2}waiting: and no semicolons/);
    go();
    await screen.waitFor(/› use tabs, please\n› and no semicolons\n[^]*› Esc stops/);
    expect(taken).toEqual([["use tabs, please", "and no semicolons"]]);
    go();
    await screen.waitFor("echo of go");
    type(keyboard, "\x04");
    await ended;
    expect(prompts).toEqual(["go"]);
  });

  it("makes what still waits at the end of a turn the next prompt, and runs commands after it", async () => {
    const finish: (() => void)[] = [];
    const { screen, keyboard, prompts, state, ended } = startChat(async (turn) => {
      turn.onEvent({ type: "model-progress", step: 1, phase: "reading", elapsedMs: 0 });
      await new Promise<void>((resolve) => finish.push(resolve));
      return answerAtOnce(turn);
    });
    await screen.waitFor("›");
    type(keyboard, "one\r");
    await screen.waitFor("reading");
    type(keyboard, "two\rthree\r/clear\rfour\r");
    await screen.waitFor(/… 1 more message\n {2}waiting: three/);
    finish.shift()!();
    await screen.waitFor(/echo of one[^]*› two\n› three\n[^]*reading/);
    expect(state.cleared).toBe(0);
    finish.shift()!();
    await screen.waitFor(/new conversation[^]*› four\n[^]*reading/);
    finish.shift()!();
    await screen.waitFor("echo of four");
    type(keyboard, "\x04");
    await ended;
    expect(prompts).toEqual(["one", "two\n\nthree", "four"]);
  });

  it("stops the turn on Esc, keeps the draft and puts what waited before it", async () => {
    const { screen, keyboard, prompts, ended } = startChat(untilCancelled);
    await screen.waitFor("›");
    type(keyboard, "go\r");
    await screen.waitFor("working");
    type(keyboard, "first\rsecond");
    await screen.waitFor(/waiting: first[^]*› second/);
    keyboard.write("\x1b");
    await screen.waitFor(new RegExp(`${en.chat.cancelled}[^]*› first\\n {2}second$`));
    type(keyboard, "\x03\x04");
    expect(await ended).toBe(EXIT.done);
    expect(prompts).toEqual(["go"]);
  });

  it("gives no key that was pressed before a question to it, and no unknown one after", async () => {
    const answers: ApprovalAnswer[] = [];
    const { screen, keyboard, ended } = startChat(async ({ approve, signal, onEvent, prompt }) => {
      answers.push(await approve(command, signal));
      return answerAtOnce({ prompt, onEvent } as Parameters<Turn>[0]);
    });
    await screen.waitFor("›");
    keyboard.write("go\ry");
    await screen.waitFor(/\[n\]/);
    for (const key of ["x", "q", "\x1b[15~", "\x1b[5~", "a", "\x1b[200~y\x1b[201~"]) keyboard.write(key);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(answers).toEqual([]);
    keyboard.write("n");
    await screen.waitFor(en.question.reason);
    type(keyboard, "\r");
    await screen.waitFor(/echo of go[^]*\n› y$/);
    type(keyboard, "\x03\x04");
    await ended;
    expect(answers).toEqual([{ answer: "no" }]);
  });
});

describe("commands of the user's own", () => {
  it("run with their output shown, which goes with the next message if that is wanted", async () => {
    const { screen, keyboard, prompts, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, "!make check\r");
    await screen.waitFor(/› !make check\noutput of make check\nexit code 0\n[^]*\[n\]/);
    type(keyboard, "y");
    await screen.waitFor(/› \[output of make check\]\n$|› \[output of make check\]/);
    type(keyboard, "what is wrong?\r");
    await screen.waitFor("echo of I ran");
    type(keyboard, "!true\r");
    await screen.waitFor(/exit code 0[^]*exit code 0[^]*\[n\]/);
    type(keyboard, "n");
    await screen.waitFor(/\[n\] n\n\n›$/);
    type(keyboard, "\x04");
    await ended;
    expect(prompts).toEqual([
      expect.stringMatching(
        /^I ran this command myself:\n\$ make check\n\[exit code 0\]\noutput of make check\nwhat is wrong\?$/,
      ),
    ]);
  });
});

describe("the output of a long command in a draft", () => {
  it("is named on one row", async () => {
    const { screen, keyboard, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, `!echo ${"word ".repeat(40)}end\r`);
    await screen.waitFor("[n]");
    type(keyboard, "y");
    await screen.waitFor(/› \[output of echo (?:word )+w?o?r?d?…\]$/);
    type(keyboard, "\x03\x04");
    await ended;
  });
});

describe("a session on which nothing moves", () => {
  it("echoes what is typed, shows output below, and asks with one key", async () => {
    const answers: ApprovalAnswer[] = [];
    const turn: Turn = async (given) => {
      answers.push(await given.approve(command, given.signal));
      return answerAtOnce(given);
    };
    const { screen, keyboard, prompts, ended } = startChat(turn, { traits: { animated: false } });
    await screen.waitFor("›");
    type(keyboard, "gp\x7fo\r");
    await screen.waitFor(/› go\n[^]*\n {2}\[n\]$/);
    type(keyboard, "y");
    await screen.waitFor(/\[n\] yes, once\n[^]*echo of go\n[^]*\n›$/);
    keyboard.write("\x1b[A");
    await screen.waitFor(/\n› go$/);
    type(keyboard, "\x03\x04");
    expect(await ended).toBe(EXIT.done);
    expect(prompts).toEqual(["go"]);
    expect(answers).toEqual([{ answer: "once" }]);
    expect(screen.written()).not.toContain("\x1b");
  });
});

describe("slash commands", () => {
  it("are listed by /help, and an unknown one is answered with the nearest", async () => {
    const { screen, keyboard, prompts, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, "/help\r");
    await screen.waitFor(/\/help[^]*\/model \[NAME\][^]*\/clear[^]*\/exit/);
    await screen.waitFor(/Shift\/Alt-Enter[^]*Ctrl-G/);
    type(keyboard, "/modell\r");
    await screen.waitFor('unknown command "/modell". Did you mean "/model"?');
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
    await screen.waitFor(/› qwen2\.5:latest\n {2}llama3\.2:3b/);
    keyboard.write("\x1b[B");
    await screen.waitFor(/ {2}qwen2\.5:latest\n› llama3\.2:3b/);
    type(keyboard, "qwe");
    await screen.waitFor(/model: qwe\n› qwen2\.5:latest\n(?! {2}llama)/);
    type(keyboard, "\r");
    await screen.waitFor("model: qwen2.5:latest\n\n›");
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

  it("are offered while they are written, with what they do", async () => {
    const { screen, keyboard, ended } = startChat(answerAtOnce);
    await screen.waitFor("›");
    type(keyboard, "/co");
    await screen.waitFor(
      /› \/compact +shorten[^\n]*\n {2}\/context +show[^\n]*\n {2}\/copy \[code\|N\] +copy/,
    );
    type(keyboard, "\t");
    await screen.waitFor(/\n› \/compact\n/);
    type(keyboard, "\x03\x04");
    await ended;
  });

  it("copy the last answer and its code blocks by way of the terminal", async () => {
    const answer = "Try:\n```sh\nmake\n```\nor\n```\nninja\n```";
    const { screen, keyboard, ended } = startChat(({ onEvent }) => {
      onEvent({ type: "text-delta", text: answer });
      return Promise.resolve(turnEnd({ text: answer }));
    });
    await screen.waitFor("›");
    type(keyboard, "/copy\r");
    await screen.waitFor("no answer to copy");
    type(keyboard, "go\r");
    await screen.waitFor("tokens in");
    for (const [argument, copied] of [
      ["", answer],
      [" code", "ninja"],
      [" 1", "make"],
    ]) {
      type(keyboard, `/copy${argument}\r`);
      await screen.waitFor(`copied ${copied!.length} characters (OSC 52)`);
      expect(screen.written()).toContain(`\x1b]52;c;${Buffer.from(copied!).toString("base64")}\x07`);
    }
    type(keyboard, "/copy 3\r");
    await screen.waitFor("has 2 code blocks");
    type(keyboard, "\x04");
    await ended;
  });
});
