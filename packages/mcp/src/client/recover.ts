import { errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type { Connection } from "./connect.ts";
import type { Link } from "./link.ts";
import type { Memory } from "./memory.ts";

/** The functions that recovery needs. */
export interface Recovery {
  readonly link: Link;
  readonly memory: Memory;
  /** Lists the tools again, because one of them has changed. */
  readonly refresh: () => Promise<void>;
}

/** The error code for headers that do not match what the tool requires now. */
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const METHOD_NOT_FOUND = -32_601;

/** Whether the server has lost the session, for example after a restart. */
function hasLostSession({ details }: CallError, { wire }: Connection): boolean {
  return details.status === 404 && wire.sessionId !== undefined;
}

/** Whether the server no longer uses the stored protocol version. */
function isOutdated({ details }: CallError, { isAssumed }: Connection): boolean {
  const code = details["rpc_code"];
  const isRefused = code === UNSUPPORTED_VERSION || code === METHOD_NOT_FOUND;
  return isAssumed && (isRefused || details.status === 400 || details.status === 404);
}

function tryAgain(message: string, cause: CallError): CallError {
  return fail("NETWORK", message, { outcome: "not_applied", retry_after_ms: 0 }, { cause });
}

/**
 * Fixes the cause if possible, and reports that nothing was applied. Then the router sends the
 * call again, over a new connection or with the tool's new inputs.
 */
export async function recover(
  thrown: unknown,
  connection: Connection,
  { link, memory, refresh }: Recovery,
): Promise<CallError> {
  const error = errorFromUnknown(thrown);
  if (hasLostSession(error, connection)) {
    await link.drop(connection);
    return tryAgain("The MCP server has lost the session. Call again", error);
  }
  if (isOutdated(error, connection)) {
    await memory.rememberVerdict(undefined);
    await link.drop(connection);
    return tryAgain("The MCP server now uses another protocol version. Call again", error);
  }
  if (error.details["rpc_code"] === HEADER_MISMATCH) {
    await refresh();
    return tryAgain("The tool now requires other headers. Call again", error);
  }
  return error;
}
