import { z } from "zod";
import { editDistance } from "../edit-distance.js";
import type { ReplyStats } from "../model/reply-stats.js";
import type { Tool } from "../tools/tool.js";

/** The words with which the gate answers the model; each says what to do next. */

/** Most names of tools that an answer lists. */
const MOST_NAMES = 7;

/** @param times how often a tool was called that does not exist; the second answer is shorter. */
export function unknownToolText(name: string, tools: readonly Tool[], times: number): string {
  const distance = (tool: Tool) => editDistance(name.slice(0, 100), tool.name);
  const byLikeness = [...tools].sort((a, b) => distance(a) - distance(b));
  const shown = byLikeness.slice(0, MOST_NAMES);
  const names = tools.filter((tool) => shown.includes(tool)).map((tool) => tool.name);
  const there = `There is no tool "${excerpt(name)}". Call one of: ${names.join(", ")}.`;
  const [nearest] = shown;
  return times > 1 || nearest === undefined ? there : `${there} ${nearest.name} takes ${shapeOf(nearest)}.`;
}

/** @param times how often arguments of this tool did not fit; the second answer is shorter. */
export function wrongArgumentsText(tool: Tool, args: unknown, error: z.ZodError, times: number): string {
  const problems = error.issues.map((issue) => `"${issue.path.join(".")}": ${issue.message}`).join("; ");
  const isMissing = ({ path: [key] }: z.core.$ZodIssue) =>
    LONG_TEXTS.has(String(key)) && isRecord(args) && args[String(key)] === undefined;
  const lines =
    times > 1
      ? [`${tool.name} was not run again: ${problems}.`]
      : [
          `${tool.name} was not run, its arguments do not fit: ${problems}.`,
          `You sent: ${excerpt(JSON.stringify(args))}`,
        ];
  if (error.issues.some(isMissing)) lines.push(LEFT_OUT);
  return [...lines, `Call it again with: ${shapeOf(tool)}`].join("\n");
}

/** What is wrong with a call that arrived as text and was not made, as the chat model tells it. */
export function unmadeCallText(
  { problem, detail = "" }: Pick<ReplyStats, "problem" | "detail">,
  tools: readonly Tool[],
  times: number,
): string {
  const [name = "", missing] = detail.split(": ");
  if (problem === undefined || problem === "truncated") return "";
  const tool = tools.find((known) => known.name === name);
  if (!tool) return unknownToolText(name, tools, times);
  if (problem === "shown") return `${name} was not run, since the call stood in a code fence.`;
  const what = missing === undefined ? "its arguments could not be read" : `it lacks ${missing}`;
  const hint = missing?.split(", ").some((key) => LONG_TEXTS.has(key)) ? ` ${LEFT_OUT}` : "";
  return `${name} was not run, ${what}.${hint} It takes ${shapeOf(tool)}.`;
}

/** What comes last in a call and is the first to be lost where it is too long. */
const LONG_TEXTS = new Set(["content", "old_text", "new_text"]);
const LEFT_OUT =
  "Perhaps your call was too long and was cut off. Send less at once: write the first 150 lines, then add the rest with edit_file.";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** `{"path": string, "start_line"?: integer}` */
function shapeOf(tool: Tool): string {
  const schema = z.toJSONSchema(tool.schema);
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const kinds = typeof property === "object" ? (property.anyOf ?? [property]) : [];
    const types = kinds
      .map((kind) => (typeof kind === "object" ? kind.type : undefined))
      .filter((type) => type !== undefined && type !== "null");
    return `"${key}"${required.has(key) ? "" : "?"}: ${types.join(" | ")}`;
  });
  return `{${fields.join(", ")}}`;
}

export function denialText(by: "rule" | "mode" | "user" | "nobody", because: string): string {
  switch (by) {
    case "user":
      return `The user declined this call${because === "" ? "" : `: ${because}`}. Do not repeat it; take another way or ask what is wanted.`;
    case "nobody":
      return `Not run, it needs an approval and nobody can be asked: ${because}. Go on without it and say in your answer what is left undone.`;
    case "rule":
    case "mode":
      return `Not allowed: ${because}. Do not repeat it; take another way.`;
  }
}

/** Without half a character at a cut. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function excerpt(text: string): string {
  return text.length > 300 ? `${whole(text.slice(0, 300))}…` : text;
}
