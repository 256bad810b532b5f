import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server that answers each path with one fixed object, and any other with 404; its address is host:port. */
export async function plainServer(replies: Readonly<Record<string, object>>): Promise<string> {
  const server = createServer((request, response) => {
    const body = replies[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : 200);
    response.end(JSON.stringify(body ?? { error: "not found" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
