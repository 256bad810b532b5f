import { join } from "node:path";
import { expect, it } from "vitest";
import { firstSteps } from "../../src/cli/commands/first-steps.js";
import type { Start } from "../../src/cli/start.js";
import { en } from "../../src/cli/messages/en.js";
import { createPlace } from "../helpers/run-cli.js";

it("a folder that cannot be read offers nothing, and the session starts all the same", async () => {
  const { state, workspace } = createPlace();
  const start = { loaded: { folders: { state } }, messages: en } as Start;
  expect(await firstSteps({ ...start, workspaceRoot: workspace })).toHaveLength(4);
  expect(await firstSteps({ ...start, workspaceRoot: join(workspace, "gone") })).toEqual([]);
});
