import { CallError, errorFromUnknown } from "../../envelope/index.ts";
import type { Outcome } from "../../envelope/index.ts";
import type { OperationHandler, OperationSpec } from "../../operation/index.ts";
import { isNested, toEnvelope } from "../../registry/index.ts";
import type { Call } from "./call.ts";

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/**
 * An error that came out of a nested call speaks of that call. What it says was not applied is the
 * nested write, and what it calls invalid is what the handler sent, not what the caller did.
 */
function ownError(error: CallError, spec: OperationSpec): CallError {
  if (!isNested(error)) return error;
  const isOfTheHandler = error.code === "VALIDATION_ERROR" || error.code === "OPERATION_NOT_FOUND";
  const { outcome: _outcome, ...others } = error.details;
  const details = {
    ...(!isOfTheHandler && others),
    ...(spec.effect !== "read" && ({ outcome: "unknown" } as const)),
  };
  const code = isOfTheHandler ? "EXECUTION_ERROR" : error.code;
  return new CallError(code, error.message, details, { cause: error });
}

/** Adds what is known of a write's effect to the error, unless the error says so itself. */
function withOutcome(error: CallError, spec: OperationSpec, outcome: Outcome): CallError {
  if (spec.effect === "read" || error.details.outcome !== undefined) return error;
  return error.with({ outcome });
}

/** Makes the response of what the handler returned. */
function endWell(call: Call, result: unknown): void {
  const spec = call.spec!;
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

/** Ends with the handler or with the abort, whichever comes first. */
async function runAbortable(call: Call, handler: OperationHandler): Promise<void> {
  call.start();
  if (call.aborted !== undefined) {
    endBadly(call, call.aborted, "not_applied");
    return;
  }
  let result: unknown;
  try {
    const work = handler(call.input, call);
    result = isThenable(work) ? await call.wait(Promise.resolve(work)) : work;
  } catch (thrown) {
    endBadly(call, thrown, "unknown");
    return;
  } finally {
    call.finish();
  }
  endWell(call, result);
}

/** Runs a handler to the call's end, and then what follows it. Rejects only if that throws. */
export function runHandler<T>(
  call: Call,
  handler: OperationHandler,
  follow: () => T | Promise<T>,
): Promise<T> {
  call.dispatch();
  if (call.canAbort) return runAbortable(call, handler).then(follow);
  try {
    // `then` instead of `await`: one promise less on the way of every local call.
    return Promise.resolve(handler(call.input, call)).then(
      (result) => {
        endWell(call, result);
        return follow();
      },
      (thrown: unknown) => {
        endBadly(call, thrown, "unknown");
        return follow();
      },
    );
  } catch (thrown) {
    endBadly(call, thrown, "unknown");
    return new Promise((resolve) => resolve(follow()));
  }
}
