import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

// `npm run picture`: writes into README.md what a terminal shows of `mini-cc demo`.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const README = join(ROOT, "README.md");

const [BEGIN, END] = ["<!-- begin: npm run picture -->", "<!-- end -->"];
const [COLUMNS, ROWS] = [100, 80];

/** What a terminal shows when the demo has ended, with what differs from run to run made alike. */
export async function demoPicture(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "mini-cc-picture-"));
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  try {
    const pty = spawn(process.execPath, [join(ROOT, "dist/index.js"), "demo", "--lang", "en"], {
      name: "xterm-256color",
      cols: COLUMNS,
      rows: ROWS,
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", HOME: home, TMPDIR: "/tmp" },
    });
    pty.onData((data) => screen.write(data));
    screen.onData((answer) => pty.write(answer));
    const code = await new Promise<number>((resolve) => {
      pty.onExit(({ exitCode }) => resolve(exitCode));
    });
    await new Promise<void>((resolve) => {
      screen.write("", resolve);
    });
    if (code !== 0) throw new Error(`the demo ended with ${code}:\n${textOf(screen)}`);
    return `$ mini-cc demo\n${settled(textOf(screen))}`;
  } finally {
    screen.dispose();
    rmSync(home, { recursive: true, force: true });
  }
}

function textOf({ buffer: { active } }: xterm.Terminal): string {
  const lines = Array.from(
    { length: active.length },
    (_, y) => active.getLine(y)?.translateToString(true) ?? "",
  );
  return lines.join("\n").trimEnd();
}

/** Names of temporary folders; times, which are told only from a certain length on. */
function settled(text: string): string {
  return text.replace(/mini-cc-demo-\w{6}/g, "mini-cc-demo-abc123").replace(/ · \d+(\.\d+)? s$/gm, "");
}

/** The picture that README.md holds. Throws if it has no place for one. */
export function pictureIn(readme: string): string {
  const [, picture] = new RegExp(`${BEGIN}\n+\`\`\`console\n([^]*?)\n\`\`\`\n+${END}`).exec(readme) ?? [];
  if (picture === undefined) throw new Error(`README.md has no ${BEGIN} … ${END}`);
  return picture;
}

async function main(): Promise<void> {
  const readme = readFileSync(README, "utf8");
  writeFileSync(README, readme.replace(pictureIn(readme), (await demoPicture()).replaceAll("$", "$$$$")));
}

if (argv[1] === fileURLToPath(import.meta.url)) await main();
