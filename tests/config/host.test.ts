import { expect, test } from "vitest";
import { resolveHost } from "../../src/config/host.js";
import { failure } from "./place.js";

test.each([
  ["localhost", "http://localhost:11434"],
  ["localhost:8080", "http://localhost:8080"],
  ["127.0.0.1:11434", "http://127.0.0.1:11434"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:8080", "http://127.0.0.1:8080"],
  ["http://0.0.0.0:11434", "http://127.0.0.1:11434"],
  [":8080", "http://127.0.0.1:8080"],
  ["  box.lan:11434 ", "http://box.lan:11434"],
  ["http://192.168.1.5:11434", "http://192.168.1.5:11434"],
  ["http://ollama.local:11434/", "http://ollama.local:11434"],
  ["HTTP://Ollama.Local:11434", "http://ollama.local:11434"],
  ["https://models.example.org/ollama/", "https://models.example.org/ollama"],
  ["::1", "http://[::1]:11434"],
  ["[::1]", "http://[::1]:11434"],
  ["[::1]:8080", "http://[::1]:8080"],
  ["[::]:11434", "http://[::1]:11434"],
  ["http://[fe80::1]:11434/", "http://[fe80::1]:11434"],
])("the address %j means %s", (text, baseUrl) => {
  expect(resolveHost(text).baseUrl).toBe(baseUrl);
});

test("a scheme without a port means that scheme's own port, as in Ollama", () => {
  expect(new URL(resolveHost("http://box.lan").baseUrl).port).toBe("");
  expect(resolveHost("http://box.lan").baseUrl).toBe("http://box.lan");
  expect(resolveHost("https://box.lan").baseUrl).toBe("https://box.lan");
});

test("an address that was resolved once stays the same when it is resolved again", () => {
  for (const text of ["box", "http://box", "https://box/a/", "[::]:1", ":8080"]) {
    const { baseUrl } = resolveHost(text);
    expect(resolveHost(baseUrl).baseUrl).toBe(baseUrl);
  }
});

test.each([
  "localhost",
  "a.localhost",
  "127.0.0.1",
  "127.1.2.3:80",
  "::1",
  "[::ffff:127.0.0.1]",
  "0.0.0.0",
  "2130706433",
])("%s is this machine", (text) => {
  expect(resolveHost(text).isLoopback).toBe(true);
});

test.each(["192.168.1.5", "127.example.org", "localhost.example.org", "[::2]", "box"])(
  "%s is another machine",
  (text) => {
    expect(resolveHost(text).isLoopback).toBe(false);
  },
);

test.each([
  "",
  "ftp://box",
  "unix:///run/x.sock",
  "file:///etc",
  "box:port",
  "box:99999",
  "a b",
  "http://",
  "box?x=1",
  "a:b:c",
  "me@box",
])("%j is refused as a usage mistake that shows how to write an address", async (text) => {
  const error = await failure(Promise.resolve().then(() => resolveHost(text)));
  expect(error).toMatchObject({ code: "host-invalid", exitCode: 2 });
  expect(error.hint).toContain("host:port");
});

test("a password in an address is refused and not repeated", async () => {
  const error = await failure(Promise.resolve().then(() => resolveHost("http://me:secret@box:11434")));
  expect(error).toMatchObject({ code: "host-invalid", exitCode: 2 });
  expect(error.message).not.toContain("secret");
});
