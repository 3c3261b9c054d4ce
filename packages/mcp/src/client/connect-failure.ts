import { errorFromUnknown, fail, isCallError } from "@waybill/core";
import { httpFailure } from "@waybill/core/cards";
import type { CallError, Redactor } from "@waybill/core";
import type { Line } from "./line.ts";

const MAX_WORDS = 300;
const NO_SERVER = "Run the command yourself to check that it starts an MCP server";

/** The code by which errors of the SDK and of the system are distinguished. */
export function connectErrorCode(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}

/** The HTTP status of an SDK error that has one. */
export function findStatus(error: unknown): number | undefined {
  const status: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "status") : undefined;
  return typeof status === "number" ? status : undefined;
}

/** The server's output, shortened and without secrets. */
function quotedOutput(text: string, redactor: Redactor): string {
  return redactor.text(text).slice(0, MAX_WORDS);
}

/**
 * Statuses with which a server of the oldest HTTP transport refuses the first request of a newer
 * client.
 */
const OLD_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405]);
const OLD_HINT =
  "HTTP+SSE servers (protocol 2024-11-05) are not supported; give the address of the server's streamable HTTP endpoint, usually /mcp";

function hintFor(status: number, signInHint: string | undefined): { readonly hint?: string } {
  if (status === 401 && signInHint !== undefined) return { hint: signInHint };
  return OLD_TRANSPORT.has(status) ? { hint: OLD_HINT } : {};
}

/** The error of a failed connection. No tool was called, so nothing was applied. */
export function connectFailure(
  { name, signInHint }: { readonly name: string; readonly signInHint?: string },
  thrown: unknown,
  line: Line,
  redactor: Redactor,
): CallError {
  const own = isCallError(thrown) ? thrown : line.failure();
  if (own !== undefined) return own;
  const outcome = { outcome: "not_applied" } as const;
  if (line.hasEnded()) {
    const words = line.lastWords();
    const message = `The MCP server ${name} ended before it answered`;
    const said = words === undefined ? message : `${message}: ${quotedOutput(words, redactor)}`;
    return fail("NETWORK", said, { ...outcome, ended: true, hint: NO_SERVER }, { cause: thrown });
  }
  if (connectErrorCode(thrown) === "REQUEST_TIMEOUT") {
    const hint = { hint: NO_SERVER };
    const message = `The MCP server ${name} did not answer`;
    return fail("TIMEOUT", message, { ...outcome, ...hint }, { cause: thrown });
  }
  const status = findStatus(thrown);
  if (status !== undefined) {
    const { code, message } = httpFailure({ status, headers: {} });
    const hint = hintFor(status, signInHint);
    return fail(code, `${name}: ${message}`, { ...outcome, status, ...hint }, { cause: thrown });
  }
  const { message } = errorFromUnknown(thrown);
  const why = quotedOutput(message, redactor);
  return fail(
    "NETWORK",
    `The MCP server ${name} cannot be reached: ${why}. Check its settings`,
    outcome,
    {
      cause: thrown,
    },
  );
}
