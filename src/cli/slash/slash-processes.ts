import { printable } from "../../printable.js";
import type { BackgroundProcess } from "../../processes/background-processes.js";
import { stateOf } from "../../tools/command-end.js";
import type { Messages } from "../messages/catalogue.js";
import { oneLine } from "../render/one-line.js";
import type { SlashContext } from "./slash-commands.js";

/** `/processes` lists the commands in the background, `/processes stop ID` ends one. */
export async function processesCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, messages, say } = context;
  const [verb = "", id] = argument.split(/\s+/);
  if (verb === "") {
    const all = app.background.all();
    say(
      ...(all.length === 0
        ? [messages.processes.none]
        : [...all.map((one) => row(one, messages)), messages.processes.hint]),
    );
  } else if (verb === "stop" && id !== undefined) {
    await stop(context, id);
  } else {
    say(messages.processes.usage);
  }
}

async function stop({ app, messages, say }: SlashContext, id: string): Promise<void> {
  const found = app.background.find(id);
  if (found === undefined) say(messages.processes.unknown(printable(id)));
  else if (found.end !== undefined) say(messages.processes.over(id));
  else {
    await found.stop();
    say(messages.processes.stopped(id, oneLine(found.command, messages)));
  }
}

function row({ id, command, end, startedAt }: BackgroundProcess, messages: Messages): string {
  const { processes } = messages;
  const state = stateOf(end);
  const words =
    state === "running"
      ? processes.state.running(Math.round((Date.now() - startedAt) / 1000))
      : state === "exited"
        ? processes.state.exited(end?.kind === "exited" ? end.code : null)
        : processes.state[state];
  return `  ${id}  ${words}  ${oneLine(command, messages)}`;
}
