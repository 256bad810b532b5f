import { z } from "zod";
import type { Access, Policy, Verdict } from "../../src/permissions/access.js";
import type { Tool, ToolContext, ToolResult } from "../../src/tools/tool.js";
import { defineTool } from "../../src/tools/tool.js";

export const ROOT = "/workspace";

/** A tool over notes in memory: what it did stands in `journal`, in order. */
export function noteTools() {
  const notes = new Map([
    ["a", "Note A"],
    ["b", "Note B"],
  ]);
  const journal: string[] = [];
  const readNote = defineTool({
    name: "read_note",
    description: "Reads a note.",
    schema: z.object({ name: z.string(), from_line: z.int().nullish() }),
    effect: "read",
    touches: ({ name }) => [{ kind: "read", path: name }],
    run: ({ name }, context) => {
      context.path(name);
      journal.push(`read ${name}`);
      const text = notes.get(name);
      return Promise.resolve(
        text === undefined
          ? { status: "error", output: `There is no note ${name}.` }
          : { status: "ok", output: text },
      );
    },
  });
  const writeNote = defineTool({
    name: "write_note",
    description: "Writes a note.",
    schema: z.object({ name: z.string(), text: z.string() }),
    effect: "change",
    touches: ({ name }) => [{ kind: "write", path: name }],
    run: ({ name, text }) => {
      journal.push(`write ${name}`);
      notes.set(name, text);
      return Promise.resolve({
        status: "ok",
        output: `Wrote ${name}.`,
        changedFiles: [name],
        diff: `+${text}`,
      });
    },
  });
  const runCommand = defineTool({
    name: "run_command",
    description: "Runs a command; sleep lasts until it is cancelled.",
    schema: z.object({ command: z.string() }),
    effect: "change",
    touches: ({ command }) => [{ kind: "run", command }],
    run: ({ command }, context) => {
      journal.push(`run ${command}`);
      context.onOutput(`${command} runs\n`);
      if (command !== "sleep") {
        const exitCode = command === "false" ? 1 : 0;
        return Promise.resolve({
          status: "ok",
          output: `exit code ${exitCode}`,
          command: { command, exitCode },
        });
      }
      return new Promise<ToolResult>((_, reject) => {
        const kill = () => {
          journal.push("killed sleep");
          reject(context.signal.reason as Error);
        };
        if (context.signal.aborted) kill();
        else context.signal.addEventListener("abort", kill);
      });
    },
  });
  return { tools: [readNote, writeNote, runCommand], notes, journal };
}

/** A tool with one required string, whose run is given. */
export function tool(
  name: string,
  run: (context: ToolContext, args: Record<string, unknown>) => Promise<ToolResult> | ToolResult,
  more: Partial<Tool> = {},
): Tool {
  return {
    ...defineTool({
      name,
      description: `Does ${name}.`,
      schema: z.object({ path: z.string() }),
      effect: "read",
      touches: ({ path }): Access[] => [{ kind: "read", path }],
      run: async (args, context) => run(context, args),
    }),
    ...more,
  };
}

/** Judges by kind of access; reads are allowed if nothing else is said. */
export function policy(
  rules: Partial<Record<Access["kind"], Partial<Verdict>>> = {},
): Policy & { kept: string[] } {
  const kept: string[] = [];
  return {
    mode: "default",
    setMode: () => undefined,
    keptForSession: [],
    kept,
    allowForSession: (rule) => kept.push(rule),
    judge: (access) => {
      const verdict: Verdict = {
        verdict: "allow",
        by: "rule",
        because: [`${access.kind} is free`],
        commands: [],
        rememberAs: [],
        ...rules[access.kind],
      };
      if (access.kind === "run" || verdict.verdict === "deny") return Promise.resolve(verdict);
      const { path: written } = access;
      const path = {
        written,
        real: `${ROOT}/${written}`,
        display: written,
        inside: true,
        kind: "file" as const,
      };
      return Promise.resolve({ ...verdict, path });
    },
  };
}

export const ASKS: Partial<Verdict> = {
  verdict: "ask",
  by: "rule",
  because: ["no rule allows it"],
  rememberAs: ["npm test"],
};
