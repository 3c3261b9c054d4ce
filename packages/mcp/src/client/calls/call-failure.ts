import { CallError, errorFromUnknown, fail, isCallError } from "@waybill/core";
import { httpFailure, jsonRpcFailure } from "@waybill/core/cards";
import type { CallErrorDetails, Outcome } from "@waybill/core";
import type { UpstreamHeaders } from "@waybill/core/cards";
import { connectErrorCode, findStatus } from "../connect-failure.ts";
import type { RequestState, RpcError } from "../wire/request-state.ts";

const MAX_SENTENCE = 500;
const MAX_DATA = 2_000;

/** System error codes for a connection that was never established. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The data of a server's error, if it is short enough to pass on. */
function errorData({ data }: RpcError): { data?: unknown } {
  if (data === undefined) return {};
  return (JSON.stringify(data) ?? "").length > MAX_DATA ? {} : { data };
}

/** The error for a call that the server itself refused. Its code says what happened. */
function rpcFailure(error: RpcError, cause: unknown): CallError {
  const { code, outcome } = jsonRpcFailure(error.code);
  const message = `The MCP server answered: ${error.message.slice(0, MAX_SENTENCE)}`;
  const facts = { ...errorData(error), ...(error.final && { final: true }) };
  return fail(code, message, { outcome, rpc_code: error.code, ...facts }, { cause });
}

function causeCode(error: unknown): unknown {
  return error instanceof Error
    ? (connectErrorCode(error.cause) ?? connectErrorCode(error))
    : undefined;
}

function httpStatusFailure(status: number, headers: UpstreamHeaders, error: unknown): CallError {
  const { code, outcome, message, retry_after_ms } = httpFailure({ status, headers });
  const wait = retry_after_ms === undefined ? {} : { retry_after_ms };
  return fail(code, message, { outcome, status, ...wait }, { cause: error });
}

function abortFailure(reason: unknown, outcome: Outcome, cause: unknown): CallError {
  const { code, message } = errorFromUnknown(reason);
  const details: CallErrorDetails = { outcome };
  return new CallError(code === "TIMEOUT" ? code : "ABORTED", message, details, { cause });
}

/** The error of a call. It says whether the call may have been applied. */
export function callFailure(
  thrown: unknown,
  state: RequestState,
  signal: AbortSignal,
  headersOf: (status: number) => UpstreamHeaders,
): CallError {
  if (isCallError(thrown)) return thrown;
  if (state.isTooLarge) {
    const details = { outcome: "unknown", hint: "Request less data from the tool" } as const;
    return fail("TOO_LARGE", "The tool's answer is too long", details);
  }
  if (state.rpcError !== undefined) return rpcFailure(state.rpcError, thrown);
  const outcome = state.isAnswered ? "applied" : state.isSent ? "unknown" : "not_applied";
  if (signal.aborted) return abortFailure(signal.reason, outcome, thrown);
  const status = findStatus(thrown);
  if (status !== undefined) return httpStatusFailure(status, headersOf(status), thrown);
  if (connectErrorCode(thrown) === "REQUEST_TIMEOUT") {
    const hint = "The tool may still be running; set a longer callTimeoutMs";
    return fail("TIMEOUT", "The MCP server did not answer in time", { outcome, hint });
  }
  if (state.isAnswered) {
    const { message } = errorFromUnknown(thrown);
    return fail(
      "SERVER",
      `The tool's answer is invalid: ${message}. Report it to the owner of the server`,
      { outcome, final: true },
      { cause: thrown },
    );
  }
  const isUnconnected = NEVER_CONNECTED.has(causeCode(thrown));
  const lost = isUnconnected ? "cannot be reached" : "was lost before it answered";
  return fail(
    "NETWORK",
    `The MCP server ${lost}`,
    {
      outcome: isUnconnected ? "not_applied" : outcome,
      hint: isUnconnected
        ? "Check that the server runs at its address"
        : outcome === "not_applied"
          ? "Nothing was sent. Call again"
          : "Repeat a read. Check the effect of a write before you repeat it",
    },
    { cause: thrown },
  );
}
