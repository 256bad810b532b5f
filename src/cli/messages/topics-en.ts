// What `mini-cc help TOPIC` tells, in lines of at most 80 cells.

export type Topics = typeof topics;

export const topics = {
  permissions: `
WHAT MAY RUN, AND HOW TO CHANGE IT

Reading inside the workspace is free. Edits ask, with the diff. A command runs
unasked only if every simple command in its line begins, word by word, with an
allowed prefix and nothing in it is uncertain: redirects that write, computed
words and options that can run other programs all ask.

  mini-cc permissions                            every rule, with its origin
  mini-cc permissions check "git add . && make"  what would happen, and why

A question is answered by one key:
  y  once
  a  for this session      the rule that would be kept
  p  always in this project    is shown before
  n  no, and if you want why, which the model is told; Enter means no

Modes (--permission-mode, "permissionMode", /mode):
  default       edits, and commands that no rule allows, ask
  accept-edits  edits inside the workspace do not ask, protected names excepted
  plan          nothing changes: reads, and allowed commands that only read
  bypass        asks nothing; a few hard denials still hold

Rules are beginnings of commands: "git status" covers git status -s, not git
statusx. In .mini-cc.json of the project, or in your own config.json:

  { "allowedCommands": ["ls", "git status", "npm test"],
    "deniedCommands": ["git push"] }

A denial beats every permission. Without any "allowedCommands" a built-in list
of reading commands counts; naming the key replaces it. --allow "npm test" adds
one rule for one run. mini-cc permissions remove "npm test" forgets a kept one.

A project file comes with the repository: what it permits counts only once you
trust it (asked once; mini-cc trust). Where nobody can be asked, what needs an
answer is denied, and ask ends with exit code 4.

The sandbox is the second line: on Linux with bubblewrap, commands write only
in the workspace and reach the network only if you were asked. mini-cc doctor
says whether it works. It never turns a question into a yes.
`,

  models: `
WHICH MODEL, HOW MUCH MEMORY, WHICH WINDOW

  ollama serve                    starts the server
  mini-cc models pull qwen3.5:9b  installs a model
  mini-cc models                  what is installed, what it can do, what fits
  mini-cc models show NAME        one model in full
  mini-cc doctor                  what the server really allocated

Good first choices, by the memory that the model may have:
  up to 6 GB  qwen3.5:4b (small edits)      window of  8k tokens
  8 GB        qwen3.5:9b, qwen3:8b                    16k
  12 GB       gemma4:12b, qwen3:14b                   16k to 32k
  16 GB       gpt-oss:20b, devstral-small-2           16k to 32k
  24 GB       qwen3.6:27b, qwen3-coder:30b            32k

The model is --model, else MINI_CC_MODEL, else "model" of the configuration;
else the installed one with tools that was used last, or the largest that fits.
In a session, /model lists them.

The window is chosen once a session: --num-ctx, else 8k, 16k or 32k by the
memory of the machine, never more than the model was trained for. A
conversation that outgrows it is summarised between steps; /context shows what
it is used for.

The server is --host, else OLLAMA_HOST, else http://127.0.0.1:11434.

Models without tools work too (--protocol auto): their calls travel as text.
The first answer takes longest, since the model is loaded and reads the
instructions; the server then keeps both ("ollama": { "keepAlive": "30m" }).
`,

  sessions: `
GOING ON, FINDING, KEEPING

Everything is saved while it happens, readable by you alone.

  mini-cc -c                        go on with the latest session of this folder
  mini-cc -r                        pick one; -r ID takes that one
  mini-cc -c --fork                 go on with a copy of it
  mini-cc ask -c "and the tests?"   the same for one prompt

  mini-cc sessions                  list; --all: of every folder
  mini-cc sessions search WORDS     turns that hold all words, the newest first
  mini-cc sessions show ID          read one; the beginning of the ID will do
  mini-cc sessions export ID -o F   as Markdown, or --format json
  mini-cc sessions delete ID        asks; --yes where nobody can be asked

In a session: /resume picks another one, /continue goes on after a turn that
was stopped or failed, /fork goes on from an earlier turn, /rename TITLE names
it, /export writes it down, /undo takes back what a turn changed.

A command or an edit that was going on when the program was stopped is reported
as unknown and never run again by itself. Files that changed meanwhile are
named.

Sessions that were not used for 180 days, or are beyond 1,000 MB in all, are
announced at one start and removed at the next ("sessions" in your own
configuration). They lie in the state folder: ~/.local/state/mini-cc, or
MINI_CC_HOME. MINI_CC_HOME=DIR moves everything to one folder.
`,

  undo: `
WHAT UNDO TAKES BACK

  /undo   takes back what the last turn changed, then turn by turn before it
  /redo   brings it again, until a later turn changes something
  /diff   what the last turn changed; /diff session: all turns together

It works after a restart (mini-cc -c) and after mini-cc ask, without git.

Edits are covered file by file, ignored files included. Round a command that
does not only read, the whole workspace is compared before and after: files
that were created, deleted, renamed or changed, their modes, links and empty
folders. It is all files of a turn or none. If something else has changed a
file since, you are asked first; a yes can be redone. The model is told with
your next message which files changed.

Not covered: what commands do to ignored files, .git, node_modules and the
like, or outside the workspace; files above 32 MB (their names are told);
owners, times and extended attributes; what a background command does between
two turns. In a workspace with more than 100,000 files and folders, or 512 MB,
edits alone are covered, which is told once.

What is kept lies in undo/ of the state folder, readable by you alone: copies
of your files. It goes after 30 days, beyond 500 turns of a workspace or 2 GB
in all. "undo": false in the configuration switches it off.
`,

  commands: `
WHAT HAPPENS TO A COMMAND THAT RUNS

Each command is a bash of its own in the workspace, without start-up files,
keyboard and terminal: a question gets no answer, pagers are cat, what opens an
editor fails, and the model is told why.

Output is shown as it comes. The model gets all of it, or the beginning, the
end and what looks like errors between them, with the number of lines that are
left out. Encodings such as GBK, Shift-JIS and Latin-1 are recognised; binary
output is not shown.

The exit code is always told; in a pipeline also those of its earlier parts, so
that npm test | tail hides no failure.

A command may take 120 s, or as long as the model asks for, at most an hour. At
the limit and on a cancel everything that it started is ended: SIGTERM, and
SIGKILL a second later. What it leaves running when it ends is ended too.

In the background it returns at once with an id; the model reads its new output
or stops it, and is told when it has ended.

  /processes          lists these commands
  /processes stop ID  ends one
  !npm test           runs a command of your own, unasked, without sandbox

All of them end with mini-cc, also when it is killed. Without a sandbox, a
process that left its group is found by its environment; one that has cleared
that as well is not found.
`,

  scripts: `
MINI-CC IN SCRIPTS

The answer goes to standard output, everything else to standard error. What is
piped in is added to the prompt; "-" waits for it without limit. No escape byte
reaches a stream that is not a terminal.

  git diff | mini-cc ask "review this change" > review.md
  mini-cc ask "fix the test" --permission-mode accept-edits --allow "npm test"

Exit codes:
  0    the turn ended by itself
  1    it failed; the message names the cause and the next step
  2    usage or configuration mistake
  3    no server, no such model, or the model cannot be used
  4    it ended, but something was denied because nobody could be asked
  5    step, time or other limit reached
  130  cancelled

In a pipeline on a terminal, questions are asked and answered on that terminal.
Without one, with standard error in a file, or with </dev/null nobody is asked:
what needs an answer is denied. Permit it before (mini-cc help permissions).

--output-format json prints one object: id, outcome, text, changedFiles,
commands with exit codes, denied, usage. stream-json prints an event a line:
session first, turn-end last and always, one tool-end for each tool-start.
mini-cc schema prints the JSON Schema of either; new fields may be added.

A session goes on by its id:
  id=$(mini-cc ask "read the parser" --output-format json | jq -r .id)
  mini-cc ask -r "$id" "now write a test for it"

--max-steps, --max-tool-calls, --max-minutes and --max-tokens limit a turn.
--quiet leaves standard error to warnings, denials and errors. MINI_CC_HOME=DIR
keeps state and configuration of a job apart from yours.
`,
};
