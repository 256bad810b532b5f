import { describe, expect, it } from "vitest";
import { eventually } from "../helpers/processes.js";
import { createWorkspace } from "./workspace.js";

const run = async (command: string, more: { timeout?: number; maxOutputChars?: number } = {}) => {
  const workspace = createWorkspace();
  const { timeout, ...options } = more;
  const result = await workspace.run("run_command", { command, timeout }, options);
  return { ...result, live: workspace.live.join("") };
};

describe("what a command prints", () => {
  it("is passed on while it runs", async () => {
    const workspace = createWorkspace();
    const controller = new AbortController();
    const running = workspace.run(
      "run_command",
      { command: "echo first; sleep 100" },
      { signal: controller.signal },
    );
    await eventually(() => workspace.live.length > 0);
    expect(workspace.live.join("")).toBe("first\n");
    controller.abort(new Error("enough"));
    await running;
  });

  it("comes in the order in which it was written, whichever stream it was written to", async () => {
    const command = "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done";
    const expected = Array.from({ length: 9 }, (_, at) => `out ${at + 1}\nerr ${at + 1}`).join("\n");
    const { output, live } = await run(command);
    expect(output).toBe(`exit code 0\n${expected}`);
    expect(live).toBe(`${expected}\n`);
  });

  it("reaches the model without escape sequences, and of a progress bar only the last state", async () => {
    const command = String.raw`printf '\033[31mred\033[0m\n 10%%\r 50%%\r100%%\nx\r\n\033]0;title\007done\n'`;
    expect((await run(command)).output).toBe("exit code 0\nred\n100%\nx\ndone");
  });

  it("is not shown if it is binary", async () => {
    expect((await run("head -c 100000 /dev/urandom")).output).toBe(
      "exit code 0\n[The output is binary, 100000 bytes; it is not shown.]",
    );
  });
});

describe("the encoding of what a command prints", () => {
  it.each([
    {
      title: "UTF-8 of which a character comes in two chunks",
      command: String.raw`printf '\344\275'; sleep 0.1; printf '\240ok\n'`,
      shown: "你ok",
    },
    { title: "GBK", command: String.raw`printf '\305\344\326\303\n'`, shown: "配置", encoding: "gbk" },
    {
      title: "GBK of which a character comes in two chunks",
      command: String.raw`printf 'a \305'; sleep 0.1; printf '\344\326\303\n'`,
      shown: "a 配置",
      encoding: "gbk",
    },
    {
      title: "GBK and UTF-8, line by line",
      command: String.raw`printf '\305\344\326\303\n'; echo 配置`,
      shown: "配置\n配置",
      encoding: "gbk",
    },
    { title: "Latin-1", command: String.raw`printf 'caf\351\n'`, shown: "café", encoding: "windows-1252" },
    {
      title: "Shift-JIS",
      command: String.raw`printf '\203e\203X\203g\202\315\n'`,
      shown: "テストは",
      encoding: "shift_jis",
    },
  ])("is recognised: $title", async ({ command, shown, encoding }) => {
    const { output, live } = await run(command);
    const note = encoding === undefined ? "" : `\n[The output was in ${encoding}, not in UTF-8.]`;
    expect(output).toBe(`exit code 0\n${shown}${note}`);
    expect(live).toBe(`${shown}\n`);
  });

  it("is said to be unknown where bytes mean nothing", async () => {
    const { output } = await run(String.raw`printf 'ab\377\376\300\n'; echo 好`);
    expect(output).toMatch(/^exit code 0\nab\uFFFD+\n好\n\[Some bytes are in no encoding.*\uFFFD\.\]$/);
  });
});

describe("however much a command prints", () => {
  it("head and tail are kept within the result limit, with the number of lines between", async () => {
    const { output } = await run("seq 1 200000", { maxOutputChars: 4_000 });
    expect(output.length).toBeLessThanOrEqual(4_000);
    expect(output).toMatch(
      /^exit code 0\n1\n2\n3\n[^]*\n\[… \d+ lines left out …\]\n[^]*\n199999\n200000\n\[\d+ of 200000 lines are shown\./,
    );
    const numbers = output.split("\n").filter((line) => /^\d+$/.test(line)).length;
    const leftOut = Number(/\[… (\d+) lines left out …\]/.exec(output)?.[1]);
    expect(numbers + leftOut).toBe(200_000);
  });

  it("errors from the middle are shown", async () => {
    const error = "src/a.c:12: error: expected ;";
    const command = `seq 1 300000; echo '${error}'; echo '   12 | int x'; seq 1 300000`;
    const { output } = await run(command, { maxOutputChars: 4_000 });
    expect(output.length).toBeLessThanOrEqual(4_000);
    expect(output).toMatch(
      /\n\[… \d+ lines left out …\]\nsrc\/a\.c:12: error: expected ;\n {3}12 \| int x\n1\n\[… \d+ lines left out …\]\n/,
    );
  });

  it("memory stays bounded, and the time limit works", async () => {
    const before = process.memoryUsage().rss;
    const { output } = await run("yes", { timeout: 2 });
    expect(output).toMatch(/^timed out after 2 s[^]*\ny\n\[the line above \d+ times in all\]\n\[… \d+ lines/);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it("memory stays bounded at 2 GB", async () => {
    let most = 0;
    const before = process.memoryUsage().rss;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100);
    const line = "some ordinary line of a build log, number one";
    const { output } = await run(`yes '${line}' | head -c 2000000000`, { timeout: 500 });
    clearInterval(timer);
    expect(output).toMatch(new RegExp(`^exit code 0[^]*${line}\n`));
    expect(output).toMatch(/\[… \d{8} lines left out …\]/);
    expect(most - before).toBeLessThan(150 * 1024 * 1024);
  }, 600_000);
});
