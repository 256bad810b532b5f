// A program for the test of crashes: appends two records to a new session and kills itself.
import { createSessionStore } from "../../src/sessions/session-store.js";

const [folder = "", workspaceRoot = ""] = process.argv.slice(2);
const log = createSessionStore({
  folder,
  workspaceRoot,
  onFailure: (message) => {
    throw new Error(message);
  },
}).create();
for (const text of ["one", "two"]) log.append({ type: "user", at: "2026-03-04T05:06:07.000Z", text });
process.kill(process.pid, "SIGKILL");
