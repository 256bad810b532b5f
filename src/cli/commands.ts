// What the entry loads for every command but help and version: one file, since each file that node loads costs as
// much as a hundred kilobytes in it. What only some commands need is loaded by them.
export { askCommand } from "./commands/ask.js";
export { chatCommand } from "./commands/chat-command.js";
export { configCommand } from "./commands/config.js";
export { initCommand } from "./commands/init.js";
export { checkCommand, listPermissions, removeRule } from "./commands/permissions.js";
export { trustCommand } from "./commands/trust.js";
