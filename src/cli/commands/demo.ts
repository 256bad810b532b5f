import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { createApp } from "../../app.js";
import { connect } from "../../setup/connection.js";
import { loadConfig } from "../../config/load-config.js";
import { DEMO_TEST_COMMAND, makeDemoProject, verifyDemo } from "../../demo/demo-project.js";
import { DEMO_MODEL, demoReply } from "../../demo/demo-script.js";
import { DEMO_WORDS } from "../../demo/demo-words.js";
import { startScriptedOllama } from "../../demo/scripted-ollama.js";
import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import { isReadOnlyDefault } from "../../permissions/command-rules.js";
import { printable } from "../../printable.js";
import { openAnswerScreen } from "../answer-screen.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import type { CommandContext } from "../program.js";
import { noProgress } from "../render/progress.js";
import { createTextRenderer } from "../render/text.js";

/**
 * `mini-cc demo`: the real agent, tools and gate at work on a project in a temporary folder; only the model is
 * scripted, behind a real server on this machine. Neither environment nor configuration has a say.
 */
export async function demoCommand({ options, messages, version }: CommandContext): Promise<ExitCode> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mini-cc-demo-")));
  const project = join(folder, "project");
  const print = (text = "") => process.stdout.write(`${printable(text)}\n`);
  const server = await startScriptedOllama({ models: [DEMO_MODEL], replies: demoReply });
  try {
    await mkdir(project);
    await makeDemoProject(project);
    const before = await verifyDemo(project);
    const task = DEMO_WORDS[messages.demo.script].prompt;
    print(messages.demo.scripted);
    print(messages.demo.folder(project));
    print(messages.joining.named(messages.demo.task, task));
    print();

    const env = { PATH: process.env["PATH"], MINI_CC_HOME: join(folder, "state") };
    const place = { env, homeDir: folder, platform: process.platform };
    const loaded = await loadConfig({
      ...place,
      flags: {
        model: DEMO_MODEL.name,
        host: server.url,
        allow: [DEMO_TEST_COMMAND],
        permissionMode: "accept-edits",
      },
      workspace: project,
      isReadOnlyDefault,
    });
    const screen = await openAnswerScreen(options, messages);
    const onEvent = createTextRenderer({
      stdout: process.stdout,
      stderr: process.stdout,
      messages,
      colourLevel: screen?.traits.colourLevel ?? 0,
      answer: "stream",
      screen: screen && { ...screen, isShared: true },
      detail: "all",
      progress: screen?.bottom.progress ?? noProgress,
    });
    return await cancelOnSignals(async (signal) => {
      const connection = await connect({ loaded, memoryBytes: totalmem(), signal });
      const app = await createApp({
        loaded,
        connection,
        workspaceRoot: project,
        version,
        memoryBytes: totalmem(),
        temporaryFolder: tmpdir(),
        ...place,
      });
      try {
        const turn = app.prompt(task, { signal, onEvent });
        const end = await turn.finally(() => screen?.bottom.close());
        const after = await verifyDemo(project);
        const { demo, joining } = messages;
        print();
        print(joining.heading(demo.evidence));
        print(`  ${demo.changed(end.changedFiles)}`);
        for (const { command, exitCode } of end.commands) print(`  ${demo.ran(command, exitCode)}`);
        const passed = !before.passes && after.passes && end.outcome === "done";
        print(passed ? demo.passed : demo.failed);
        if (signal.aborted) return EXIT.cancelled;
        return passed ? EXIT.done : EXIT.failed;
      } finally {
        await app.dispose();
      }
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
