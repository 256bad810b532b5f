import { spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { livingMembers, membersFromPs, TAG_VARIABLE } from "../../src/processes/process-list.js";

it.skipIf(process.platform === "win32").each([
  { title: "the system's own list", list: livingMembers },
  { title: "ps", list: membersFromPs },
])("finds members of a group, and tagged processes outside it, by $title", async ({ list }) => {
  const start = (tag: string) => {
    const child = spawn("sleep", ["60"], { detached: true, env: { ...process.env, [TAG_VARIABLE]: tag } });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child.pid ?? 0;
  };
  const tag = `tag-${process.pid}-${Date.now()}`;
  const [tagged, other] = [start(`${tag}:1;`), start("another")];
  // Until exec has happened, a child looks like this process.
  await expect.poll(() => list({ tag })).toEqual([tagged]);
  expect(await list({ group: other })).toEqual([other]);
  expect((await list({ group: other, tag })).sort()).toEqual([tagged, other].sort());
  expect(await list({ tag: `${tag}:2;` })).toEqual([]);
});
