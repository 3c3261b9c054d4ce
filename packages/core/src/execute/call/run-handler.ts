import { CallError, errorFromUnknown } from "../../envelope/index.ts";
import type { Outcome } from "../../envelope/index.ts";
import type { OperationHandler, OperationSpec } from "../../operation/index.ts";
import { nestedOperation, toEnvelope } from "../../registry/index.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";

/**
 * Converts a finished call to the value that its caller gets: an answer, or the response itself.
 */
export type Finish<T> = (settings: Settings, call: Call) => T | Promise<T>;

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/**
 * Rewrites the error of a nested call for the outer caller. The outcome of the nested write does
 * not tell that of the outer write, which is unknown. An invalid input is the handler's mistake,
 * not the caller's, so its issues move to `call`.
 */
function ownError(error: CallError, spec: OperationSpec): CallError {
  const id = nestedOperation(error);
  if (id === undefined) return error;
  const { outcome: _outcome, issues, did_you_mean, ...others } = error.details;
  const hints = { ...(issues && { issues }), ...(did_you_mean && { did_you_mean }) };
  const isMistake = error.code === "VALIDATION_ERROR" || error.code === "OPERATION_NOT_FOUND";
  const details = {
    ...others,
    ...(isMistake ? { call: others["call"] ?? { id, ...hints } } : hints),
    ...(spec.effect !== "read" && ({ outcome: "unknown" } as const)),
  };
  return new CallError(error.code, error.message, details, { cause: error });
}

/** Adds the outcome of a write to the error, unless the error already has one. */
function withOutcome(error: CallError, spec: OperationSpec, outcome: Outcome): CallError {
  if (spec.effect === "read" || error.details.outcome !== undefined) return error;
  return error.with({ outcome });
}

/** Builds the response from the handler's return value. */
function endWell(call: Call, result: unknown): void {
  const { spec } = call.entry!;
  try {
    call.response = toEnvelope(spec, call.schemas!, result);
  } catch (thrown) {
    call.error = withOutcome(errorFromUnknown(thrown), spec, "applied");
  }
}

function endBadly(call: Call, thrown: unknown, outcome: Outcome): void {
  const spec = call.spec!;
  call.error = withOutcome(ownError(errorFromUnknown(thrown), spec), spec, outcome);
}

/** Ends as soon as the handler has ended or the call was aborted. */
async function runAbortable<T>(
  settings: Settings,
  call: Call,
  handler: OperationHandler,
  finish: Finish<T>,
): Promise<T> {
  call.start();
  if (call.aborted === undefined) {
    try {
      const work = handler(call.input, call);
      endWell(call, isThenable(work) ? await call.wait(Promise.resolve(work)) : work);
    } catch (thrown) {
      endBadly(call, thrown, "unknown");
    }
    call.finish();
  } else endBadly(call, call.aborted, "not_applied");
  return finish(settings, call);
}

/** Runs a handler until the call ends, then calls `finish`. Rejects only if `finish` throws. */
export function runHandler<T>(
  settings: Settings,
  call: Call,
  handler: OperationHandler,
  finish: Finish<T>,
): Promise<T> {
  call.dispatch();
  if (call.canAbort) return runAbortable(settings, call, handler, finish);
  try {
    // `then` instead of `await` saves one promise per local call.
    return Promise.resolve(handler(call.input, call)).then(
      (result) => {
        endWell(call, result);
        return finish(settings, call);
      },
      (thrown: unknown) => {
        endBadly(call, thrown, "unknown");
        return finish(settings, call);
      },
    );
  } catch (thrown) {
    endBadly(call, thrown, "unknown");
    return new Promise((resolve) => resolve(finish(settings, call)));
  }
}
