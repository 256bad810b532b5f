import { config } from "./phrases-zh/config.js";
import { libraries } from "./phrases-zh/libraries.js";
import { model } from "./phrases-zh/model.js";
import { permissions } from "./phrases-zh/permissions.js";
import { programs } from "./phrases-zh/programs.js";
import { sessions } from "./phrases-zh/sessions.js";
import { surroundings } from "./phrases-zh/surroundings.js";
import { system } from "./phrases-zh/system.js";
import { tools } from "./phrases-zh/tools.js";
import { turns } from "./phrases-zh/turns.js";
import { createTranslator } from "./translator.js";

/** Texts from below `cli/` in Chinese. */
export const translate = createTranslator(
  [permissions, programs, config, libraries, model, turns, sessions, surroundings, tools, system],
  "；",
);
