import type { ResponseEnvelope, ResultEnvelope } from "../envelope/index.ts";
import { errorFromUnknown, localEnvelope } from "../envelope/index.ts";
import { answer, failure } from "./answer/answer.ts";
import { report } from "./answer/report.ts";
import { shape } from "./answer/shape.ts";
import { Call, isCut } from "./call/call.ts";
import type { CallRequest } from "./call/call.ts";
import { runCall } from "./call/run-call.ts";
import { readerFor } from "./settings.ts";
import type { Settings } from "./settings.ts";

/** If the answer cannot be brought into the requested form, the call fails. */
async function shaped(
  settings: Settings,
  call: Call,
  answered: Promise<ResultEnvelope>,
): Promise<ResultEnvelope> {
  try {
    return await shape(settings, call, await answered);
  } catch (thrown) {
    call.error = errorFromUnknown(thrown);
    return shape(settings, call, failure(settings, call, call.error));
  }
}

/** Runs a call for an outside caller, and reports it. Never rejects. */
export function executeCall(settings: Settings, call: Call): Promise<ResultEnvelope> {
  const { request } = call;
  const answered = runCall(settings, call, answer);
  const told =
    request.isTraced === true || isCut(request) ? shaped(settings, call, answered) : answered;
  // Without an observer, nothing has to be awaited, which saves a promise.
  return call.timeline !== undefined
    ? told.then((envelope) => report(settings, call, envelope))
    : told;
}

/** Reports a nested call. A failed report does not change the result of the call. */
function reportNested(settings: Settings, call: Call): void {
  try {
    report(settings, call, answer(settings, call));
  } catch {
    // Ignored, because a report must not change the result.
  }
}

/**
 * Adds the cursor, the server's date and the warnings, because a program gets only this envelope.
 */
function withCursor(
  response: ResponseEnvelope,
  { routed, pagination, warnings = [] }: Call,
): ResponseEnvelope {
  if (routed === undefined) return response;
  const { serverDate } = routed;
  const facts = {
    ...(serverDate !== undefined && { serverDate }),
    ...(pagination !== undefined && { nextCursor: pagination.end_cursor }),
    ...(warnings.length > 0 && { warnings: [...warnings, ...(response.meta.warnings ?? [])] }),
  };
  return { data: response.data, meta: { ...response.meta, ...facts } };
}

/** Converts a call to its result for a program: returns the envelope, or throws the error. */
function unwrapped(settings: Settings, call: Call): ResponseEnvelope {
  const { error, response, result } = call;
  if (call.isWatched) reportNested(settings, call);
  if (response !== undefined) return withCursor(response, call);
  if (result?.ok === true) return localEnvelope(result.data, call.operationId);
  // Only a recorded result fails without an error, and the calls of programs are not recorded.
  throw error!;
}

/** Runs a call that code makes: a handler, a probe, or the call protocol. */
export function callOperation(
  settings: Settings,
  id: string,
  params: unknown,
  request: CallRequest,
): Promise<ResponseEnvelope> {
  const call = new Call(id, params, request, settings.calls, readerFor(settings, "none"));
  return runCall(settings, call, unwrapped);
}
