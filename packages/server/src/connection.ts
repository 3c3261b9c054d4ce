import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { CallError } from "@waybill/core";

/** The network connection of a request. */
export interface Connection {
  readonly address: string;
  /** Aborted when the connection closes, because the caller is gone, or when the server ends. */
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
}

const connections = new WeakMap<Socket, Connection>();

/** One signal for each connection, because creating one for each request is expensive. */
function connectionFor(socket: Socket): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const gone = new AbortController();
  const abort = (reason?: unknown): void => gone.abort(reason);
  socket.once("close", () => abort());
  const connection = { address: socket.remoteAddress ?? "", signal: gone.signal, abort };
  connections.set(socket, connection);
  return connection;
}

/** Aborts the calls of a connection, which stays open for their answers. */
export function abortCalls(socket: Socket, reason: CallError): void {
  connections.get(socket)?.abort(reason);
}

/** The objects that Node passes along with a request. */
export interface NodeEnv {
  readonly incoming?: IncomingMessage;
}

export function getConnection({ incoming }: NodeEnv): Connection | undefined {
  return incoming === undefined ? undefined : connectionFor(incoming.socket);
}

/** Reads a header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

/** Returns all Host headers. Node keeps only the first one, but a proxy may have used another. */
function hostsIn({ rawHeaders }: IncomingMessage): string {
  const values = rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - 1];
    return at % 2 === 1 && name?.length === 4 && name.toLowerCase() === "host";
  });
  return values.join(", ");
}

/** Reads Node's headers directly, because creating web headers is slower. */
export function readHeader({ incoming }: NodeEnv, request: Request): HeaderReader {
  if (incoming === undefined) return (name) => request.headers.get(name) ?? undefined;
  const { headers } = incoming;
  return (name) => {
    const value = headers[name];
    if (name === "host" && value !== undefined) return hostsIn(incoming);
    return Array.isArray(value) ? value.join(", ") : value;
  };
}
