import { isIPv4, isIPv6 } from "node:net";
import { EXIT, UserError } from "../errors.js";

interface Host {
  /** Scheme, host, port and path prefix, without a trailing slash. */
  baseUrl: string;
  /** False: what the model is sent leaves this machine. */
  isLoopback: boolean;
}

/** Ollama's own port, used when neither a scheme nor a port is written. */
const DEFAULT_PORT = "11434";

/**
 * Reads a server address as Ollama reads OLLAMA_HOST: `host`, `host:port`, a bare IPv6 address, or an http(s) URL,
 * whose port is then 80 or 443 if none is written. An address to listen on (`0.0.0.0`, `[::]`, `:port`) becomes
 * the loopback address. Throws a UserError for anything else.
 */
export function resolveHost(text: string): Host {
  const url = toUrl(text.trim());
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return {
    baseUrl: url.origin + url.pathname.replace(/\/+$/, ""),
    isLoopback: isLoopbackName(url.hostname),
  };
}

function toUrl(text: string): URL {
  const [, written, rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(text) ?? [];
  const scheme = written?.toLowerCase() ?? "http";
  if (scheme !== "http" && scheme !== "https") throw invalidHost(`"${scheme}://" is not http:// or https://`);

  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
  // The text itself is not repeated: it holds a password.
  if (rest.includes("@")) throw invalidHost("a server address must not hold a user name or password");
  const path = rest.slice(authority.length);
  if (/[?#]/.test(path)) throw invalidHost(`"${text}" must not hold "?" or "#"`);

  const address = isIPv6(authority) ? `[${authority}]` : authority;
  const parts = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(address);
  if (address === "" || !parts)
    throw invalidHost(`"${text}" is not a server address such as 127.0.0.1:11434`);
  const name = parts[1] === "" ? "127.0.0.1" : (parts[1] ?? "");
  const port = parts[2] ?? (written === undefined ? DEFAULT_PORT : "");
  try {
    return new URL(`${scheme}://${name}:${port}${path}`);
  } catch (cause) {
    throw invalidHost(`"${text}" is not a server address such as 127.0.0.1:11434`, cause);
  }
}

function isLoopbackName(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    hostname.startsWith("[::ffff:7f") ||
    (isIPv4(hostname) && hostname.startsWith("127."))
  );
}

function invalidHost(message: string, cause?: unknown): UserError {
  return new UserError(message, {
    code: "host-invalid",
    hint: "Write it as host:port or http://host:port, for example http://127.0.0.1:11434.",
    exitCode: EXIT.usage,
    cause,
  });
}
