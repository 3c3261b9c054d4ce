import type { Readable } from "node:stream";
import { agentErrorCode, fail, isCallError } from "@waybill/core";
import { httpFailure } from "@waybill/core/cards";
import type { CallError, CallErrorDetails, ErrorCode, Outcome } from "@waybill/core";
import type { HttpResponseInfo, UpstreamFailure } from "@waybill/core/cards";
import { parseJson } from "./body.ts";
import { getHost } from "./hop.ts";
import type { Hop } from "./hop.ts";
import type { Phase } from "./transport.ts";

/** How far an exchange got. Events of the socket update it. */
export interface Progress {
  phase: Phase;
  status: number | undefined;
  reusedSocket: boolean;
}

const WHERE: Readonly<Record<Phase, string>> = {
  connecting: "while connecting to",
  sent: "after the request was sent to",
  answered: "while reading the response from",
};

function getErrno(cause: unknown): string {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  return typeof code === "string" ? code : "";
}

function networkErrorCode(cause: unknown): ErrorCode {
  if (isCallError(cause)) return agentErrorCode(cause);
  const errno = getErrno(cause);
  if (errno === "HPE_HEADER_OVERFLOW") return "TOO_LARGE";
  // Error codes that the HTTP, zlib and brotli parsers use for malformed data.
  if (/^(?:HPE_|Z_|ERR__|ERR_BROTLI)/u.test(errno)) return "SERVER";
  if (/^ERR_(?:INVALID|UNESCAPED|HTTP_INVALID)/u.test(errno)) return "VALIDATION";
  return errno === "ETIMEDOUT" ? "TIMEOUT" : "NETWORK";
}

function failureOutcome({ phase, status, reusedSocket }: Progress, cut: Outcome): Outcome {
  if (phase === "connecting" && !reusedSocket) return "not_applied";
  if (status === undefined) return "unknown";
  return status >= 200 && status < 300 ? cut : httpFailure({ status, headers: {} }).outcome;
}

function getSentence(cause: unknown): string {
  if (isCallError(cause)) return cause.message;
  const errno = getErrno(cause);
  return errno === "" ? "The connection failed" : `The connection failed (${errno})`;
}

function responseInfo({ phase, status, reusedSocket }: Progress): CallErrorDetails {
  return {
    phase,
    ...(status !== undefined && { status }),
    ...(reusedSocket && { reusedSocket }),
  };
}

const UNREACHED = "Check the address, and that the server can be reached from here";

function getHint(cause: unknown, code: ErrorCode, { phase }: Progress): { hint?: string } {
  const own = isCallError(cause) ? cause.details.hint : undefined;
  const isUnreached = phase === "connecting" && (code === "NETWORK" || code === "TIMEOUT");
  const hint = own ?? (isUnreached ? UNREACHED : undefined);
  return hint === undefined ? {} : { hint };
}

/**
 * The error for an exchange without a complete response. It has the cause, and how far the
 * request got.
 */
export function exchangeFailure(
  hop: Hop,
  progress: Progress,
  cause: unknown,
  cutOutcome: Outcome,
): CallError {
  const code = networkErrorCode(cause);
  // Keeps a policy error unchanged, because it already names its host.
  const where = code === "POLICY" ? "" : ` ${WHERE[progress.phase]} ${getHost(hop)}`;
  return fail(
    code,
    `${getSentence(cause)}${where}`,
    {
      ...responseInfo(progress),
      ...getHint(cause, code, progress),
      outcome: failureOutcome(progress, cutOutcome),
    },
    { cause },
  );
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly reusedSocket: boolean;
  /** Whether the response came from this machine, its network, or its cloud. */
  readonly isPrivate: () => boolean;
  /** The body, if it is read as a stream. */
  readonly stream?: Readable;
}

const MAX_SHOWN = 8_000;
const TEXT_TYPE = /^text\/(?!html)|[/+]xml\b/iu;

/** The body of the upstream's error, if it is short enough to pass on. */
function shownBody({ body, headers }: Answer): { body?: unknown } {
  if (body.length === 0 || body.length > MAX_SHOWN) return {};
  const value = parseJson(body)?.value;
  if (value !== undefined) return { body: value };
  return TEXT_TYPE.test(headers["content-type"] ?? "")
    ? { body: new TextDecoder().decode(body) }
    : {};
}

/** The error for a complete response with an unexpected status. */
export function statusFailure(
  answer: Answer,
  failureOf: (facts: HttpResponseInfo) => UpstreamFailure = httpFailure,
): CallError {
  const { status, headers, body, reusedSocket } = answer;
  const { code, message, ...facts } = failureOf({ status, headers, body: parseJson(body)?.value });
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  const progress: Progress = { phase: "answered", status, reusedSocket };
  return fail(
    code,
    isRedirect
      ? `${message}. Waybill does not follow this redirect; if the API has moved, use its new address`
      : message,
    {
      ...responseInfo(progress),
      ...facts,
      ...(isRedirect && headers["location"] !== undefined && { location: headers["location"] }),
      ...shownBody(answer),
    },
  );
}
