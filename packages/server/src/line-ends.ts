import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

const STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
};

function readRefusal(error: Error): string {
  const code: unknown = Reflect.get(error, "code");
  const status = STATUS[String(code)] ?? "400 Bad Request";
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}

/**
 * A request that was read completely is answered, even if the following bytes on the connection
 * are invalid.
 */
async function refuseConnection(
  error: Error,
  line: Duplex,
  last: ServerResponse | undefined,
): Promise<void> {
  const isOwed = last?.req.complete === true && !last.writableFinished && !last.destroyed;
  if (isOwed) await once(last, "close");
  const isBetween = last === undefined || isOwed || !last.headersSent || last.writableFinished;
  if (line.writable && isBetween) line.write(readRefusal(error));
  line.destroy();
}

/**
 * A client may close its sending side after the request and still read. Only writing shows
 * whether it reads, so the request is cancelled only after `halfOpenMs`.
 */
export function handleLineEnds(server: Server, halfOpenMs: number): void {
  // Node's types do not declare this property, but it is the only way to turn this on.
  Reflect.set(server, "httpAllowHalfOpen", true);
  const lasts = new WeakMap<Duplex, ServerResponse>();
  server.on("connection", (line) => {
    line.once("end", () => {
      const patience = setTimeout(() => line.destroy(), halfOpenMs);
      line.once("close", () => clearTimeout(patience));
    });
  });
  server.on("request", ({ socket }, response) => lasts.set(socket, response));
  server.on("clientError", (problem, line) => {
    // If the connection breaks during the wait, nobody can be answered.
    refuseConnection(problem, line, lasts.get(line)).catch(() => line.destroy());
  });
}
