import { CallError, errorFromUnknown } from "../envelope/index.ts";
import type { Outcome, ResponseEnvelope } from "../envelope/index.ts";
import { accessDenial } from "../operation/index.ts";
import type { OperationHandler, OperationSpec } from "../operation/index.ts";
import { CallContext } from "./call-context.ts";
import type { CallOptions, Dispatcher } from "./call-context.ts";
import type { Entry, Schemas } from "./entry.ts";
import { toEnvelope } from "./result-pipeline.ts";

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/** Adds what is known of a write's effect to the error, unless the error says so itself. */
function withOutcome(error: CallError, spec: OperationSpec, outcome: Outcome): CallError {
  if (spec.effect === "read" || error.details.outcome !== undefined) return error;
  const details = { ...error.details, outcome };
  return new CallError(error.code, error.message, details, { cause: error.cause ?? error });
}

export function assertAccess(spec: OperationSpec, options: CallOptions): void {
  const denial = accessDenial(spec.access, options.identity);
  if (denial === undefined) return;
  const message = `${options.identity?.id || "An anonymous caller"} may not call ${spec.id}: ${denial}`;
  throw new CallError("ACCESS_DENIED", message, { outcome: "not_applied" });
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

/** A checked call on its way to its handler. */
interface Run {
  readonly spec: OperationSpec;
  readonly schemas: Schemas;
  readonly handler: OperationHandler;
  readonly input: unknown;
  readonly context: CallContext;
}

/** Ends with the handler or with the abort, whichever comes first. */
function runAbortable(run: Run): Promise<ResponseEnvelope> {
  const { spec, schemas, handler, input, context } = run;
  return new Promise((resolve, reject) => {
    const failWith = (thrown: unknown, outcome: Outcome = "unknown"): void => {
      context.finish();
      reject(withOutcome(errorFromUnknown(thrown), spec, outcome));
    };
    const succeed = (result: unknown): void => {
      if (context.aborted !== undefined) return;
      try {
        resolve(toEnvelope(spec, schemas, result));
        context.finish();
      } catch (thrown) {
        failWith(thrown, "applied");
      }
    };
    context.start();
    if (context.aborted !== undefined) {
      failWith(context.aborted, "not_applied");
      return;
    }
    context.reject = failWith;
    try {
      const work = handler(input, context);
      if (isThenable(work)) work.then(succeed, (thrown: unknown) => failWith(thrown));
      else succeed(work);
    } catch (thrown) {
      failWith(thrown);
    }
  });
}

/** Ends with the handler, which nothing can cut short. */
function runFreely(run: Run): Promise<ResponseEnvelope> {
  const { spec, schemas, handler, input, context } = run;
  const failWith = (thrown: unknown, outcome: Outcome = "unknown"): never => {
    throw withOutcome(errorFromUnknown(thrown), spec, outcome);
  };
  const succeed = (result: unknown): ResponseEnvelope => {
    try {
      return toEnvelope(spec, schemas, result);
    } catch (thrown) {
      return failWith(thrown, "applied");
    }
  };
  try {
    // `then` instead of `await`: one promise less on the way of every local call.
    return Promise.resolve(handler(input, context)).then(succeed, (thrown) => failWith(thrown));
  } catch (thrown) {
    return Promise.reject(withOutcome(errorFromUnknown(thrown), spec, "unknown"));
  }
}

/** Runs an input that was checked. */
export function runChecked(
  entry: Entry,
  schemas: Schemas,
  input: unknown,
  dispatcher: Dispatcher,
  options: CallOptions,
): Promise<ResponseEnvelope> {
  const handler = assertCallable(entry);
  const context = new CallContext(entry.id, dispatcher, options);
  const run: Run = { spec: entry.spec, schemas, handler, input, context };
  return context.canAbort ? runAbortable(run) : runFreely(run);
}
