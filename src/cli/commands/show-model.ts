import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import { sameModel } from "../../model/choose-model.js";
import type { ModelDescription } from "../../model/model-description.js";
import type { ModelProfile } from "../../model/profiles.js";
import { profileOf } from "../../model/profiles.js";
import { weaknessOf } from "../../model/recommended-models.js";
import { visible } from "../../printable.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import type { Messages } from "../messages/catalogue.js";
import { modelServer } from "./model-server.js";
import { abilityText, byteText, fitText, loadedText, protocolText, windowText } from "./model-words.js";
import type { CommandContext } from "../program.js";
import { jsonLine } from "../render/json-line.js";
import { inRows, widthOf } from "../render/terminal.js";
import { start } from "../start.js";

/** How templates of Ollama's own kind mark a call; the first that a template contains is its family's. */
const CALL_MARKS = ["<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "functools[", "<|tool_call>"];

/** `mini-cc models show NAME`. Throws ModelError (exit 3) for a model that is not installed. */
export async function showModel(
  context: CommandContext,
  name: string,
  { json }: { json?: boolean },
): Promise<ExitCode> {
  const { loaded, messages } = await start(context);
  return cancelOnSignals(async (signal) => {
    try {
      const server = modelServer(loaded);
      const { client } = server;
      const details = await client.showModel(name, signal);
      const [installed, inMemory, window] = await Promise.all([
        client.installedModels(signal),
        server.loadedModels(signal),
        server.window(name, details),
      ]);
      const size = installed.find((model) => sameModel(model.name, name))?.size ?? 0;
      const isIn = inMemory.find((model) => sameModel(model.name, name));
      const fit = server.fit(details, size, window.tokens);
      const profile = profileOf(name, details);
      if (json === true) {
        const { tokens, because } = window;
        const session = { contextWindow: tokens, because };
        process.stdout.write(
          jsonLine({ name, size, ...details, profile, session, fit: fit ?? null, loaded: isIn ?? null }),
        );
        return EXIT.done;
      }
      const { rows: labels, tokens } = messages.models;
      const { parameters, trainedContext, capabilities, cloud } = details;
      const entries: [string, string][] = [
        [labels.name, name],
        ...(cloud ? [[labels.place, messages.models.cloud] satisfies [string, string]] : []),
        [labels.size, size === 0 || cloud ? "" : byteText(size)],
        [
          labels.kind,
          [details.family, details.parameterSize, details.quantization].filter(Boolean).join(" "),
        ],
        [labels.abilities, abilityText(capabilities, messages)],
        [labels.trained, trainedContext === undefined ? "" : tokens(trainedContext)],
        [labels.window, windowText(window, messages)],
        [labels.perToken, details.kvBytesPerToken === undefined ? "" : byteText(details.kvBytesPerToken)],
        [labels.fit, fit === undefined ? "" : fitText(fit, messages)],
        [labels.loaded, isIn === undefined ? labels.notLoaded : loadedText(isIn, messages)],
        [labels.protocol, protocolText(profile, loaded, messages)],
        [labels.thinking, messages.models.thinking[profile.thinking](loaded.config.ollama.think)],
        [labels.temperature, temperatureText(profile, messages)],
        [labels.template, templateText(details, messages)],
        ...parameters.map((parameter, index): [string, string] => [
          index === 0 ? labels.parameters : "",
          `${parameter.name} ${parameter.value}`,
        ]),
      ];
      const notes = [...weaknessNote(name, details, messages)];
      const width = Math.max(...entries.map(([label]) => widthOf(label)));
      for (const [label, value] of entries) {
        if (value !== "") print(`${label}${" ".repeat(width - widthOf(label))}  ${value}`);
      }
      for (const note of notes) print(note);
      return EXIT.done;
    } catch (error) {
      if (signal.aborted) return EXIT.cancelled;
      throw error;
    }
  });
}

function temperatureText({ family, leastTemperature }: ModelProfile, messages: Messages): string {
  if (family === undefined || leastTemperature === undefined) return "";
  return messages.models.leastTemperature(family, leastTemperature);
}

function weaknessNote(name: string, { parameterSize }: ModelDescription, messages: Messages): string[] {
  const weakness = weaknessOf(name, parameterSize);
  return weakness === undefined ? [] : [messages.models.weakness[weakness](name)];
}

/** Who writes the prompt and reads the calls, which is what families differ in. */
function templateText({ renderer, parser, template }: ModelDescription, messages: Messages): string {
  const words = messages.models.template;
  if (renderer !== undefined || parser !== undefined) return words.builtIn(renderer ?? "-", parser ?? "-");
  if (template === "") return words.unknown;
  const mark = CALL_MARKS.find((candidate) => template.includes(candidate));
  const kind = template.includes("{%") ? words.jinja : words.go;
  return mark === undefined ? kind : `${kind}, ${words.calls(mark)}`;
}

function print(line: string): void {
  for (const row of inRows([visible(line)], process.stdout)) process.stdout.write(`${row}\n`);
}
