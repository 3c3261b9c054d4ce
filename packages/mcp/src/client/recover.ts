import { errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type { Connection } from "./connect.ts";
import type { Link } from "./link.ts";
import type { Memory } from "./memory.ts";

/** The means to recover. */
export interface Recovery {
  readonly link: Link;
  readonly memory: Memory;
  /** Has the tools listed again: one of them is not what it was. */
  readonly refresh: () => Promise<void>;
}

/** The headers that mirror arguments are not those the tool asks for now. */
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const METHOD_NOT_FOUND = -32_601;

/** The server has forgotten the session, which it does when it is started again. */
function hasLostSession({ details }: CallError, { wire }: Connection): boolean {
  return details.status === 404 && wire.sessionId !== undefined;
}

/** The server does not speak what was remembered of it. */
function isOutdated({ details }: CallError, { isAssumed }: Connection): boolean {
  const code = details["rpc_code"];
  const isRefused = code === UNSUPPORTED_VERSION || code === METHOD_NOT_FOUND;
  return isAssumed && (isRefused || details.status === 400 || details.status === 404);
}

function tryAgain(message: string, cause: CallError): CallError {
  return fail("NETWORK", message, { outcome: "not_applied", retry_after_ms: 0 }, { cause });
}

/**
 * Fixes what it can, and reports that nothing was applied: the router then sends the call again,
 * over a new connection or with the tool's new inputs.
 */
export async function recover(
  thrown: unknown,
  connection: Connection,
  { link, memory, refresh }: Recovery,
): Promise<CallError> {
  const error = errorFromUnknown(thrown);
  if (hasLostSession(error, connection)) {
    await link.drop(connection);
    return tryAgain("The MCP server has forgotten the session", error);
  }
  if (isOutdated(error, connection)) {
    await memory.rememberVerdict(undefined);
    await link.drop(connection);
    return tryAgain("The MCP server now speaks another protocol", error);
  }
  if (error.details["rpc_code"] === HEADER_MISMATCH) {
    await refresh();
    return tryAgain("The tool now requires other headers", error);
  }
  return error;
}
