import { expect, test } from "vitest";
import { systemPrompt } from "../../src/agent/system-prompt.js";

test("sessions of two folders share their prompt up to the folder, which comes last", () => {
  const one = systemPrompt({ workspaceRoot: "/home/me/one", platform: "linux" });
  const two = systemPrompt({ workspaceRoot: "/home/me/two", platform: "linux" });
  expect(one.endsWith("/home/me/one")).toBe(true);
  expect(two.endsWith("/home/me/two")).toBe(true);
  expect(one.slice(0, -3)).toBe(two.slice(0, -3));
});

test("nothing in the prompt changes with the time", () => {
  const prompt = systemPrompt({ workspaceRoot: "/w", platform: "linux" });
  expect(prompt).not.toMatch(/\d{4}-\d{2}|\d{2}:\d{2}/);
});

test("nothing in the prompt speaks of danger, which small models take as a reason to refuse", () => {
  const prompt = systemPrompt({ workspaceRoot: "/w", platform: "darwin" });
  expect(prompt).not.toMatch(/danger|safe|harm|careful|caution|risk|malicious|permission/i);
  expect(prompt).toContain("macOS");
});
