import { describe, expect, it } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import type { MessageReply } from "../../src/demo/reply.js";
import { eventsOf, readEvents } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

type Args = Record<string, string>;

/** One model's way of writing a call; all but the first arrive as text. */
interface Family {
  name: string;
  /** As `model-end.recovered` names it. */
  recovered?: string;
  write: (tool: string, args: Args) => MessageReply;
}

const json = (value: unknown) => JSON.stringify(value);
const python = (args: Args) =>
  Object.entries(args)
    .map(([key, value]) => `${key}=${json(value)}`)
    .join(", ");
const parameters = (args: Args) =>
  Object.entries(args)
    .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
    .join("");

const FAMILIES: readonly Family[] = [
  { name: "native calls", write: call },
  {
    name: "Hermes tags",
    recovered: "hermes",
    write: (name, args) =>
      say(`Let me do that.\n<tool_call>\n${json({ name, arguments: args })}\n</tool_call>`),
  },
  {
    name: "qwen-coder's XML",
    recovered: "function-xml",
    write: (name, args) =>
      say(`<tool_call>\n<function=${name}>\n${parameters(args)}</function>\n</tool_call>`),
  },
  { name: "bare JSON", recovered: "json", write: (name, args) => say(json({ name, arguments: args })) },
  {
    name: "Llama's JSON",
    recovered: "llama",
    write: (name, args) => say(`<|python_tag|>${json({ name, parameters: args })}`),
  },
  {
    name: "Mistral",
    recovered: "mistral",
    write: (name, args) => say(`[TOOL_CALLS]${name}[ARGS]${json(args)}`),
  },
  { name: "pythonic", recovered: "python", write: (name, args) => say(`[${name}(${python(args)})]`) },
  {
    name: "Gemma's tool_code",
    recovered: "fenced-python",
    write: (name, args) => say(`\`\`\`tool_code\n${name}(${python(args)})\n\`\`\``),
  },
];

const SOURCE = `export function price(count) {
  // "Ten or more" get a discount.
  return count > 10 ? count * 0.9 : count;
}
`;
const PAGE = `<!doctype html>
<html lang="en">
  <body class="a b" data-path='C:\\dev'>a &amp; b "quoted" \\n</body>
</html>
`;
const CHECK = `import { price } from "./src/price.mjs";
process.exit(price(10) === 9 ? 0 : 3);
`;

/** Find, read, run, edit, write, run, answer. */
const TASK: readonly [string, Args][] = [
  ["search_code", { pattern: "discount" }],
  ["read_file", { path: "src/price.mjs" }],
  ["run_command", { command: "node check.mjs" }],
  [
    "edit_file",
    {
      path: "src/price.mjs",
      old_text: '  // "Ten or more" get a discount.\n  return count > 10 ?',
      new_text: '  // "Ten or more" get a discount.\n  return count >= 10 ?',
    },
  ],
  ["write_file", { path: "docs/page.html", content: PAGE }],
  ["run_command", { command: "node check.mjs" }],
];

describe.each(FAMILIES)("a whole task by $name", ({ recovered, write }) => {
  it("ends with the same files, commands and answer", async () => {
    const { ask, place, server } = await askPlace({
      replies: [...TASK.map(([tool, args]) => write(tool, args)), say("Ten items get the discount now.")],
    });
    place.file("src/price.mjs", SOURCE);
    place.file("check.mjs", CHECK);
    const { code, stdout } = await ask([
      "mend the discount",
      "--permission-mode=accept-edits",
      "--allow=node check.mjs",
      "--output-format=stream-json",
    ]);

    expect(code).toBe(0);
    expect(place.text("src/price.mjs")).toBe(SOURCE.replace("count > 10", "count >= 10"));
    expect(place.text("docs/page.html")).toBe(PAGE);
    const events = readEvents(stdout);
    expect(events.at(-1)).toMatchObject({
      outcome: "done",
      text: "Ten items get the discount now.",
      usage: { steps: TASK.length + 1 },
      changedFiles: ["src/price.mjs", "docs/page.html"],
      commands: [
        { command: "node check.mjs", exitCode: 3 },
        { command: "node check.mjs", exitCode: 0 },
      ],
    });
    const forms = eventsOf(events, "model-end").map((end) => end.recovered);
    expect(forms).toEqual([...TASK.map(() => recovered), undefined]);

    // To the model its own calls stand as real ones, whatever they looked like.
    const history = server.chatBodies().at(-1)?.messages ?? [];
    const said = history.filter(({ role }) => role === "assistant");
    expect(said.map(({ tool_calls }) => tool_calls?.[0]?.function.name)).toEqual(TASK.map(([tool]) => tool));
    expect(said.map(({ content }) => content).join("")).not.toMatch(
      /tool_call|function=|arguments|search_code/i,
    );
  });
});
