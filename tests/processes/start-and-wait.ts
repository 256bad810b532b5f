// A program for the test of crashes: starts a command in the background and waits to be killed.
import { createProcessRegistry } from "../../src/processes/process-registry.js";

const [script = ""] = process.argv.slice(2);
const request = {
  argv: ["bash", "-c", script],
  cwd: "/",
  env: { PATH: process.env["PATH"] },
  maxOutputBytes: 1_000,
};
await createProcessRegistry().startInBackground(script, request);
process.stdout.write("started\n");
setInterval(() => undefined, 1_000);
