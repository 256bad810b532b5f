import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permissionsHold, unprivileged } from "../tools/unprivileged.js";
import { makePlace } from "./place.js";
import type { UndoPlace } from "./place.js";

/** A turn with one command and then an undo, in a process for which permissions hold. */
function turnAndUndo(
  place: UndoPlace,
  command: string,
): { kind: string; questions: unknown[]; notices: string[] } {
  const source = JSON.stringify(join(import.meta.dirname, "../../src/undo/undo.ts"));
  const script = `
    import { execFileSync } from "node:child_process";
    import { createUndo } from ${source};
    const [root, undoFolder, command] = JSON.parse(process.argv[1]);
    const undo = createUndo({ root, undoFolder, name: "w", records: [], append: () => {}, isBusy: () => false });
    const notices = [];
    const questions = [];
    const turn = { signal: new AbortController().signal, tell: (level, code) => notices.push(level + " " + code) };
    undo.beginTurn("go");
    await undo.around({ kind: "workspace" }, turn, async () => {
      execFileSync("bash", ["-c", command], { cwd: root });
    });
    await undo.endTurn(turn);
    const answer = async (question) => questions.push(question) > 0;
    const { kind } = await undo.restore("undo", answer, turn.signal).catch((error) => ({ kind: error.message }));
    console.log(JSON.stringify({ kind, questions, notices }));`;
  const given = JSON.stringify([place.root, place.state, command]);
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", script, given];
  const [program = "", ...args] = unprivileged(node);
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as ReturnType<typeof turnAndUndo>;
}

describe.skipIf(!permissionsHold)("undo without permission", () => {
  it.each([
    ["a folder that was locked, with what is in it", "chmod 000 locked"],
    ["a file that may not be read any more", "chmod 000 a.txt"],
    ["a file that may not be written any more", "echo A > a.txt; chmod 444 a.txt"],
    [
      "files in a folder that may not be written any more",
      "echo L > locked/l.txt; rm locked/m.txt; chmod 555 locked",
    ],
    ["a new folder that may not be written", "mkdir ro; echo x > ro/x; chmod 555 ro"],
  ])("takes back %s", (_, command) => {
    const place = makePlace();
    place.write("a.txt", "a");
    place.write("locked/l.txt", "l");
    place.write("locked/m.txt", "m");
    const before = place.tree();
    expect(turnAndUndo(place, command)).toEqual({ kind: "done", questions: [], notices: [] });
    expect(place.tree()).toEqual(before);
  });

  it("changes nothing where a step is not permitted", () => {
    const place = makePlace();
    place.write("a.txt", "a");
    place.write("z/b.txt", "b");
    // The folder was locked before; its file could be written, but not replaced.
    const command = "echo A > a.txt; echo B > z/b.txt";
    spawnSync("chmod", ["555", join(place.root, "z")]);
    const { kind } = turnAndUndo(place, command);
    expect(kind).toMatch(/permission denied \(EACCES\).*what had been done was taken back/);
    expect([place.text("a.txt"), place.text("z/b.txt")]).toEqual(["A\n", "B\n"]);
  });
});
