import { describe, expect, it } from "vitest";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "../../src/tools/text-file.js";
import { makePlace } from "./place.js";
import type { UndoPlace } from "./place.js";

/** A little project with all kinds of things in it. */
function fill(place: UndoPlace): void {
  place.write("a.txt", "alpha\n");
  place.write("crlf.txt", "one\r\ntwo\r\nthree");
  place.write("utf16.txt", Buffer.from("\uFEFFüñ\r\n", "utf16le"));
  place.write("binary.bin", Buffer.from([0, 255, 1, 254, 10, 13, 0]));
  place.write("empty.txt", "");
  place.write("run.sh", "#!/bin/sh\n", 0o755);
  place.write("secret.txt", "s", 0o600);
  place.write("src/deep/er/b.ts", "export const b = 1;\n");
  place.write("src/deep/c.ts", "export const c = 1;\n");
  mkdirSync(join(place.root, "hollow"));
  symlinkSync("a.txt", join(place.root, "link"));
  symlinkSync("nowhere", join(place.root, "dangling"));
  symlinkSync("src", join(place.root, "folder-link"));
}

const EDITS: { title: string; paths: string[]; work: (root: string) => void }[] = [
  {
    title: "an edit",
    paths: ["a.txt"],
    work: (root) => writeFileSync(join(root, "a.txt"), "ALPHA\n"),
  },
  {
    title: "a new file in new folders",
    paths: ["new/folder/n.txt"],
    work(root) {
      mkdirSync(join(root, "new/folder"), { recursive: true });
      writeFileSync(join(root, "new/folder/n.txt"), "n");
    },
  },
  {
    title: "an edit of an ignored file",
    paths: [".env"],
    work: (root) => writeFileSync(join(root, ".env"), "A=2"),
  },
];

const COMMANDS: { title: string; command: string }[] = [
  { title: "an edit", command: "echo more >> a.txt" },
  { title: "new files and folders", command: "mkdir -p x/y/z && echo 1 > x/y/1 && echo 2 > x/2" },
  { title: "a deleted file", command: "rm a.txt" },
  { title: "a deleted folder", command: "rm -r src hollow" },
  { title: "everything deleted", command: "rm -rf ./* .[a-z]*" },
  { title: "a renamed file", command: "mv a.txt b.txt" },
  { title: "a renamed folder", command: "mv src lib" },
  { title: "a file that took another's place", command: "mv -f secret.txt a.txt" },
  { title: "files that changed places", command: "mv a.txt t && mv crlf.txt a.txt && mv t crlf.txt" },
  { title: "modes", command: "chmod 600 a.txt && chmod -x run.sh && chmod 700 src" },
  { title: "a mode and the content", command: "chmod 444 a.txt && echo x >> crlf.txt && chmod 400 crlf.txt" },
  {
    title: "a folder that may not be written any more",
    command: "rm src/deep/c.ts && chmod 555 src/deep src",
  },
  { title: "a new folder that may not be written", command: "mkdir ro && echo x > ro/f && chmod 555 ro" },
  { title: "a file that became a folder", command: "rm a.txt && mkdir a.txt && echo x > a.txt/inside" },
  { title: "a folder that became a file", command: "rm -r src && echo x > src" },
  { title: "a link that leads elsewhere", command: "ln -sfn crlf.txt link" },
  { title: "a link that became a file", command: "rm link && echo x > link" },
  { title: "a file that became a link", command: "rm a.txt && ln -s /etc/passwd a.txt" },
  { title: "a folder that became a link", command: "mv src lib && ln -s lib src" },
  {
    title: "a link to a folder that became one",
    command: "rm folder-link && mkdir folder-link && touch folder-link/x",
  },
  { title: "a deleted link", command: "rm dangling folder-link" },
  { title: "bytes of binary and UTF-16 files", command: "printf 'x' >> binary.bin; printf 'x' >> utf16.txt" },
  { title: "line ends", command: "sed -i 's/\\r$//' crlf.txt" },
  { title: "an empty file that was filled, and one emptied", command: "echo x > empty.txt; : > a.txt" },
  { title: "an empty folder", command: "mkdir bare && rmdir hollow" },
  { title: "a hard link", command: "ln a.txt hard && echo x >> hard" },
  {
    title: "names in many scripts",
    command: "touch 'spa ce' \"qu'ote\" $'new\\nline' -- -dash 文件 $'nfd-e\\u0301' $'\\xff\\xfe'",
  },
  { title: "a rename in case alone", command: "mv a.txt A.TXT" },
  { title: "a pipe and a socket beside files", command: "mkfifo pipe; echo x > beside" },
];

describe("undo of a turn that changed files with tools", () => {
  it.each(EDITS)("takes back $title, and redo brings it again", async ({ paths, work }) => {
    const place = makePlace();
    fill(place);
    place.write(".gitignore", ".env\n");
    place.write(".env", "A=1");
    const before = place.tree();
    await place.editTurn("go", paths, () => work(place.root));
    const after = place.tree();
    expect(after).not.toEqual(before);
    expect(await place.back()).toMatchObject({ kind: "done", prompt: "go" });
    expect(place.tree()).toEqual(before);
    expect(await place.again()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(after);
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(before);
    expect(place.questions).toEqual([]);
    expect(place.notices).toEqual([]);
  });
});

describe("undo of a turn that ran a command", () => {
  it.each(COMMANDS)("takes back $title, and redo brings it again", async ({ command }) => {
    const place = makePlace();
    fill(place);
    const before = place.tree();
    await place.commandTurn("go", command);
    const after = place.tree();
    expect(after).not.toEqual(before);
    expect(await place.back()).toMatchObject({ kind: "done", prompt: "go", lost: [], incomplete: false });
    expect(place.tree()).toEqual(before);
    expect(await place.again()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(after);
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(before);
    expect(place.questions).toEqual([]);
    expect(place.notices).toEqual([]);
  });

  it("takes back what a command did to 2,000 files", async () => {
    const place = makePlace();
    for (let file = 0; file < 2_000; file++)
      place.write(`d${file % 40}/f${file}.txt`, `text of ${file}\n`.repeat(20));
    const before = place.tree();
    await place.commandTurn("rewrite", "find . -type f | xargs sed -i 's/text/TEXT/'");
    expect(place.text("d1/f1.txt")).toContain("TEXT of 1");
    const outcome = await place.back();
    expect(outcome.kind === "done" && outcome.files.length).toBe(2_000);
    expect(place.tree()).toEqual(before);
  });

  it("has nothing to take back where nothing changed", async () => {
    const place = makePlace();
    fill(place);
    await place.commandTurn("look", "cat a.txt; touch -d yesterday a.txt; cp a.txt t && mv t a.txt");
    expect(await place.back()).toEqual({ kind: "nothing" });
  });
});

describe("undo", () => {
  it("goes back turn by turn, and forward again", async () => {
    const place = makePlace();
    const texts = ["one", "two", "three"];
    place.write("a.txt", "none");
    for (const text of texts) await place.commandTurn(text, `printf ${text} > a.txt; touch ${text}`);
    for (const [text, prompt] of [
      ["two", "three"],
      ["one", "two"],
      ["none", "one"],
    ]) {
      expect(await place.back()).toMatchObject({ kind: "done", prompt });
      expect(place.text("a.txt")).toBe(text);
    }
    expect(await place.back()).toEqual({ kind: "nothing" });
    for (const text of texts) {
      expect(await place.again()).toMatchObject({ kind: "done", prompt: text });
      expect(place.text("a.txt")).toBe(text);
    }
    expect(await place.again()).toEqual({ kind: "nothing" });
  });

  it("takes back edits and commands of one turn together, as far as the state before the first of them", async () => {
    const place = makePlace();
    fill(place);
    const before = place.tree();
    await place.inTurn("mixed", async (turn) => {
      await place.edit(turn, ["a.txt"], () => place.write("a.txt", "edited\n"));
      await place.command(turn, "echo more >> a.txt; mv src/deep/c.ts c.ts");
      await place.edit(turn, ["c.ts"], () => place.write("c.ts", "moved and edited"));
      await place.command(turn, "rm c.ts");
    });
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(before);
    expect(place.questions).toEqual([]);
  });

  it("leaves alone what the user changed between two commands of the turn", async () => {
    const place = makePlace();
    fill(place);
    await place.inTurn("two commands", async (turn) => {
      await place.command(turn, "echo 1 > one");
      place.write("mine.txt", "mine");
      place.write("crlf.txt", "mine too");
      await place.command(turn, "echo 2 > two");
    });
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(place.tree()).not.toHaveProperty("one");
    expect(place.tree()).not.toHaveProperty("two");
    expect([place.text("mine.txt"), place.text("crlf.txt")]).toEqual(["mine", "mine too"]);
    expect(place.questions).toEqual([]);
  });

  it("can be redone after a turn that changed nothing, but not after one that did", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    await place.commandTurn("change", "echo b > a.txt");
    await place.back();
    await place.commandTurn("look", "cat a.txt");
    expect(await place.again()).toMatchObject({ kind: "done", prompt: "change" });
    await place.back();
    await place.commandTurn("other", "echo c > c.txt");
    expect(await place.again()).toEqual({ kind: "nothing" });
    expect(await place.back()).toMatchObject({ prompt: "other" });
  });

  it("knows all of it after a restart, too", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    await place.commandTurn("first", "echo b > a.txt");
    await place.editTurn("second", ["n.txt"], () => place.write("n.txt", "n"));
    const later = place.restart();
    expect(await later.back()).toMatchObject({ kind: "done", prompt: "second" });
    const evenLater = later.restart();
    expect(await evenLater.back()).toMatchObject({ kind: "done", prompt: "first" });
    expect(place.tree()).toHaveProperty(["a.txt"]);
    expect(place.text("a.txt")).toBe("a");
    expect(await evenLater.restart().again()).toMatchObject({ kind: "done", prompt: "first" });
    expect(await evenLater.restart().again()).toMatchObject({ kind: "done", prompt: "second" });
    expect([place.text("a.txt"), place.text("n.txt")]).toEqual(["b\n", "n"]);
  });

  it("tells the model once what was taken back and what came again", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    await place.commandTurn("change  a\nplease", "echo b > a.txt");
    expect(place.undo.beginTurn("nothing happened")).toBeUndefined();
    await place.back();
    const told = 'The user undid what you changed for "change a please": a.txt.';
    expect(place.restart().undo.beginTurn("and now?")?.text).toContain(told);
    const note = place.undo.beginTurn("and now?");
    expect(note?.text).toContain(told);
    expect(note?.files).toEqual([{ path: join(place.root, "a.txt"), hash: hashOf(Buffer.from("a")) }]);
    expect(place.undo.beginTurn("and then?")).toBeUndefined();
    await place.again();
    expect(place.undo.beginTurn("again?")?.text).toContain("restored again what you changed for");
  });
});

describe("undo where something else has changed a file since", () => {
  const changes: [string, (root: string) => void, string[]][] = [
    ["edited it", (root) => writeFileSync(join(root, "a.txt"), "mine"), ["a.txt"]],
    ["deleted it", (root) => rmSync(join(root, "a.txt")), ["a.txt"]],
    ["changed its mode", (root) => chmodSync(join(root, "a.txt"), 0o600), ["a.txt"]],
    [
      "put a link there",
      (root) => {
        rmSync(join(root, "a.txt"));
        symlinkSync("/etc/passwd", join(root, "a.txt"));
      },
      ["a.txt"],
    ],
    ["made again what was deleted", (root) => writeFileSync(join(root, "gone.txt"), "mine"), ["gone.txt"]],
    ["deleted a folder", (root) => rmSync(join(root, "src"), { recursive: true }), ["src", "src/b.ts"]],
  ];

  it.each(changes)("asks if it %s; without a yes nothing is changed", async (_, change, newer) => {
    const place = makePlace();
    place.write("a.txt", "a");
    place.write("b.txt", "b");
    place.write("gone.txt", "gone");
    place.write("src/b.ts", "b");
    const before = place.tree();
    await place.commandTurn(
      "go",
      "echo A > a.txt; echo B > b.txt; rm gone.txt; echo B > src/b.ts; chmod 700 src",
    );
    change(place.root);
    const now = place.tree();
    expect(await place.back(false)).toEqual({ kind: "declined" });
    expect(place.questions).toMatchObject([{ prompt: "go", newer, lost: [] }]);
    expect(place.tree()).toEqual(now);

    expect(await place.back(true)).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(before);
    // Redo brings back what was there, the user's change included.
    expect(await place.again()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(now);
  });

  it("asks about a file that the turn and something else changed in turns", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    await place.inTurn("go", async (turn) => {
      await place.command(turn, "echo 1 > a.txt");
      place.write("a.txt", "mine");
      await place.command(turn, "echo 2 >> a.txt");
    });
    expect(await place.back(false)).toEqual({ kind: "declined" });
    expect(place.questions).toMatchObject([{ newer: ["a.txt"] }]);
  });

  it("does not ask about files that are as before already", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    place.write("b.txt", "b");
    await place.commandTurn("go", "echo A > a.txt; echo B > b.txt");
    place.write("a.txt", "a");
    expect(await place.back()).toMatchObject({ kind: "done", files: [{ path: "b.txt" }] });
    expect(place.questions).toEqual([]);
  });

  it("keeps a folder that holds a newer file, and the file", async () => {
    const place = makePlace();
    await place.commandTurn("go", "mkdir -p out/deep; echo 1 > out/deep/1; echo 2 > out/2");
    place.write("out/deep/mine", "mine");
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(Object.keys(place.tree())).toEqual(["out/", "out/deep/", "out/deep/mine"]);
    expect(place.questions).toEqual([]);
  });

  it("asks anew if a file changes while the question stands", async () => {
    const place = makePlace();
    place.write("a.txt", "a");
    place.write("b.txt", "b");
    await place.commandTurn("go", "echo A > a.txt; echo B > b.txt");
    place.write("a.txt", "mine");
    const asked: string[][] = [];
    const outcome = await place.undo.restore(
      "undo",
      ({ newer }) => {
        asked.push([...newer]);
        if (asked.length === 1) place.write("b.txt", "mine too");
        return Promise.resolve(asked.length === 1);
      },
      new AbortController().signal,
    );
    expect(outcome).toEqual({ kind: "declined" });
    expect(asked).toEqual([["a.txt"], ["a.txt", "b.txt"]]);
    expect([place.text("a.txt"), place.text("b.txt")]).toEqual(["mine", "mine too"]);
  });
});

describe("undo that cannot be done whole", () => {
  it("changes nothing where a folder of the path is a link by now, and touches nothing behind it", async () => {
    const place = makePlace();
    place.write("src/a.ts", "a");
    place.write("b.txt", "b");
    await place.commandTurn("go", "echo A > src/a.ts; echo B > b.txt");
    const outside = makePlace();
    outside.write("a.ts", "A\n");
    renameSync(join(place.root, "src"), join(place.root, "old"));
    symlinkSync(outside.root, join(place.root, "src"));
    const now = [place.tree(), outside.tree()];
    expect(await place.back(true)).toMatchObject({
      kind: "blocked",
      blocked: [{ path: "src/a.ts", because: "the folder that it was in is something else by now" }],
    });
    expect([place.tree(), outside.tree()]).toEqual(now);
  });

  it("changes nothing where a folder stands in a file's place with other files in it", async () => {
    const place = makePlace();
    place.write("a", "file");
    await place.commandTurn("go", "rm a; mkdir a; touch a/1; echo B > b.txt");
    place.write("a/mine", "mine");
    const now = place.tree();
    expect(await place.back(true)).toMatchObject({ kind: "blocked", blocked: [{ path: "a" }] });
    expect(place.tree()).toEqual(now);
  });

  it("takes back what had been done when a step fails", async () => {
    const place = makePlace();
    for (const name of ["a", "b", "c"]) place.write(`${name}.txt`, name);
    await place.commandTurn("go", "for f in a b c; do echo changed > $f.txt; done; mkdir d; touch d/x");
    const now = place.tree();
    // The content of one file is damaged in the store: that is found before anything is touched.
    const pack = place.records.find((record) => record.type === "changes");
    if (pack === undefined) throw new Error("no changes were recorded");
    const path = join(place.folder, "changes", `${pack.id}.pack`);
    const bytes = readFileSync(path);
    bytes[bytes.indexOf("b")] = 0x7a;
    writeFileSync(path, bytes);
    await expect(place.back(true)).rejects.toThrow(/damaged.*nothing was changed/);
    expect(place.tree()).toEqual(now);
  });
});
