import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanStores } from "../../src/undo/clean.js";
import { MAX_AGE_DAYS, MAX_TURNS } from "../../src/undo/limits.js";
import { makePlace } from "./place.js";
import type { UndoPlace } from "./place.js";

/** Stops in the middle of a turn as a killed process does: nothing after the work is done. */
async function dieIn(
  place: UndoPlace,
  prompt: string,
  change: (turn: Dying) => Promise<unknown>,
): Promise<void> {
  place.undo.beginTurn(prompt);
  place.records.push({ type: "user", at: "", text: prompt });
  const never = new Promise<never>(() => undefined);
  const signal = new AbortController().signal;
  const tell = () => undefined;
  await change({
    command: (command) =>
      new Promise<void>((resolve) => {
        void place.undo.around({ kind: "workspace" }, { signal, tell }, () => {
          execFileSync("bash", ["-c", command], { cwd: place.root });
          resolve();
          return never;
        });
      }),
    edit: (path, work) =>
      new Promise<void>((resolve) => {
        void place.undo.around({ kind: "files", paths: [join(place.root, path)] }, { signal, tell }, () => {
          work();
          resolve();
          return never;
        });
      }),
  });
}

interface Dying {
  command(command: string): Promise<void>;
  edit(path: string, work: () => void): Promise<void>;
}

describe("a process that dies in the middle of a turn", () => {
  it.each<[string, (place: UndoPlace, turn: Dying) => Promise<void>, string[]]>([
    [
      "a command",
      (_, turn) => turn.command("echo A > a.txt; rm b.txt; touch new"),
      ["a.txt", "b.txt", "new"],
    ],
    ["an edit", (place, turn) => turn.edit("a.txt", () => place.write("a.txt", "A")), ["a.txt"]],
  ])("in %s leaves what can be undone, after a question", async (_, change, paths) => {
    const place = makePlace();
    place.write("a.txt", "a");
    place.write("b.txt", "b");
    await place.commandTurn("before", "echo z > z.txt");
    const before = place.tree();
    await dieIn(place, "deadly", (turn) => change(place, turn));
    const now = place.tree();
    expect(now).not.toEqual(before);

    // As the session closes what was left open when it goes on.
    place.records.push({ type: "turn-end", at: "", outcome: "failed" });
    const later = place.restart();
    expect(await later.undo.changes("turn", new AbortController().signal)).toMatchObject({
      prompt: "deadly",
      changes: paths.map((path) => ({ path })),
    });
    expect(await later.back(false)).toEqual({ kind: "declined" });
    expect(later.questions).toMatchObject([{ prompt: "deadly", newer: paths }]);
    expect(place.tree()).toEqual(now);
    expect(await later.back(true)).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(before);
    expect(await later.restart().back()).toMatchObject({ kind: "done", prompt: "before" });
  });

  it("keeps what the turn had noted before, and the next turn apart from it", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    place.write("b.txt", "b");
    const before = place.tree();
    await dieIn(place, "deadly", async (turn) => {
      await place.command({ signal: new AbortController().signal, tell: () => undefined }, "echo A > a.txt");
      await turn.command("echo B > b.txt");
    });
    const later = place.restart();
    await later.commandTurn("next", "echo C > c.txt");
    expect(await later.back()).toMatchObject({ kind: "done", prompt: "next", files: [{ path: "c.txt" }] });
    expect(await later.back(true)).toMatchObject({ kind: "done", prompt: "deadly" });
    expect(place.tree()).toEqual(before);
  });

  it("by a kill while the workspace is looked through leaves nothing broken", async () => {
    const place = makePlace();
    for (let file = 0; file < 3_000; file++)
      place.write(`d${file % 30}/f${file}`, `text ${file}\n`.repeat(400));
    const script = `
      import { createUndo } from ${JSON.stringify(join(import.meta.dirname, "../../src/undo/undo.ts"))};
      const undo = createUndo({ root: ${JSON.stringify(place.root)},
        undoFolder: ${JSON.stringify(place.state)}, name: "workspace-1",
        records: [], append: () => {}, isBusy: () => false });
      undo.beginTurn("x");
      console.log("begun");
      await undo.around({ kind: "workspace" }, { signal: new AbortController().signal, tell: console.log }, async () => {
        console.log("ran");
      });`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: join(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    await expect
      .poll(() => existsSync(join(place.folder, "scans")), { interval: 2, timeout: 20_000 })
      .toBe(true);
    child.kill("SIGKILL");
    await once(child, "close");
    const before = place.tree();
    await place.commandTurn("go", "for f in d1/*; do echo x > $f; done");
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(before);
  });
});

describe("a turn that is cancelled", () => {
  it("while the workspace is looked through never runs the command; the next turn works", async () => {
    const place = makePlace();
    for (let file = 0; file < 2_000; file++)
      place.write(`d${file % 20}/f${file}`, `text ${file}\n`.repeat(300));
    const control = new AbortController();
    let ran = false;
    place.undo.beginTurn("cancelled");
    const around = place.undo.around(
      { kind: "workspace" },
      { signal: control.signal, tell: (...said) => place.notices.push(said.join(" ")) },
      () => {
        ran = true;
        return Promise.resolve();
      },
    );
    setTimeout(() => control.abort(new Error("cancelled")), 20);
    await expect(around).rejects.toThrow("cancelled");
    expect(ran).toBe(false);
    await place.undo.endTurn({ signal: control.signal, tell: () => undefined });
    expect(place.notices).toEqual([]);
    const before = place.tree();
    await place.commandTurn("next", "rm -r d1");
    await place.back();
    expect(place.tree()).toEqual(before);
  });

  it("while its command runs can be undone", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    const control = new AbortController();
    place.undo.beginTurn("cancelled");
    const turn = { signal: control.signal, tell: () => undefined };
    const around = place.undo.around({ kind: "workspace" }, turn, () => {
      place.write("a.txt", "half done");
      control.abort(new Error("cancelled"));
      return Promise.reject(new Error("killed"));
    });
    await expect(around).rejects.toThrow("killed");
    await place.undo.endTurn(turn);
    expect(await place.back()).toMatchObject({ kind: "done", prompt: "cancelled" });
    expect(place.text("a.txt")).toBe("a");
  });
});

describe("what goes on at the same time", () => {
  it("in two sessions of one workspace does neither any harm", async () => {
    const place = makePlace();
    for (const name of ["a", "b"]) for (let file = 0; file < 50; file++) place.write(`${name}/${file}`, name);
    const before = place.tree();
    const other = place.another();
    for (let turn = 0; turn < 3; turn++) {
      await Promise.all([
        place.editTurn(`mine ${turn}`, ["a/1"], () => place.write("a/1", `mine ${turn}`)),
        other.editTurn(`other ${turn}`, ["b/1"], () => place.write("b/1", `other ${turn}`)),
      ]);
      await place.commandTurn(`mine ${turn}, too`, `echo ${turn} >> a/2`);
      await other.commandTurn(`other ${turn}, too`, `echo ${turn} >> b/2`);
    }
    for (const one of [place, other, place, other]) for (let turn = 0; turn < 3; turn++) await one.back();
    expect(await Promise.all([place.back(), other.back()])).toEqual([
      { kind: "nothing" },
      { kind: "nothing" },
    ]);
    expect(place.tree()).toEqual(before);
    expect([...place.questions, ...other.questions]).toEqual([]);
  });

  it("in a background command belongs to the turn until it ends, not to the next", async () => {
    let busy = false;
    const place = makePlace({ isBusy: () => busy });
    await place.inTurn("server", async (turn) => {
      busy = true;
      await place.command(turn, "echo 1 > started");
      place.write("written-in-the-background", "1");
    });
    place.write("between-turns", "2");
    busy = false;
    await place.commandTurn("next", "echo 3 > next");
    expect(await place.back()).toMatchObject({ prompt: "next", files: [{ path: "next" }] });
    expect(await place.back()).toMatchObject({
      prompt: "server",
      files: [{ path: "started" }, { path: "written-in-the-background" }],
    });
    expect(Object.keys(place.tree())).toEqual(["between-turns"]);
  });

  it("to files that are being written all the time is lived with", async () => {
    const place = makePlace();
    for (let file = 0; file < 300; file++) place.write(`f${file}`, `text ${file}\n`.repeat(100));
    place.write("quiet.txt", "quiet");
    const writer = spawn(
      "bash",
      ["-c", "n=0; while :; do echo $((n++)) >> f1; echo $n > t.tmp; mv t.tmp f2; rm -f f3; done"],
      {
        cwd: place.root,
        stdio: "ignore",
      },
    );
    try {
      await delay(100);
      await place.commandTurn("go", "echo loud > quiet.txt");
      expect(place.notices).toEqual([]);
    } finally {
      writer.kill("SIGKILL");
      await once(writer, "close");
    }
    expect(await place.back(true)).toMatchObject({ kind: "done" });
    expect(place.text("quiet.txt")).toBe("quiet");
  });
});

describe("a file that changes and keeps its size and time", () => {
  it("is noticed all the same", async () => {
    const place = makePlace();
    const old = new Date("2020-01-01T00:00:00Z");
    place.write("a.txt", "aaa");
    utimesSync(join(place.root, "a.txt"), old, old);
    await place.commandTurn("look", "true");
    await place.commandTurn("go", "printf bbb > a.txt; touch -d 2020-01-01T00:00:00Z a.txt");
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(place.text("a.txt")).toBe("aaa");
  });
});

describe("cleaning", () => {
  it("takes away what is too old and says so once it is missed; the turns before go, too", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    for (const text of ["one", "two"]) await place.commandTurn(text, `echo ${text} > a.txt`);
    const later = Date.now() + (MAX_AGE_DAYS + 1) * 24 * 60 * 60 * 1000;
    expect(cleanStores(place.state, "workspace-1", later)).toBe(2);
    expect(readdirSync(join(place.folder, "changes"))).toEqual([]);
    expect(await place.back()).toEqual({ kind: "gone", prompt: "two" });
    expect(await place.back()).toEqual({ kind: "gone", prompt: "one" });
    expect(await place.back()).toEqual({ kind: "nothing" });
    expect(place.text("a.txt")).toBe("two\n");
    await place.commandTurn("three", "echo three > a.txt");
    expect(await place.back()).toMatchObject({ kind: "done", prompt: "three" });
  });

  it("keeps the newest turns of many, and tells how many went", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    await place.editTurn("first", ["a.txt"], () => place.write("a.txt", "b"));
    for (let extra = 0; extra < MAX_TURNS; extra++) {
      writeFileSync(join(place.folder, "changes", `${randomUUID()}.json`), "{}");
    }
    await place.editTurn("second", ["a.txt"], () => place.write("a.txt", "c"));
    expect(place.notices).toEqual([
      expect.stringMatching(/^info undo-cleaned: the changes of 2 earlier turns/) as string,
    ]);
    expect(await place.back()).toMatchObject({ kind: "done", prompt: "second" });
  });

  it("removes what other workspaces have left, and spares what is in use", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    await place.commandTurn("go", "echo b > a.txt");
    const day = 24 * 60 * 60 * 1000;
    cleanStores(place.state, "another", Date.now() + 2 * day);
    expect(await place.back()).toMatchObject({ kind: "done" });
    await place.again();
    cleanStores(place.state, "another", Date.now() + (MAX_AGE_DAYS + 2) * day);
    expect(readdirSync(place.state)).toEqual([]);
    await place.commandTurn("more", "echo c > a.txt");
    expect(await place.back()).toMatchObject({ kind: "done", prompt: "more" });
  });

  it("never removes what is not its own", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    await place.commandTurn("go", "echo b > a.txt");
    for (const path of [
      "other/file",
      "other/changes/a.json",
      "other/scans/b.pack",
      "empty/deep/x",
      "workspace-1/mine",
    ]) {
      const whole = join(place.state, path);
      mkdirSync(join(whole, ".."), { recursive: true });
      writeFileSync(whole, "precious");
    }
    const later = Date.now() + (MAX_AGE_DAYS + 9) * 24 * 60 * 60 * 1000;
    cleanStores(place.state, "another", later);
    const left = readdirSync(place.state, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(left.sort()).toEqual(["a.json", "b.pack", "file", "mine", "x"]);
  });

  it("keeps the store small when the same turn comes again and again", async () => {
    const place = makePlace();
    for (let file = 0; file < 100; file++) place.write(`f${file}`, `text ${file}\n`.repeat(1_000));
    await place.commandTurn("first", "echo x >> f1");
    const bytes = () =>
      readdirSync(join(place.folder, "scans")).reduce(
        (sum, name) => sum + statSync(join(place.folder, "scans", name)).size,
        0,
      );
    const first = bytes();
    for (let turn = 0; turn < 10; turn++) {
      appendFileSync(join(place.root, "f2"), "more\n");
      await place.commandTurn("again", "echo x >> f1");
    }
    expect(bytes()).toBeLessThan(1.5 * first);
  });
});

describe("any commands in any order", () => {
  const path = fc.constantFrom("a", "b", "d/a", "d/b", "d/e/a", "d", "d/e", "f");
  const command = fc.oneof(
    fc
      .tuple(path, fc.integer({ min: 0, max: 9 }))
      .map(([at, n]) => `mkdir -p $(dirname ${at}); echo ${n} > ${at}`),
    path.map((at) => `rm -rf ${at}`),
    path.map((at) => `mkdir -p ${at}`),
    fc.tuple(path, path).map(([from, to]) => `mv ${from} ${to}`),
    fc.tuple(path, path).map(([from, to]) => `ln -s ${from} ${to}`),
    fc.tuple(path, fc.constantFrom("600", "755", "700")).map(([at, mode]) => `chmod ${mode} ${at}`),
  );

  it("are taken back and done again byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
        async (turns) => {
          const place = makePlace();
          place.write("a", "a");
          place.write("d/b", "b");
          const trees = [place.tree()];
          for (const commands of turns) {
            await place.commandTurn("t", `{ ${commands.join("; ")}; } 2>/dev/null; true`);
            const tree = place.tree();
            if (JSON.stringify(tree) !== JSON.stringify(trees.at(-1))) trees.push(tree);
          }
          for (const tree of trees.slice(0, -1).reverse()) {
            expect(await place.back()).toMatchObject({ kind: "done" });
            expect(place.tree()).toEqual(tree);
          }
          expect(await place.back()).toEqual({ kind: "nothing" });
          for (const tree of trees.slice(1)) {
            expect(await place.again()).toMatchObject({ kind: "done" });
            expect(place.tree()).toEqual(tree);
          }
          expect(place.questions).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
