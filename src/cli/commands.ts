// What the entry loads for every command but help and version: one file, since each file that node loads costs as
// much as a hundred kilobytes in it. What only some commands need is loaded by them.
export { askCommand } from "./ask.js";
export { chatCommand } from "./chat-command.js";
export { configCommand } from "./config.js";
export { initCommand } from "./init.js";
export { checkCommand, listPermissions, removeRule } from "./permissions.js";
export { trustCommand } from "./trust.js";
