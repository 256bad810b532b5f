import type { PermissionMode } from "../../permissions/access.js";
import { nearestWord } from "../../edit-distance.js";
import { permissionLines } from "../commands/permissions.js";
import type { SlashContext } from "./slash-commands.js";

const MODES: readonly PermissionMode[] = ["default", "accept-edits", "plan", "bypass"];
const LEVELS = ["off", "on", "low", "medium", "high"] as const;

/** The one that was named, or that was picked from a list; undefined, and said so, if there is none of that name. */
async function choose<T extends string>(
  context: SlashContext,
  setting: {
    argument: string;
    title: string;
    choices: readonly T[];
    current: T;
    explain: (choice: T) => string;
  },
): Promise<T | undefined> {
  const { argument, title, choices, current, explain } = setting;
  const named = choices.find((choice) => choice === argument.toLowerCase());
  if (named !== undefined) return named;
  if (argument !== "") {
    context.say(
      context.messages.settings.unknown(
        argument,
        context.messages.joining.list(choices),
        nearestWord(argument, choices),
      ),
    );
    return undefined;
  }
  const items = choices.map((choice) => ({ label: choice, detail: explain(choice) }));
  const picked = await context.pick({ title, items, selected: choices.indexOf(current) });
  return picked === undefined ? undefined : choices[picked];
}

/** "/mode": what happens unasked from now on. */
export async function modeCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, messages, say, colours } = context;
  const { modes } = messages.settings;
  const mode = await choose(context, {
    argument,
    title: messages.chat.mode,
    choices: MODES,
    current: app.mode,
    explain: (choice) => modes[choice],
  });
  if (mode !== undefined) app.setMode(mode);
  say(messages.joining.labelled(messages.chat.mode, app.mode));
  if (app.mode === "bypass") say(colours.red.bold(messages.chat.bypass));
}

/** "/think": whether and how long the model thinks before it answers. */
export async function thinkCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, messages, say } = context;
  const level = await choose(context, {
    argument,
    title: messages.settings.think,
    choices: LEVELS,
    current: app.thinkLevel,
    explain: (choice) => messages.settings.levels[choice],
  });
  if (level !== undefined && level !== app.thinkLevel) await app.setThinkLevel(level);
  say(messages.joining.labelled(messages.settings.think, app.thinkLevel));
  if (!app.canThink && app.thinkLevel !== "off") say(messages.settings.cannotThink(app.session().model));
}

/** "/debug": whether every request and raw reply is recorded, and where. */
export async function debugCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, messages, say } = context;
  if (argument !== "" && argument !== "on" && argument !== "off") {
    const choices = ["on", "off"];
    say(messages.settings.unknown(argument, messages.joining.list(choices), nearestWord(argument, choices)));
    return;
  }
  await app.setDebug(argument === "" ? app.debugFile() === undefined : argument === "on");
  const file = app.debugFile();
  say(file === undefined ? messages.settings.debugOff : messages.settings.debugOn(file));
}

/** "/permissions": the rules in force, with those that answers have kept. */
export function permissionsCommand({ app, messages, say }: SlashContext): void {
  say(...permissionLines({ mode: app.mode, ...app.rules() }, messages));
}
