import { describe, expect, it } from "vitest";
import { textOf, unitsOf } from "../../../src/cli/editor/draft.js";
import type { Unit } from "../../../src/cli/editor/draft.js";
import { createEditor } from "../../../src/cli/editor/editor.js";
import type { Editor, EditorOptions } from "../../../src/cli/editor/editor.js";
import { editorArea } from "../../../src/cli/editor/editor-view.js";
import { glyphs } from "../../../src/cli/messages/glyphs.js";

const label = ({ pasted }: { pasted: string }) => `[pasted ${pasted.split("\n").length} lines]`;
const FILES = ["src/app.ts", "src/cli/chat.ts", "README.md", "src/", "my file.txt"];

function makeEditor(options: Partial<EditorOptions> = {}): Editor {
  return createEditor({
    history: () => [],
    complete: (request) => {
      if (request.kind === "file") {
        return FILES.filter((path) => path.includes(request.query)).map((path) => ({
          label: path,
          text: /\s/.test(path) ? `@"${path}" ` : path.endsWith("/") ? `@${path}` : `@${path} `,
        }));
      }
      const names = request.kind === "command" ? ["model", "mode", "exit"] : [];
      return names
        .filter((name) => name.startsWith(request.query))
        .map((name) => ({ label: `/${name}`, detail: `what ${name} does`, text: `/${name}` }));
    },
    takeBack: () => undefined,
    label,
    ...options,
  });
}

/** Presses keys: "<name>" is a key, "<paste:…>" pasted text, everything else is typed. */
function press(editor: Editor, keys: string, width = 20) {
  let result;
  for (const [part, name] of keys.matchAll(/<([^>]+|alt->)>|[^<]/gsu)) {
    if (name?.startsWith("paste:")) result = editor.press({ type: "paste", text: name.slice(6) }, width);
    else if (name === undefined) result = editor.press({ type: "key", key: part, text: part }, width);
    else result = editor.press({ type: "key", key: name, text: "" }, width);
  }
  return result;
}

/** The draft with "|" where the cursor is. */
function shown({ state: { draft } }: Editor): string {
  const text = (units: readonly Unit[]) =>
    units.map((unit) => (typeof unit === "string" ? unit : label(unit))).join("");
  return `${text(draft.units.slice(0, draft.cursor))}|${text(draft.units.slice(draft.cursor))}`;
}

describe("the keys of the editor", () => {
  it.each<[string, string]>([
    ["hello", "hello|"],
    ["hello<left><left>X", "helX|lo"],
    ["hello<ctrl-b><ctrl-b><ctrl-f>X", "hellX|o"],
    ["hello<home>X<end>Y", "XhelloY|"],
    ["hello<ctrl-a>X<ctrl-e>Y", "XhelloY|"],
    ["one two three<alt-b><alt-b>X", "one X|two three"],
    ["one two<home><alt-f>X", "oneX| two"],
    ["one two<ctrl-left>X<ctrl-right>Y", "one XtwoY|"],
    ["a.b-c<alt-backspace>", "a.b-|"],
    ["a.b-c<ctrl-w>", "|"],
    ["one a.b <ctrl-w>", "one |"],
    ["one two<home><alt-d>", "| two"],
    ["hello<left><left><ctrl-k>", "hel|"],
    ["hello<left><left><ctrl-u>", "|lo"],
    ["hello<left><left><ctrl-k><home><ctrl-y>", "lo|hel"],
    ["one two<ctrl-w><ctrl-w><ctrl-y>", "one two|"],
    ["hello<backspace><ctrl-h>", "hel|"],
    ["hello<home><delete><ctrl-d>", "|llo"],
    ["ab<ctrl-t>", "ba|"],
    ["abc<left><ctrl-t>", "acb|"],
    ["one two<ctrl-_>", "one|"],
    ["one two<ctrl-_><ctrl-_>", "|"],
    ["one<ctrl-u><ctrl-_>", "one|"],
    ["a<shift-enter>b<alt-enter>c<ctrl-j>d", "a\nb\nc\nd|"],
    ["a\\<enter>b", "a\nb|"],
    ["a<ctrl-j>b<home><backspace>", "a|b"],
    ["a<ctrl-j>b<up><end><ctrl-k>", "a|b"],
    ["a<ctrl-j>b<ctrl-home>X<ctrl-end>Y", "Xa\nbY|"],
    ["你好<left>吗", "你吗|好"],
    ["👩‍🚀👍🏽x<left><backspace>", "👩‍🚀|x"],
    ["e<left><right>\u0301", "e\u0301|"],
    ["e\u0301x<left><left><delete>", "|x"],
    // Up and down keep to the column, also over shorter lines and between the rows of one line.
    ["abcdef<ctrl-j>x<ctrl-j>abcdef<left><left><up><up>", "abcd|ef\nx\nabcdef"],
    ["aaaa bbbb cccc dddd eeee<up>", "aaaa| bbbb cccc dddd eeee"],
    ["one<unknown><f5><insert>", "one|"],
    ["a<paste:b\nc>d", "ab\ncd|"],
  ])("%j gives %j", (keys, expected) => {
    const editor = makeEditor();
    press(editor, keys);
    expect(shown(editor)).toBe(expected);
  });

  it("folds a long paste, which is edited as one and sent whole", () => {
    const editor = makeEditor();
    const lines = Array.from({ length: 500 }, (_, line) => `line ${line}`).join("\n");
    press(editor, "see ");
    editor.press({ type: "paste", text: lines }, 20);
    press(editor, "!");
    expect(shown(editor)).toBe("see [pasted 500 lines]!|");
    press(editor, "<left><backspace>");
    expect(shown(editor)).toBe("see |!");
    press(editor, "<ctrl-_>");
    const result = press(editor, "<enter>");
    expect(result?.type === "submit" && textOf(result.units)).toBe(`see ${lines}!`);
  });

  it.each<[string, string]>([
    ["x<ctrl-c>", "interrupt"],
    ["<ctrl-d>", "end"],
    ["<escape>", "escape"],
    ["<ctrl-z>", "suspend"],
    ["<ctrl-l>", "redraw"],
    ["<ctrl-g>", "external"],
    ["x<ctrl-x><ctrl-e>", "external"],
    ["x<ctrl-e>", "edited"],
    ["x<ctrl-d>", "edited"],
    ["x<enter>", "submit"],
  ])("%j is told as %s", (keys, expected) => {
    expect(press(makeEditor(), keys)?.type).toBe(expected);
  });

  it("clears the draft on Ctrl-C, and gives it back on undo", () => {
    const editor = makeEditor();
    expect(press(editor, "half a thought<ctrl-c>")).toEqual({ type: "interrupt", hadText: true });
    expect(shown(editor)).toBe("|");
    expect(press(editor, "<ctrl-c>")).toEqual({ type: "interrupt", hadText: false });
  });
});

describe("the history", () => {
  const history = () => ["three", "two\nlines", "one"].map(unitsOf);

  it.each<[string, string]>([
    ["<up>", "three|"],
    ["<up><up>", "two\nlines|"],
    ["<up><up><up><up>", "one|"],
    ["draft<up><down>", "draft|"],
    ["<ctrl-p>!", "three!|"],
    ["draft<up><up><down><down>", "draft|"],
  ])("%j shows %j", (keys, expected) => {
    const editor = makeEditor({ history });
    press(editor, keys);
    expect(shown(editor)).toBe(expected);
  });

  it.each<[string, string]>([
    ["<ctrl-r>o", "o → two\nlines"],
    ["<ctrl-r>one", "one → one"],
    ["<ctrl-r>o<ctrl-r>", "o → one"],
    ["<ctrl-r>o<ctrl-r><ctrl-s>", "o → two\nlines"],
    ["<ctrl-r>o<ctrl-r><ctrl-r>", "o → one"],
    ["<ctrl-r>THR", "THR → three"],
    ["<ctrl-r>zzz", "zzz → nothing"],
    ["<ctrl-r>zzz<backspace><backspace><backspace>", " → three"],
  ])("is searched by %j: %s", (keys, expected) => {
    const editor = makeEditor({ history });
    press(editor, keys);
    const { search } = editor.state;
    expect(`${search?.query} → ${search?.found ? textOf(search.found) : "nothing"}`).toBe(expected);
  });

  it.each<[string, string]>([
    ["draft<ctrl-r>one<enter>", "one|"],
    ["draft<ctrl-r>one<escape>", "draft|"],
    ["draft<ctrl-r>one<ctrl-g>", "draft|"],
    ["draft<ctrl-r>one<ctrl-c>", "draft|"],
    ["draft<ctrl-r>one<left>X", "onX|e"],
    ["draft<ctrl-r>zzz<enter>", "draft|"],
  ])("search ends: %j leaves %j", (keys, expected) => {
    const editor = makeEditor({ history });
    press(editor, keys);
    expect(editor.state.search).toBeUndefined();
    expect(shown(editor)).toBe(expected);
  });

  it("comes after the messages that wait", () => {
    const waiting = [unitsOf("waits")];
    const editor = makeEditor({ history, takeBack: () => waiting.pop() });
    press(editor, "<up>");
    expect(shown(editor)).toBe("waits|");
    press(editor, "<ctrl-c><up>");
    expect(shown(editor)).toBe("three|");
  });

  it("takes back a message that waits before a draft, and loses neither", () => {
    const waiting = [unitsOf("waits")];
    const editor = makeEditor({ history, takeBack: () => waiting.pop() });
    press(editor, "draft<up>");
    expect(shown(editor)).toBe("waits\ndraft|");
    expect(waiting).toEqual([]);
  });
});

describe("completion", () => {
  it.each<[string, string]>([
    ["see @chat<enter>", "see @src/cli/chat.ts |"],
    ["see @chat<tab>now", "see @src/cli/chat.ts now|"],
    ["@s<down><enter>x", "@src/cli/chat.ts x|"],
    ["@s<up><enter>", "@src/|"],
    ["@src/<down><down><tab>app<enter>", "@src/app.ts |"],
    ["@my<enter>", '@"my file.txt" |'],
    ["mail@chat", "mail@chat|"],
    ["(@READ<tab>", "(@README.md |"],
    ["/mod<enter>", "/model|"],
    ["/mod<down><tab>", "/mode|"],
    ["/mo<escape>", "/mo|"],
    ["no /mod<tab>", "no /mod|"],
  ])("%j gives %j", (keys, expected) => {
    const editor = makeEditor();
    press(editor, keys);
    expect(shown(editor)).toBe(expected);
  });

  it("sends a command that is written out, at once", () => {
    expect(press(makeEditor(), "/exit<enter>")?.type).toBe("submit");
    expect(press(makeEditor(), "/mode<enter>")?.type).toBe("submit");
    expect(press(makeEditor(), "/hepl<enter>")?.type).toBe("submit");
  });

  it("closes its list on Esc before anything else is stopped", () => {
    const editor = makeEditor();
    expect(press(editor, "@<escape>")?.type).toBe("edited");
    expect(press(editor, "<escape>")?.type).toBe("escape");
  });
});

describe("what is shown", () => {
  const plain = (text: string) => text;
  const look = {
    prompt: "› ",
    label,
    glyphs,
    search: { title: "search:", nothing: "not found:", keys: "keys" },
    styles: { prompt: plain, dim: plain, selected: (text: string) => `[${text}]`, folded: plain },
  };
  const rowsOf = (keys: string, columns = 20, most = 10) => {
    const editor = makeEditor({ history: () => [unitsOf("earlier")] });
    press(editor, keys, columns - 4);
    return editorArea(editor.state, columns, most, look);
  };

  it.each<[string, string[], { row: number; column: number }]>([
    ["", ["› "], { row: 0, column: 2 }],
    ["hi", ["› hi"], { row: 0, column: 4 }],
    ["a<ctrl-j>b", ["› a", "  b"], { row: 1, column: 3 }],
    // Words stay whole; a row is full at 16 cells.
    ["some words that need rows", ["› some words that ", "  need rows"], { row: 1, column: 11 }],
    ["aaaaaaaaaaaaaaaaaaaa", ["› aaaaaaaaaaaaaaaa", "  aaaa"], { row: 1, column: 6 }],
    ["你好你好你好你好你", ["› 你好你好你好你好", "  你"], { row: 1, column: 4 }],
    ["<ctrl-r>ear", ["› earlier", "search: ear  keys"], { row: 1, column: 11 }],
    ["/m", ["› /m", "› [/model]  what mo…", "  /mode   what mo…"], { row: 0, column: 4 }],
  ])("for %j is %j", (keys, rows, cursor) => {
    const area = rowsOf(keys);
    expect(area.rows.map((row) => row.trimEnd())).toEqual(rows.map((row) => row.trimEnd()));
    expect(area.cursor).toEqual(cursor);
  });

  it("is the part of a long draft round the cursor", () => {
    const keys = Array.from({ length: 20 }, (_, line) => `l${line}`).join("<ctrl-j>");
    expect(rowsOf(keys, 20, 4).rows).toEqual(["  l16", "  l17", "  l18", "  l19"]);
    expect(rowsOf(`${keys}<ctrl-home>`, 20, 4)).toEqual({
      rows: ["› l0", "  l1", "  l2", "  l3"],
      cursor: { row: 0, column: 2 },
    });
  });
});
