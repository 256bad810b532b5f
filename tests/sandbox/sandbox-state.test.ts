import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import type { SandboxOptions } from "../../src/sandbox/sandbox.js";
import { giveTo, makePlace, sandboxIsMissing, sandboxOptions, testUsers } from "./place.js";
import type { SandboxPlace } from "./place.js";

const places: SandboxPlace[] = [];

afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

function newPlace(): SandboxPlace {
  const place = makePlace();
  places.push(place);
  return place;
}

/** A program named `bwrap`, alone on PATH; `folder` is relative to the place. */
function withProgram(place: SandboxPlace, script: string, folder = "bin"): SandboxOptions {
  const bin = join(place.base, folder);
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "bwrap"), 0o755);
  return sandboxOptions(place, { env: { PATH: bin } });
}

const fails = (error: string): string => `echo '${error}' >&2; exit 1`;

const REQUEST = { cwd: "/", network: false };

describe.skipIf(process.platform === "win32")("the state of the sandbox", () => {
  it("is active with a bubblewrap that works, and commands are started by it", async () => {
    const place = newPlace();
    const { state, wrap } = await createSandbox(withProgram(place, "exit 0"));
    expect(state).toMatchObject({ active: true, code: "bubblewrap" });
    const argv = wrap(["/bin/true", "a b"], REQUEST);
    expect(argv[0]).toBe(join(place.base, "bin", "bwrap"));
    expect(argv.slice(-3)).toEqual(["--", "/bin/true", "a b"]);
    expect(argv).toContain("--disable-userns");
    expect(argv).not.toContain("--share-net");
    expect(wrap(["/bin/true"], { ...REQUEST, network: true })).toContain("--share-net");
  });

  it.each([
    "bwrap: Unknown option --disable-userns",
    "bwrap: cannot open /proc/sys/user/max_user_namespaces: Read-only file system",
  ])("is active without the newest option where that fails: %s", async (error) => {
    const script = `case " $* " in *" --disable-userns "*) ${fails(error)};; esac`;
    const { state, wrap } = await createSandbox(withProgram(newPlace(), script));
    expect(state).toMatchObject({ active: true });
    expect(wrap(["/bin/true"], REQUEST)).not.toContain("--disable-userns");
  });

  it.each([
    { error: "bwrap: setting up uid map: Permission denied", remedy: "AppArmor" },
    { error: "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", remedy: "AppArmor" },
    {
      error:
        "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. See <https://deb.li/bubblewrap>.",
      remedy: "kernel.unprivileged_userns_clone=1",
    },
    {
      error:
        "bwrap: No permissions to create a new namespace, likely because the kernel does not allow non-privileged user namespaces.",
      remedy: "kernel.unprivileged_userns_clone=1",
    },
    {
      error:
        "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
      remedy: "user.max_user_namespaces",
    },
    {
      error:
        "bwrap: Creating new namespace failed, likely because the kernel does not support user namespaces.  bwrap must be installed setuid on such systems.",
      remedy: "kernel with user namespaces",
    },
    { error: "bwrap: Creating new namespace failed: Operation not permitted", remedy: "container" },
    { error: "bwrap: Can'\\''t mount proc on /newroot/proc: Operation not permitted", remedy: "container" },
    { error: "bwrap: Failed to make / slave: Permission denied", remedy: "container" },
    { error: "bwrap: pivot_root: Operation not permitted", remedy: "container" },
  ])("is blocked by the system, with the remedy: $error", async ({ error, remedy }) => {
    const { state, wrap } = await createSandbox(withProgram(newPlace(), fails(error)));
    expect(state).toMatchObject({ active: false, code: "blocked" });
    expect(state.text).toContain(error.replace("'\\''", "'"));
    expect(state.remedy).toContain(remedy);
    expect(wrap(["/bin/true"], REQUEST)).toEqual(["/bin/true"]);
  });

  it.each([
    {
      title: "for another reason, in its words",
      script: fails("bwrap: something new"),
      says: "bwrap: something new",
    },
    { title: "without a word", script: "exit 3", says: "Command failed" },
    { title: "by a signal", script: "kill -SEGV $$", says: "Command failed" },
    { title: "by hanging", script: "exec /bin/sleep 60", says: "within 2 s" },
  ])("is failed when the program fails $title", async ({ script, says }) => {
    const { state } = await createSandbox(withProgram(newPlace(), script));
    expect(state).toMatchObject({ active: false, code: "failed" });
    expect(state.text).toContain(says);
  });

  it("is failed when the program cannot be started", async () => {
    const place = newPlace();
    const options = withProgram(place, "exit 0");
    const tooLarge = { ...options.env, LONG: "x".repeat(1_000_000) };
    expect((await createSandbox({ ...options, env: tooLarge })).state.text).toContain("E2BIG");
    writeFileSync(join(place.base, "bin", "bwrap"), "#!/nonexistent/interpreter\n");
    expect((await createSandbox(options)).state.text).toContain("ENOENT");
  });

  it("is missing, with the package to install, when PATH has no bubblewrap", async () => {
    const { state } = await createSandbox(sandboxOptions(newPlace(), { env: { PATH: "/nonexistent" } }));
    expect(state).toMatchObject({ active: false, code: "missing" });
    expect(state.remedy).toContain("apt install bubblewrap");
  });

  it("is missing when the only bubblewrap comes from the workspace, also through a link or a relative PATH", async () => {
    const place = newPlace();
    const own = withProgram(place, "exit 0", "workspace/bin");
    symlinkSync(join(place.workspaceRoot, "bin", "bwrap"), join(place.outside, "bwrap"));
    for (const PATH of [own.env["PATH"], place.outside, "workspace/bin", "."]) {
      expect((await createSandbox({ ...own, env: { PATH } })).state.code).toBe("missing");
    }
  });

  it("is off by the setting, and nothing is tried", async () => {
    const place = newPlace();
    const options = withProgram(place, "touch tried; exit 0");
    const { state, wrap } = await createSandbox({ ...options, setting: "off" });
    expect(state).toMatchObject({ active: false, code: "off" });
    expect(wrap(["/bin/true"], REQUEST)).toEqual(["/bin/true"]);
  });

  it.each(["win32", "freebsd"] as const)("is unsupported on %s", async (platform) => {
    const { state } = await createSandbox(sandboxOptions(newPlace(), { platform }));
    expect(state).toMatchObject({ active: false, code: "unsupported" });
    expect(state.text).toContain(platform);
  });

  it.each([
    {
      title: "the home folder",
      workspace: (place: SandboxPlace) => place.homeDir,
      says: "is your home folder",
    },
    {
      title: "a folder that contains it",
      workspace: (place: SandboxPlace) => place.base,
      says: "contains your home",
    },
    { title: "/", workspace: () => "/", says: "contains your home" },
    { title: "the temporary folder", workspace: () => "/tmp", says: "contains" },
  ])("is unsandboxable when the workspace is $title", async ({ workspace, says }) => {
    const place = newPlace();
    const options = withProgram(place, "exit 0");
    const { state } = await createSandbox({ ...options, workspaceRoot: workspace(place) });
    expect(state).toMatchObject({ active: false, code: "unsandboxable" });
    expect(state.text).toContain(says);
  });

  it("is active for a workspace whose name only begins like that of the home folder", async () => {
    const place = newPlace();
    const workspaceRoot = `${place.homeDir}-work`;
    mkdirSync(workspaceRoot);
    const { state } = await createSandbox({ ...withProgram(place, "exit 0"), workspaceRoot });
    expect(state.active).toBe(true);
  });

  it.each([
    { title: "missing", code: "sandbox-missing", changes: { env: { PATH: "/nonexistent" } } },
    { title: "unsupported", code: "sandbox-unsupported", changes: { platform: "win32" as const } },
    { title: "unsandboxable", code: "sandbox-unsandboxable", changes: { workspaceRoot: "/" } },
  ])("refuses to start with the remedy when it is required and $title", async ({ code, changes }) => {
    const options = sandboxOptions(newPlace(), { setting: "required", ...changes });
    const { state } = await createSandbox({ ...options, setting: "auto" });
    await expect(createSandbox(options)).rejects.toMatchObject({
      name: "UserError",
      code,
      exitCode: 2,
      hint: state.remedy,
      message: expect.stringContaining(state.text) as string,
    });
  });

  it("is given when it is required and there", async () => {
    const options = withProgram(newPlace(), "exit 0");
    expect((await createSandbox({ ...options, setting: "required" })).state.active).toBe(true);
  });
});

const missing = await sandboxIsMissing();
const nobody = testUsers().find(({ prefix }) => prefix.length > 0);

it.skipIf(missing !== undefined || nobody === undefined)(
  "fails for root in the workspace of somebody else, where it could not write (needs bubblewrap and root)",
  async () => {
    const place = newPlace();
    if (nobody !== undefined) giveTo(nobody, place);
    chmodSync(place.base, 0o755);
    const { state } = await createSandbox(sandboxOptions(place));
    expect(state).toMatchObject({ active: false, code: "failed" });
    expect(state.text).toContain("belongs to another user");
  },
);
