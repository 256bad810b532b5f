// Opens the session given by folder, workspace and id as mini-cc does, up to the conversation, and prints how many MB
// of heap and buffers that holds.
import { conversationFrom } from "../src/agent/conversation.js";
import { createSessionStore } from "../src/sessions/session-store.js";
import { resumeSession } from "../src/setup/resume.js";

const [folder = "", workspaceRoot = "", id = ""] = process.argv.slice(2);
const held = () => {
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
};
const store = createSessionStore({
  folder,
  workspaceRoot,
  onFailure: (message) => {
    throw new Error(message);
  },
});
const before = held();
const { records, log } = await resumeSession(store, id, workspaceRoot);
const messages = conversationFrom(records);
const after = held();
log.close();
if (messages.length === 0) throw new Error("the session is empty");
process.stdout.write((after - before).toFixed(1));
