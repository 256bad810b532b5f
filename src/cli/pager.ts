import { spawn } from "node:child_process";

/**
 * Shows text page by page on a terminal, with the program of $PAGER or with less; plainly where there is no terminal,
 * or no such program. Resolves when the user has left it.
 */
export async function page(text: string, output: NodeJS.WriteStream): Promise<void> {
  const { PAGER } = process.env;
  const command = PAGER ?? "less";
  if (!output.isTTY || process.env["TERM"] === "dumb" || ["", "cat"].includes(command.trim())) {
    output.write(text);
    return;
  }
  // As git does it: colours are passed on, and what fits on the screen is shown without paging.
  const env = { LESS: "FRX", ...process.env };
  const pager = spawn("sh", ["-c", command], { env, stdio: ["pipe", "inherit", "inherit"] });
  // Ctrl-C belongs to the pager while it runs.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  try {
    const code = await new Promise<number | null>((resolve) => {
      pager.once("error", () => resolve(127));
      pager.once("close", resolve);
      // The user may leave before the end.
      pager.stdin.on("error", ignore);
      pager.stdin.end(text);
    });
    if (code === 127) output.write(text);
  } finally {
    process.off("SIGINT", ignore);
  }
}
