import type { IncomingMessage } from "node:http";
import type { Caller } from "../callers.ts";
import type { HeaderReader } from "../connection.ts";
import type { HttpLimits } from "../options.ts";

/** One request on its way. */
export interface Asked {
  readonly request: Request;
  readonly header: HeaderReader;
  /** The request as Node has it, where it came over a line. */
  readonly incoming: IncomingMessage | undefined;
  /** The capability that the path names, if any. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly limits: HttpLimits;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Aborted when the server is to end. */
  readonly ending: AbortSignal;
}

export type Route = (asked: Asked) => Response | Promise<Response>;
