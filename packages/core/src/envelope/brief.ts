import type { AttemptMeta, ResultEnvelope, ResultError, ResultMeta } from "./result.ts";

type BriefAttempt = Omit<AttemptMeta, "duration_ms">;

/** The metadata that is worth showing with an answer. */
export interface BriefMeta extends Partial<
  Omit<ResultMeta, "capability_id" | "timings" | "cost" | "attempts">
> {
  /** Every attempt and skip, without durations. Absent if there was one attempt. */
  readonly attempts?: readonly BriefAttempt[];
}

/** An error without the members that have their default: not retryable, no details. */
export type BriefError = Omit<ResultError, "retryable"> & { readonly retryable?: true };

/** An answer in few tokens. `error` is present only if the call failed. */
export type BriefResult<T = unknown> =
  | { readonly data: T; readonly meta?: BriefMeta }
  | { readonly error: BriefError; readonly meta?: BriefMeta };

const TOLD = ["left_out", "handle", "limits", "next", "warnings", "headers"] as const;

function briefAttempt({ route, status, error_code }: AttemptMeta): BriefAttempt {
  return { route, status, ...(error_code && { error_code }) };
}

/** The route is shown only if more than one was tried. */
function routeIn({ attempts = [], route_used, reason }: ResultMeta): BriefMeta {
  if (attempts.length < 2) return {};
  return {
    ...(route_used && { route_used }),
    ...(reason && { reason }),
    attempts: attempts.map(briefAttempt),
  };
}

function factsIn(meta: ResultMeta): BriefMeta {
  const told = TOLD.filter((name) => Object.keys(meta[name] ?? {}).length > 0);
  return {
    ...routeIn(meta),
    ...(meta.pagination?.has_next_page === true && { pagination: meta.pagination }),
    ...(meta.truncated === true && { truncated: true }),
    ...Object.fromEntries(told.map((name) => [name, meta[name]])),
    ...(meta.replayed === true && { replayed: true }),
  };
}

function withMeta<T extends object>(answer: T, meta: BriefMeta): T & { meta?: BriefMeta } {
  return Object.keys(meta).length === 0 ? answer : { ...answer, meta };
}

export function briefError({ code, message, retryable, details = {} }: ResultError): BriefError {
  return {
    code,
    message,
    ...(retryable && { retryable }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** The request id is shown for failed writes, because a user needs it to investigate. */
function requestIn({ error, meta }: ResultEnvelope): BriefMeta {
  const isFailedWrite = error?.details?.["outcome"] !== undefined;
  return isFailedWrite && meta.request_id !== undefined ? { request_id: meta.request_id } : {};
}

/**
 * The same answer without the parts that a reader can infer. It keeps everything that decides the next step.
 *
 * @example
 * ```ts
 * import { briefResult, createWaybill, defineOperation } from "@waybill/core";
 *
 * const hello = defineOperation({
 *   id: "hello.say",
 *   description: "Say hello",
 *   effect: "read",
 *   handler: () => "Hello",
 * });
 * const result = await createWaybill({ operations: [hello] }).execute("hello.say", {});
 * console.log(briefResult(result));
 * ```
 *
 * ```text
 * { data: 'Hello' }
 * ```
 */
export function briefResult<T>(envelope: ResultEnvelope<T>): BriefResult<T> {
  const meta = { ...requestIn(envelope), ...factsIn(envelope.meta) };
  return envelope.ok
    ? withMeta({ data: envelope.data }, meta)
    : withMeta({ error: briefError(envelope.error) }, meta);
}
