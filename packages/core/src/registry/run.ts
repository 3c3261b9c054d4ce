import { CallError, errorFromUnknown, fail } from "../envelope/index.ts";
import type { Outcome, ResponseEnvelope } from "../envelope/index.ts";
import { accessDenial } from "../operation/index.ts";
import type { OperationHandler, OperationSpec } from "../operation/index.ts";
import { isNested } from "./call-context.ts";
import type { CallContext, CallOptions } from "./call-context.ts";
import type { Entry, Schemas } from "./entry.ts";
import { toEnvelope } from "./result-pipeline.ts";

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

export function assertAccess(spec: OperationSpec, options: CallOptions): void {
  const denial = accessDenial(spec.access, options.identity);
  if (denial === undefined) return;
  const message = `${options.identity?.id || "An anonymous caller"} may not call ${spec.id}: ${denial}`;
  throw new CallError("ACCESS_DENIED", message, { outcome: "not_applied" });
}

/** Who calls only to look must not change anything, whatever it was told to call. */
export function assertReads({ id, effect }: OperationSpec): void {
  if (effect === "read") return;
  const message = `${id} is a ${effect}, and this call may only read`;
  throw fail("POLICY", message, { outcome: "not_applied" });
}

function assertCallable(entry: Entry): OperationHandler {
  if (entry.spec.kind === "subscription") {
    const message = `${entry.id} is a subscription; use subscribe("${entry.id}", …)`;
    throw new CallError("EXECUTION_ERROR", message, {
      code: "ADAPTER_UNSUPPORTED",
      outcome: "not_applied",
    });
  }
  if (entry.handler === undefined) {
    throw new CallError("OPERATION_NOT_FOUND", `No handler registered for operation: ${entry.id}`);
  }
  return entry.handler;
}

/** What becomes of a call's end. Given to the run itself: another promise for it would show. */
export interface Ending<T> {
  succeed(response: ResponseEnvelope): T;
  fail(error: CallError): T;
}

/** The end as it is: the envelope, or the error thrown. */
export const AS_IT_IS: Ending<ResponseEnvelope> = {
  succeed: (response) => response,
  fail: (error) => {
    throw error;
  },
};

/** A checked call on its way to its handler. */
interface Run<T> {
  readonly spec: OperationSpec;
  readonly schemas: Schemas;
  readonly handler: OperationHandler;
  readonly input: unknown;
  readonly context: CallContext;
  readonly ending: Ending<T>;
}

function endWell<T>({ spec, schemas, ending }: Run<T>, result: unknown): T {
  let response: ResponseEnvelope;
  try {
    response = toEnvelope(spec, schemas, result);
  } catch (thrown) {
    return ending.fail(withOutcome(errorFromUnknown(thrown), spec, "applied"));
  }
  return ending.succeed(response);
}

function endBadly<T>({ spec, ending }: Run<T>, thrown: unknown, outcome: Outcome): T {
  const error = ownError(errorFromUnknown(thrown), spec);
  return ending.fail(withOutcome(error, spec, outcome));
}

/** Ends with the handler or with the abort, whichever comes first. */
async function runAbortable<T>(run: Run<T>): Promise<T> {
  const { handler, input, context } = run;
  context.start();
  if (context.aborted !== undefined) return endBadly(run, context.aborted, "not_applied");
  let result: unknown;
  try {
    const work = handler(input, context);
    result = isThenable(work) ? await settled(work, context) : work;
  } catch (thrown) {
    return endBadly(run, thrown, "unknown");
  } finally {
    context.finish();
  }
  return endWell(run, result);
}

function settled(work: PromiseLike<unknown>, context: CallContext): Promise<unknown> {
  return new Promise((resolve, reject) => {
    context.reject = reject;
    // The abort may have come while the handler was being called, when nobody listened yet.
    if (context.aborted !== undefined) reject(context.aborted);
    Promise.resolve(work).then(resolve, reject);
  });
}

/** Ends with the handler, which nothing can cut short. */
function runFreely<T>(run: Run<T>): Promise<T> {
  try {
    // `then` instead of `await`: one promise less on the way of every local call.
    return Promise.resolve(run.handler(run.input, run.context)).then(
      (result) => endWell(run, result),
      (thrown: unknown) => endBadly(run, thrown, "unknown"),
    );
  } catch (thrown) {
    return new Promise((resolve) => resolve(endBadly(run, thrown, "unknown")));
  }
}

/** Runs an input that was checked. */
export function runChecked<T>(
  entry: Entry,
  schemas: Schemas,
  input: unknown,
  context: CallContext,
  ending: Ending<T>,
): Promise<T> {
  const handler = assertCallable(entry);
  const run: Run<T> = { spec: entry.spec, schemas, handler, input, context, ending };
  return context.canAbort ? runAbortable(run) : runFreely(run);
}
