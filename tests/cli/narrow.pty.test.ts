import { describe, expect, it } from "vitest";
import { createPlace } from "../helpers/run-cli.js";
import { runInTerminal } from "../helpers/terminal.js";

const COLUMNS = 50;
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "");

describe("what a command prints on a narrow terminal", () => {
  it.each([[["permissions", "check", "rm -rf / && git status"]], [["ask", "hi"]], [["models", "list"]]])(
    "of %j is broken between words, and a pipe gets whole lines",
    async (args) => {
      const place = createPlace({ OLLAMA_HOST: "127.0.0.1:1" });
      const piped = await place.run(args);
      const terminal = runInTerminal(place, args, { columns: COLUMNS });
      await terminal.ended;
      const whole = `${piped.stdout}${piped.stderr}`;
      expect(wordsOf(terminal.text())).toEqual(wordsOf(whole));
      expect(whole.split("\n").some((line) => line.length > COLUMNS)).toBe(true);
    },
  );
});
