import { errorFromUnknown } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope, ResultEnvelope } from "../envelope/index.ts";
import { assertAccess, checkInput, parseInput, runChecked } from "../registry/index.ts";
import type { CallOptions, Entry, OperationRegistry, Schemas } from "../registry/index.ts";
import { failureAnswer, reportedFailure, successAnswer } from "./answer.ts";
import type { CallState } from "./call-state.ts";
import { notify } from "./observer.ts";
import type { Observer } from "./observer.ts";
import { assertOptions } from "./options.ts";
import { namedParams } from "./params.ts";

const DECODE = { decode: true } as const;

function callOptions(state: CallState): CallOptions {
  const { deadline_ms, signal } = state.options;
  return {
    requestId: state.spec?.effect === "read" ? undefined : state.requestId,
    identity: state.identity,
    deadline: deadline_ms === undefined ? undefined : Date.now() + deadline_ms,
    signal,
  };
}

function run(
  registry: OperationRegistry,
  state: CallState,
  entry: Entry,
  schemas: Schemas,
  input: unknown,
): Promise<ResponseEnvelope> {
  const options = callOptions(state);
  if (state.identity !== undefined) assertAccess(entry.spec, options);
  state.dispatch();
  return runChecked(entry, schemas, input, registry, options);
}

async function prepareAndRun(
  registry: OperationRegistry,
  state: CallState,
  entry: Entry,
): Promise<ResponseEnvelope> {
  const schemas = entry.schemas ?? (await entry.prepare());
  const named = namedParams(entry.spec, state.params);
  const parse = entry.spec.parseInput;
  const input =
    parse === undefined
      ? checkInput(entry.id, schemas.input, named, DECODE)
      : await parseInput(entry.id, parse, named);
  return run(registry, state, entry, schemas, input);
}

/** resolve → name → validate → authorise → run, without waiting where nothing has to be waited for. */
function dispatch(registry: OperationRegistry, state: CallState): Promise<ResponseEnvelope> {
  assertOptions(state.options);
  const entry = registry.resolve(state.capability_id);
  state.spec = entry.spec;
  const { schemas } = entry;
  if (schemas === undefined || entry.spec.parseInput !== undefined) {
    return prepareAndRun(registry, state, entry);
  }
  const named = namedParams(entry.spec, state.params);
  const input = checkInput(entry.id, schemas.input, named, DECODE);
  return run(registry, state, entry, schemas, input);
}

function report(
  observer: Observer | undefined,
  state: CallState,
  envelope: ResultEnvelope,
  error?: CallError,
): ResultEnvelope {
  if (observer?.onCall === undefined) return envelope;
  const duration_ms = state.elapsed;
  notify(() =>
    observer.onCall!({
      request_id: state.requestId,
      capability_id: state.capability_id,
      params: state.params,
      identity: state.identity,
      started_at: Date.now() - duration_ms,
      duration_ms,
      envelope,
      error,
    }),
  );
  return envelope;
}

/** One call from the agent's words to the agent's envelope. Never throws. */
export function executeCall(
  registry: OperationRegistry,
  state: CallState,
  observer: Observer | undefined,
): Promise<ResultEnvelope> {
  const fail = (thrown: unknown): ResultEnvelope => {
    const error = errorFromUnknown(thrown);
    return report(observer, state, failureAnswer(state, error), error);
  };
  const succeed = (response: ResponseEnvelope): ResultEnvelope => {
    try {
      return report(observer, state, answerTo(state, response));
    } catch (thrown) {
      return fail(thrown);
    }
  };
  try {
    return dispatch(registry, state).then(succeed, fail);
  } catch (thrown) {
    return Promise.resolve(fail(thrown));
  }
}

function answerTo(state: CallState, response: ResponseEnvelope): ResultEnvelope {
  const spec = state.spec!;
  const failure = reportedFailure(spec, response);
  if (failure !== undefined) throw failure;
  return successAnswer(state, spec, response);
}
