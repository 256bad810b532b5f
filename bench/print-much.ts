// A program for the bench: runs a command that prints 200 MB and tells the memory that this takes, and the time.
import { createProcessRegistry } from "../src/processes/process-registry.js";
import { outputText } from "../src/tools/output-text.js";

const BYTES = 200_000_000;
const LINE = "some ordinary line of a build log, number one";

const registry = createProcessRegistry();
const request = {
  argv: ["bash", "-c", `yes '${LINE}' | head -c ${BYTES}`],
  cwd: "/",
  env: { PATH: process.env["PATH"] },
  maxOutputBytes: 256 * 1024,
};
const before = process.memoryUsage().rss;
let most = before;
const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
const begin = performance.now();
const { output } = await registry.run(request, new AbortController().signal);
const milliseconds = performance.now() - begin;
clearInterval(timer);
await registry.dispose();
if (!outputText(output, 14_000).text.includes("lines left out")) throw new Error("it printed too little");
console.log(JSON.stringify({ megabytes: (most - before) / 1e6, milliseconds }));
