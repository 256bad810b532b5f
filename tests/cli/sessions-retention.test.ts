import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { say } from "../../src/demo/reply.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { askPlace } from "./ask-setup.js";
import { end, reply, saveSession, storeOf, user } from "./saved-sessions.js";

const DAY_S = 24 * 60 * 60;

/** A place with three sessions that were used 1, 100 and 200 days ago. */
async function oldPlace(sessions: object) {
  const { ask, place } = await askPlace({ replies: (_request, index) => say(`Answer ${index}.`) });
  place.userConfig({ sessions });
  const ids = await Promise.all([1, 100, 200].map((days) => oldSession(place, days)));
  return { ask, place, recent: ids[0]!, old: ids[1]!, oldest: ids[2]! };
}

async function oldSession(place: CliPlace, days: number, cwd = join(place.home, "project")): Promise<string> {
  const id = saveSession(place, [user(`From ${days} days ago.`), reply("x".repeat(400_000)), end], cwd);
  const file = (await storeOf(place, cwd).files()).find((each) => each.id === id);
  const at = Date.now() / 1000 - days * DAY_S;
  utimesSync(file?.path ?? "", at, at);
  return id;
}

async function idsOf(place: CliPlace): Promise<string[]> {
  return (await storeOf(place, join(place.home, "project")).files()).map(({ id }) => id);
}

describe("sessions beyond the limits", () => {
  it("are announced at one start and removed at the next, in every folder", async () => {
    const { ask, place, recent, old, oldest } = await oldPlace({ keepDays: 90 });
    const first = await ask(["hello"]);
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(
      /warning: 2 sessions \(0\.8 MB\) will be removed at the next start \(not used for 90 days/,
    );
    expect(await idsOf(place)).toEqual([recent, old, oldest]);
    const second = await ask(["hello"]);
    expect(second.stderr).toMatch(/2 sessions \(0\.8 MB\) removed, as announced/);
    expect(await idsOf(place)).toEqual([recent]);
    expect((await ask(["hello"])).stderr).not.toMatch(/removed/);
  });

  it("by size go the oldest first, until the rest fits", async () => {
    const { ask, place, recent, old } = await oldPlace({ maxMegabytes: 1, keepDays: 0 });
    expect((await ask(["hello"])).stderr).toMatch(/1 session .*beyond 1 MB in all/);
    await ask(["hello"]);
    expect(await idsOf(place)).toEqual([recent, old]);
  });

  it("stay if they were used after the notice, and while a process has them", async () => {
    const { ask, place, recent, old, oldest } = await oldPlace({ keepDays: 90 });
    await ask(["hello"]);
    const store = storeOf(place, join(place.home, "project"));
    const log = await store.reopen(old);
    const used = (await store.files()).find(({ id }) => id === oldest);
    utimesSync(used?.path ?? "", new Date(), new Date());
    await ask(["hello"]);
    expect((await idsOf(place)).toSorted()).toEqual([recent, old, oldest].toSorted());
    log.close();
    expect((await ask(["hello"])).stderr).toContain("1 session (0.4 MB) will be removed");
    await ask(["hello"]);
    expect(await idsOf(place)).toHaveLength(2);
  });

  it("are not removed by a run that tells nobody, nor by other commands", async () => {
    const { ask, place } = await oldPlace({ keepDays: 90 });
    for (let run = 0; run < 2; run++) {
      expect(await ask(["hello", "-q"])).toMatchObject({ code: 0, stderr: "" });
      await place.run(["sessions", "--all"]);
    }
    expect(await idsOf(place)).toHaveLength(3);
  });

  it("are kept by default for half a year, and by a project's file never removed", async () => {
    const { ask, place } = await oldPlace({});
    place.file(".mini-cc.json", '{ "sessions": { "keepDays": 1 } }');
    const { stderr } = await ask(["hello"]);
    expect(stderr).toMatch(/sessions\.keepDays "1" is never taken from a project file/);
    expect(stderr).toContain("1 session (0.4 MB) will be removed at the next start (not used for 180 days");
    await ask(["hello"]);
    expect(await idsOf(place)).toHaveLength(2);
  });

  it("are counted by doctor, with the disk use of all", async () => {
    const { place } = await oldPlace({ keepDays: 90 });
    const { stdout } = await place.run(["doctor", "--json", "--no-load"]);
    const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string; found: string }[] };
    const check = checks.find(({ id }) => id === "sessions");
    expect(check).toMatchObject({ status: "warning" });
    expect(check?.found).toMatch(
      /^3 sessions of 1\.2 MB, kept for 90 days .* at most 1,000 MB in all; 2 sessions beyond/,
    );
  });
});
