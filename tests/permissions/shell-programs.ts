import fc from "fast-check";

/** Stands for a program that nobody listed; it exists nowhere. */
export const MARKER = "marker";

/** Programs made of harmless words, in the shapes that hide commands. Every loop ends after one round. */
export const shellPrograms: fc.Arbitrary<string> = fc.letrec<Record<string, string>>((tie) => {
  const pick = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
  const join = (separator: string, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((texts) => texts.filter((text) => text !== "").join(separator));
  const around = (before: string, inner: fc.Arbitrary<string>, after: string): fc.Arbitrary<string> =>
    inner.map((text) => before + text + after);
  const some = (item: fc.Arbitrary<string>, max: number): fc.Arbitrary<string> =>
    fc.array(item, { maxLength: max }).map((items) => items.join(" "));

  return {
    name: fc.oneof(
      { weight: 8, arbitrary: pick("echo", "echo", "cat", ":") },
      { weight: 3, arbitrary: pick(MARKER) },
      {
        weight: 2,
        arbitrary: pick(
          "'marker'",
          'mar""ker',
          "m\\arker",
          "mar\\\nker",
          "\\echo",
          "$'marker'",
          "{marker,a}",
        ),
      },
      {
        weight: 1,
        arbitrary: pick("eval marker", "command marker", "builtin echo", "exec echo", "$x", "./marker"),
      },
    ),
    word: fc.oneof(
      {
        weight: 6,
        arbitrary: pick("a", "b.txt", "-n", "'x y'", '"x; y"', "\\;", "a#b", "'$(marker)'", "'`marker`'"),
      },
      {
        weight: 2,
        arbitrary: pick("a{b,c}", "*.x", "$?", '"$PWD"', "$'a\\tb'", '"a\\"b"', '"\\$(marker)"', "''"),
      },
      { weight: 1, arbitrary: around('"', tie("substitution"), '"') },
      { weight: 1, arbitrary: tie("substitution") },
      { weight: 1, arbitrary: around("<(", tie("simple"), ")") },
    ),
    substitution: fc.oneof(
      around("$(", tie("list"), ")"),
      around("`", pick("marker", "echo a", "echo \\`marker\\`"), "`"),
      around("${x:-$(", tie("simple"), ")}"),
      around("$((1 + $(", tie("simple"), ")))"),
      pick("${x:-a}", "${x:-`marker`}", "${x/$(marker)/b}", "$((1 + 1))"),
    ),
    redirect: fc.oneof(
      { weight: 4, arbitrary: pick("2>&1", ">/dev/null", "2> /dev/null", "&>/dev/null", "<&-") },
      { weight: 1, arbitrary: pick("> out.txt", ">> out.txt", "> >(marker)", "{fd}> out.txt") },
      { weight: 1, arbitrary: around("<<< ", tie("word"), "") },
    ),
    simple: join(
      " ",
      fc.oneof(
        { weight: 12, arbitrary: pick("") },
        { weight: 1, arbitrary: pick("LC_ALL=C", "x=1", 'x="$(marker)"', "CI=$(marker)") },
      ),
      tie("name"),
      some(tie("word"), 3),
      fc.oneof({ weight: 4, arbitrary: pick("") }, { weight: 1, arbitrary: tie("redirect") }),
    ),
    hereDocument: fc
      .tuple(
        pick("cat <<E", "cat <<'E'", 'cat <<"E"', "cat <<-E", "cat <<E | cat", "cat <<E; echo a"),
        fc.oneof(
          pick("text", "$(marker)", "`marker`", "\\$(marker)", "${x:-'$(marker)'}", "\ttext"),
          tie("word"),
        ),
      )
      .map(([start, body]) => `${start}\n${body}\nE\n`),
    compound: fc.oneof(
      around("( ", tie("list"), " )"),
      around("{ ", tie("list"), "; }"),
      fc.tuple(tie("list"), tie("list")).map(([test, body]) => `if ${test}; then ${body}; else ${body}; fi`),
      fc.tuple(tie("simple"), tie("list")).map(([test, body]) => `while ${test}; do ${body}; break; done`),
      fc.tuple(tie("word"), tie("list")).map(([word, body]) => `for f in ${word}; do ${body}; done`),
      fc
        .tuple(tie("word"), tie("list"))
        .map(([word, body]) => `case ${word} in a) ${body};; *) echo b;; esac`),
      around("f() { ", tie("list"), "; }; f"),
      around("coproc ", tie("simple"), ""),
      around("time ", tie("simple"), ""),
      around("! ", tie("simple"), ""),
      around("[[ -n ", tie("word"), " ]]"),
    ),
    command: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 5, arbitrary: tie("simple") },
      { weight: 1, arbitrary: tie("hereDocument") },
      { weight: 2, arbitrary: tie("compound") },
    ),
    list: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: tie("simple") },
      {
        weight: 2,
        arbitrary: fc
          .tuple(tie("command"), pick(" && ", " || ", " | ", " |& ", "; ", " & ", "\n"), tie("command"))
          .map((parts) => parts.join("")),
      },
      { weight: 1, arbitrary: tie("command") },
    ),
    program: fc.tuple(tie("list"), pick("", "", "", " # marker", "\n", ";")).map((parts) => parts.join("")),
  };
}).program as fc.Arbitrary<string>;

/** Words of pieces that bash expands, quotes and joins, often in ways that surprise. */
export const shellWords: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom("a", "b", "/", "..", "~", "~/", "x=", ":", "-", "é", "#", "!", "^", "+", "@", "%", "1"),
      fc.constantFrom(
        "{a,b}",
        "{,x}",
        "{1..3}",
        "{a..c}",
        "{a,",
        "}",
        "{",
        ",",
        "*",
        "?",
        "[",
        "]",
        "$?",
        "$PWD",
      ),
      fc.constantFrom(
        "'",
        '"',
        "\\",
        "\\'",
        "$",
        "$'",
        '$"',
        "'x y'",
        '"a b"',
        '"$PWD"',
        "\\n",
        "\\\n",
        "\\\\",
        "\\*",
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join(""))
  // A process id is never the digit that stands for it.
  .filter((text) => !text.includes("$$"));
