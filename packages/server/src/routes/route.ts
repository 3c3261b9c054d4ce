import type { IncomingMessage } from "node:http";
import type { Caller } from "../callers.ts";
import type { HeaderReader } from "../connection.ts";
import type { HttpLimits } from "../options.ts";

/** A request, in the form that routes get. */
export interface Asked {
  readonly request: Request;
  readonly header: HeaderReader;
  /** Node's own request. Undefined if the request did not come over a connection. */
  readonly incoming: IncomingMessage | undefined;
  /** The capability in the path, if any. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly limits: HttpLimits;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Aborted when the server is ending. */
  readonly ending: AbortSignal;
}

export type Route = (asked: Asked) => Response | Promise<Response>;
