import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** The line over which requests come. */
export interface Connection {
  readonly address: string;
  /** Aborted when the connection closes, because the caller is gone. */
  readonly signal: AbortSignal;
}

const connections = new WeakMap<Socket, Connection>();

/** One signal for a line: to make one for each request costs more than to answer it. */
function connectionFor(socket: Socket): Connection {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  const connection = { address: socket.remoteAddress ?? "", signal: gone.signal };
  connections.set(socket, connection);
  return connection;
}

/** The objects that Node passes along with a request. */
export interface NodeEnv {
  readonly incoming?: IncomingMessage;
}

export function getConnection({ incoming }: NodeEnv): Connection | undefined {
  return incoming === undefined ? undefined : connectionFor(incoming.socket);
}

/** A header by its name in small letters. */
export type HeaderReader = (name: string) => string | undefined;

/** Node keeps the first of several; a proxy in front may have gone by another one. */
function hostsIn({ rawHeaders }: IncomingMessage): string {
  const values = rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - 1];
    return at % 2 === 1 && name?.length === 4 && name.toLowerCase() === "host";
  });
  return values.join(", ");
}

/** Node has the headers at hand; the web's own are made of them at some cost. */
export function readHeader({ incoming }: NodeEnv, request: Request): HeaderReader {
  if (incoming === undefined) return (name) => request.headers.get(name) ?? undefined;
  const { headers } = incoming;
  return (name) => {
    const value = headers[name];
    if (name === "host" && value !== undefined) return hostsIn(incoming);
    return Array.isArray(value) ? value.join(", ") : value;
  };
}
