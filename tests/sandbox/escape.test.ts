import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, ListenOptions, Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { giveTo, makePlace, run, sandboxIsMissing, sandboxOptions, testUsers, unconfined } from "./place.js";
import type { SandboxPlace } from "./place.js";

const SECRET = "a secret of the host";

interface Host {
  tcpPort: number;
  /** A process outside the sandbox that has the secret in its environment. */
  pid: number;
  sockets: { temporary: string; abstract: string };
}

interface Attempt {
  title: string;
  command: (place: SandboxPlace, host: Host) => string;
  /** By what it left or printed. */
  succeeded: (place: SandboxPlace, output: string) => boolean;
  /** Whether it succeeds without a sandbox cannot be tried: it would change the machine, or needs root. */
  uncontrolled?: true;
}

const printsSecret = (_: SandboxPlace, output: string): boolean => output.includes(SECRET);
const exists =
  (folder: "workspaceRoot" | "homeDir" | "outside", name: string) =>
  (place: SandboxPlace): boolean =>
    existsSync(join(place[folder], name));
const holds =
  (name: string, text: string) =>
  (place: SandboxPlace): boolean =>
    readFileSync(join(place.workspaceRoot, name), "utf8").includes(text);
const connect = (address: string): string =>
  `node -e 'require("net").connect(${address}).on("error", (e) => console.log(e.code)).pipe(process.stdout)'`;

const ATTEMPTS: readonly Attempt[] = [
  {
    title: "write beside the workspace",
    command: ({ outside }) => `echo x > '${outside}/planted'`,
    succeeded: exists("outside", "planted"),
  },
  {
    title: "write beside the workspace through a link",
    command: ({ outside }) => `ln -s '${outside}' link && echo x > link/planted`,
    succeeded: exists("outside", "planted"),
  },
  {
    title: "write in the home folder",
    command: () => "echo x > ~/.bashrc",
    succeeded: exists("homeDir", ".bashrc"),
  },
  {
    title: "change the user's git settings",
    command: () => "git config --global core.pager planted",
    succeeded: ({ homeDir }) => readFileSync(join(homeDir, ".gitconfig"), "utf8").includes("planted"),
  },
  {
    title: "write in the system's temporary folder",
    command: ({ base }) => `echo x > '${tmpdir()}/planted-${basename(base)}'`,
    succeeded: ({ base }) => existsSync(join(tmpdir(), `planted-${basename(base)}`)),
  },
  {
    title: "write in /etc",
    command: () => "echo x > /etc/planted-by-the-sandbox-test",
    succeeded: () => existsSync("/etc/planted-by-the-sandbox-test"),
    uncontrolled: true,
  },
  {
    title: "make the system writable again",
    command: () => "mount -o remount,bind,rw / && touch /planted-by-the-sandbox-test",
    succeeded: () => existsSync("/planted-by-the-sandbox-test"),
    uncontrolled: true,
  },
  {
    title: "uncover the home folder",
    command: () => "umount ~; cat ~/.ssh/id_ed25519",
    succeeded: printsSecret,
  },
  { title: "read a key in ~/.ssh", command: () => "cat ~/.ssh/id_ed25519", succeeded: printsSecret },
  {
    title: "gain capabilities in a namespace of its own",
    command: () => "unshare --user --map-root-user --mount echo gained",
    succeeded: (_, output) => output.includes("gained"),
  },
  {
    title: "reach a server of the host",
    command: (_, { tcpPort }) => connect(`${tcpPort}, "127.0.0.1"`),
    succeeded: printsSecret,
  },
  {
    title: "reach a socket in the temporary folder",
    command: (_, { sockets }) => connect(JSON.stringify(sockets.temporary)),
    succeeded: printsSecret,
  },
  {
    title: "reach an abstract socket",
    command: (_, { sockets }) => connect(JSON.stringify(`\0${sockets.abstract}`)),
    succeeded: printsSecret,
  },
  {
    title: "read the environment of a process of the host",
    command: (_, { pid }) => `tr '\\0' '\\n' < /proc/${pid}/environ`,
    succeeded: printsSecret,
  },
  {
    title: "find a process of the host",
    command: () => `cat /proc/[0-9]*/environ | tr '\\0' '\\n'`,
    succeeded: printsSecret,
  },
  {
    title: "signal a process of the host",
    command: (_, { pid }) => `kill -0 ${pid} && echo reached`,
    succeeded: (_, output) => output.includes("reached"),
  },
  {
    title: "rename .git and put another one in its place",
    command: () => "mv .git .git2; mkdir .git; printf '[core]\\n\\tfsmonitor = planted\\n' > .git/config",
    succeeded: holds(".git/config", "planted"),
  },
  {
    title: "change .git/config",
    command: () => "git config core.fsmonitor planted",
    succeeded: holds(".git/config", "planted"),
  },
  {
    title: "replace .git/config",
    command: () => "echo planted > new; mv -f new .git/config; cp -f new .git/config",
    succeeded: holds(".git/config", "planted"),
  },
  {
    title: "add a hook",
    command: () => "echo planted > .git/hooks/pre-commit",
    succeeded: exists("workspaceRoot", ".git/hooks/pre-commit"),
  },
  {
    title: "replace the hooks",
    command: () => "mv .git/hooks .git/old; mkdir .git/hooks; echo planted > .git/hooks/pre-commit",
    succeeded: exists("workspaceRoot", ".git/hooks/pre-commit"),
  },
  {
    title: "change .mini-cc.json",
    command: () => "chmod u+w .mini-cc.json; echo planted > .mini-cc.json",
    succeeded: holds(".mini-cc.json", "planted"),
  },
  {
    title: "replace .mini-cc.json",
    command: () => "echo planted > new; rm -f .mini-cc.json; mv -f new .mini-cc.json",
    succeeded: holds(".mini-cc.json", "planted"),
  },
];

const servers: Server[] = [];
const hosts: ChildProcess[] = [];
const places: SandboxPlace[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const host of hosts.splice(0)) host.kill("SIGKILL");
  for (const { base, remove } of places.splice(0)) {
    remove();
    rmSync(join(tmpdir(), `planted-${basename(base)}`), { force: true });
  }
});

function newPlace(): SandboxPlace {
  const place = makePlace();
  places.push(place);
  mkdirSync(join(place.homeDir, ".ssh"));
  writeFileSync(join(place.homeDir, ".ssh", "id_ed25519"), SECRET);
  writeFileSync(join(place.workspaceRoot, ".mini-cc.json"), "{}");
  return place;
}

/** Tells the secret to whoever connects. */
async function serve(where: ListenOptions): Promise<Server> {
  const server = createServer((socket) => socket.end(SECRET));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return server;
}

async function startHost(place: SandboxPlace): Promise<Host> {
  const sockets = { temporary: join(place.outside, "socket"), abstract: basename(place.base) };
  await serve({ path: sockets.temporary, writableAll: true });
  await serve({ path: `\0${sockets.abstract}` });
  const tcp = await serve({ host: "127.0.0.1", port: 0 });
  const process = spawn("sleep", ["600"], { env: { ...place.env, TOKEN: SECRET }, stdio: "ignore" });
  hosts.push(process);
  return { tcpPort: (tcp.address() as AddressInfo).port, pid: process.pid!, sockets };
}

const missing = await sandboxIsMissing();
const because = missing === undefined ? "" : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`an escape from the sandbox${because}`, () => {
  it.each(ATTEMPTS.filter(({ uncontrolled }) => !uncontrolled))(
    "would succeed without a sandbox: $title",
    async ({ command, succeeded }) => {
      const place = newPlace();
      const { output } = await run(place, unconfined, command(place, await startHost(place)));
      expect(succeeded(place, output), output).toBe(true);
    },
  );

  describe.each(testUsers())("by $title", (user) => {
    let place: SandboxPlace;
    let sandbox: Sandbox;
    let host: Host;

    beforeEach(async () => {
      place = newPlace();
      sandbox = await createSandbox(sandboxOptions(place));
      host = await startHost(place);
      giveTo(user, place);
    });

    it.each(ATTEMPTS)("fails: $title", async ({ command, succeeded }) => {
      const line = command(place, host);
      const { output, end } = await run(place, sandbox, `echo began; ${line}`, { user });
      expect(output).toContain("began\n");
      expect(end.kind).toBe("exited");
      expect(succeeded(place, output), output).toBe(false);
    });

    it("has no capabilities and cannot gain privileges", async () => {
      const { output } = await run(place, sandbox, "grep -E 'CapEff|NoNewPrivs' /proc/self/status", { user });
      expect(output).toBe("CapEff:\t0000000000000000\nNoNewPrivs:\t1\n");
    });

    it("reaches the network of the host only if it is allowed to", async () => {
      const command = connect(`${host.tcpPort}, "127.0.0.1"`);
      expect((await run(place, sandbox, command, { user, network: true })).output).toBe(SECRET);
      expect((await run(place, sandbox, command, { user })).output).toBe("ECONNREFUSED\n");
    });

    it("leaves no background process behind", async () => {
      const marker = `86400.${process.pid}`;
      const { output } = await run(place, sandbox, `setsid nohup sleep ${marker} & sleep 0.2; echo started`, {
        user,
      });
      expect(output).toBe("started\n");
      await expect.poll(() => commandLines().filter((line) => line.includes(marker))).toEqual([]);
    });

    it("does not survive the death of the agent", async () => {
      const argv = sandbox.wrap(["/bin/bash", "-c", "echo ready; trap '' TERM HUP; sleep 600; sleep 600"], {
        cwd: place.workspaceRoot,
        network: false,
      });
      const script = `require("child_process").spawn(process.argv[1], process.argv.slice(2),
        { stdio: ["ignore", "inherit", "inherit"], detached: true })`;
      const agent = spawn(process.execPath, ["-e", script, ...user.prefix, ...argv], {
        cwd: place.workspaceRoot,
        env: place.env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const closed = new Promise((resolve) => agent.stdout.once("close", resolve));
      expect(String(await new Promise((resolve) => agent.stdout.once("data", resolve)))).toBe("ready\n");
      agent.kill("SIGKILL");
      // The pipe closes when the last process that holds it is gone.
      await closed;
    });

    it("cannot add hooks where there is no folder for them", async () => {
      rmSync(join(place.workspaceRoot, ".git", "hooks"), { recursive: true });
      await run(place, sandbox, "mkdir -p .git/hooks; echo planted > .git/hooks/pre-commit", { user });
      expect(readdirSync(join(place.workspaceRoot, ".git", "hooks"))).toEqual([]);
    });

    it.each([
      { name: ".mini-cc.json", target: "../home/.netrc", look: "cat .mini-cc.json ~/.netrc" },
      { name: ".git", target: "../home/.ssh", look: "cat .git/* ~/.ssh/*" },
    ])("gets nothing shown by a link that it put in the place of $name", async ({ name, target, look }) => {
      writeFileSync(join(place.homeDir, ".netrc"), SECRET);
      const path = join(place.workspaceRoot, name);
      rmSync(path, { recursive: true });
      symlinkSync(target, path);
      const { output } = await run(place, sandbox, `echo began; ${look}`, { user });
      expect(output).toMatch(/^began\n[^]*No such file/);
      expect(output).not.toContain(SECRET);
    });

    it("gets nothing shown by a .git file that it wrote", async () => {
      rmSync(join(place.workspaceRoot, ".git"), { recursive: true });
      await run(place, sandbox, `echo 'gitdir: ../home/.ssh' > .git`, { user });
      const { output } = await run(place, sandbox, "cat .git; cat ~/.ssh/id_ed25519", { user });
      expect(output).toContain("gitdir: ../home/.ssh\n");
      expect(output).not.toContain(SECRET);
    });

    it("cannot turn the git folder of a repository that it made itself", async () => {
      rmSync(join(place.workspaceRoot, ".git"), { recursive: true });
      expect((await run(place, sandbox, "git init -q .", { user })).end).toEqual({ kind: "exited", code: 0 });
      await run(place, sandbox, "git config core.fsmonitor planted; mv .git .git2", { user });
      expect(holds(".git/config", "planted")(place)).toBe(false);
    });
  });

  it.skipIf(process.getuid?.() !== 0)("cannot reach a socket in /run (made by root)", async () => {
    const place = newPlace();
    const sandbox = await createSandbox(sandboxOptions(place));
    const path = `/run/${basename(place.base)}`;
    await serve({ path });
    const command = connect(JSON.stringify(path));
    expect((await run(place, unconfined, command)).output).toBe(SECRET);
    expect((await run(place, sandbox, command)).output).toBe("ENOENT\n");
  });
});

function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        // It ended meanwhile.
        return "";
      }
    });
}
