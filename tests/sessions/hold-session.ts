// A program for the tests of locks: takes a session, says so, and holds it until its standard input ends.
import { once } from "node:events";
import { createSessionStore } from "../../src/sessions/session-store.js";

const [folder = "", workspaceRoot = "", id = ""] = process.argv.slice(2);
const store = createSessionStore({
  folder,
  workspaceRoot,
  onFailure: (message) => {
    throw new Error(message);
  },
});
try {
  const log = await store.reopen(id);
  process.stdout.write("taken\n");
  process.stdin.resume();
  await once(process.stdin, "end");
  log.close();
} catch (error) {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : String(error)}\n`);
}
