import { say } from "../src/demo/reply.js";
import { startScriptedOllama } from "../src/demo/scripted-ollama.js";
import type { Figure } from "./bench.js";
import { CLI, inTurn, runNode } from "./measure.js";

const RUNS = 15;

/** Start-up against bare node, by CPU time, which other work on the machine disturbs least. */
export async function startUpFigures(): Promise<Figure[]> {
  const bare = async () => (await runNode(["-e", "0"])).cpuMs;
  const cli = (flag: string) => async () => (await runNode([CLI, flag])).cpuMs;
  const help = await inTurn(RUNS, cli("--help"), bare);
  const version = await inTurn(RUNS, cli("--version"), bare);

  const server = await startScriptedOllama({ replies: () => say("Hello."), keepRequests: 10 });
  try {
    const hello = async () => {
      const run = await runNode([CLI, "ask", "hello", "--host", server.url, "--model", "scripted"]);
      if (run.exitCode !== 0 || run.stdout !== "Hello.\n") throw new Error(`hello failed: ${run.stdout}`);
      const request = server.requests.findLast(({ path }) => path === "/api/chat");
      return (request?.at ?? Number.NaN) - run.startedAt;
    };
    const bareWall = async () => (await runNode(["-e", "0"])).wallMs;
    const first = await inTurn(RUNS, hello, bareWall);
    return [
      { name: "--help, CPU against bare node", value: help.ratio, unit: "ratio", budget: 1.3 },
      { name: "--version, CPU against bare node", value: version.ratio, unit: "ratio", budget: 1.3 },
      { name: "start to first request against bare node", value: first.ratio, unit: "ratio", budget: 4 },
      { name: "memory of a hello (RSS)", value: await rssOfHello(server.url), unit: "MB", budget: 115 },
    ];
  } finally {
    await server.close();
  }
}

/** The most that the process had at any time, in MB, as it says itself at its end. */
async function rssOfHello(url: string): Promise<number> {
  const preload = `data:text/javascript,process.on("exit",()=>console.log(process.resourceUsage().maxRSS))`;
  const run = await runNode(["--import", preload, CLI, "ask", "hello", "--host", url, "--model", "scripted"]);
  return Number(run.stdout.trim().split("\n").at(-1)) / 1024;
}
