// A program for the test of standard output: asks the server of its arguments a number of times, whatever comes.
import { HumanMessage } from "@langchain/core/messages";
import { chatModel, replyTo } from "./model.js";

const [url = "", times = "0"] = process.argv.slice(2);
for (let count = 0; count < Number(times); count++) {
  await replyTo(chatModel(url), [new HumanMessage("Hi")]).catch(() => undefined);
}
process.stderr.write(`asked ${times} times\n`);
