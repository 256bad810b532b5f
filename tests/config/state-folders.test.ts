import { expect, test } from "vitest";
import { resolveFolders } from "../../src/config/state-folders.js";
import { failure } from "./place.js";

test("Linux keeps configuration and state in the usual XDG folders", () => {
  expect(resolveFolders({ env: {}, homeDir: "/home/ann", platform: "linux" })).toEqual({
    config: "/home/ann/.config/mini-cc",
    state: "/home/ann/.local/state/mini-cc",
    userFile: "/home/ann/.config/mini-cc/config.json",
  });
});

test.each(["linux", "darwin"] as const)("the XDG variables move each folder on %s", (platform) => {
  const env = { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" };
  expect(resolveFolders({ env, homeDir: "/home/ann", platform })).toMatchObject({
    config: "/c/mini-cc",
    state: "/s/mini-cc",
  });
});

test("a relative or empty XDG variable is ignored, as its specification says", () => {
  const env = { XDG_CONFIG_HOME: "relative", XDG_STATE_HOME: "" };
  expect(resolveFolders({ env, homeDir: "/home/ann", platform: "linux" })).toMatchObject({
    config: "/home/ann/.config/mini-cc",
    state: "/home/ann/.local/state/mini-cc",
  });
});

test("macOS uses Application Support", () => {
  const support = "/Users/ann/Library/Application Support/mini-cc";
  expect(resolveFolders({ env: {}, homeDir: "/Users/ann", platform: "darwin" })).toMatchObject({
    config: support,
    state: support,
  });
});

test("Windows uses APPDATA and LOCALAPPDATA, and their usual places without them", () => {
  const env = { APPDATA: "D:\\Roaming", LOCALAPPDATA: "D:\\Local" };
  expect(resolveFolders({ env, homeDir: "C:\\Users\\ann", platform: "win32" })).toMatchObject({
    config: "D:\\Roaming\\mini-cc",
    state: "D:\\Local\\mini-cc",
  });
  expect(resolveFolders({ env: {}, homeDir: "C:\\Users\\ann", platform: "win32" })).toMatchObject({
    config: "C:\\Users\\ann\\AppData\\Roaming\\mini-cc",
    state: "C:\\Users\\ann\\AppData\\Local\\mini-cc",
  });
});

test("MINI_CC_HOME moves everything into one folder and needs no home folder", () => {
  const env = { MINI_CC_HOME: "/one", XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" };
  expect(resolveFolders({ env, homeDir: undefined, platform: "linux" })).toEqual({
    config: "/one",
    state: "/one",
    userFile: "/one/config.json",
  });
});

test("a relative MINI_CC_HOME is a usage mistake", async () => {
  const env = { MINI_CC_HOME: "~/state" };
  const error = await failure(
    Promise.resolve().then(() => resolveFolders({ env, homeDir: "/home/ann", platform: "linux" })),
  );
  expect(error).toMatchObject({ code: "home-invalid", exitCode: 2 });
});

test.each([undefined, ""])("without a home folder (%j) the message names MINI_CC_HOME", async (homeDir) => {
  const error = await failure(
    Promise.resolve().then(() => resolveFolders({ env: {}, homeDir, platform: "linux" })),
  );
  expect(error).toMatchObject({ code: "home-missing", exitCode: 2 });
  expect(error.hint).toContain("MINI_CC_HOME");
});

test("both XDG variables make a home folder unnecessary", () => {
  const env = { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" };
  expect(resolveFolders({ env, homeDir: undefined, platform: "linux" }).state).toBe("/s/mini-cc");
});
