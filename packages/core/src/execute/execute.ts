import { errorFromUnknown } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope, ResultEnvelope } from "../envelope/index.ts";
import {
  CallContext,
  assertAccess,
  checkInput,
  parseInput,
  runChecked,
  waitWithin,
} from "../registry/index.ts";
import type { CallOptions, Ending, Entry, OperationRegistry, Schemas } from "../registry/index.ts";
import { ROUTE_OF_SOURCE, failureAnswer, reportedFailure, successAnswer } from "./answer.ts";
import type { CallState } from "./call-state.ts";
import { notify } from "./observer.ts";
import type { Observer } from "./observer.ts";
import { assertOptions } from "./options.ts";
import { namedParams } from "./params.ts";

const DECODE = { decode: true } as const;

function callOptions(state: CallState): CallOptions {
  return {
    requestId: state.spec?.effect === "read" ? undefined : state.requestId,
    identity: state.identity,
    deadline: state.deadline,
    signal: state.options.signal,
  };
}

/** What every step of one call works on. */
interface Call {
  readonly registry: OperationRegistry;
  readonly state: CallState;
  readonly ending: Ending<ResultEnvelope>;
}

function run(call: Call, entry: Entry, schemas: Schemas, input: unknown): Promise<ResultEnvelope> {
  const { registry, state, ending } = call;
  const options = callOptions(state);
  if (state.identity !== undefined) assertAccess(entry.spec, options);
  state.dispatch();
  const context = new CallContext(entry.id, registry, options);
  return runChecked(entry, schemas, input, context, ending);
}

async function prepareAndRun(call: Call, entry: Entry): Promise<ResultEnvelope> {
  const schemas = entry.schemas ?? (await entry.prepare());
  const { registry, state } = call;
  const named = namedParams(entry.spec, state.params, schemas.input);
  const parse = entry.spec.parseInput;
  const input =
    parse === undefined
      ? checkInput(entry.id, schemas.input, named, DECODE)
      : await waitWithin(new CallContext(entry.id, registry, callOptions(state)), () =>
          parseInput(entry.id, parse, named, schemas.input, DECODE),
        );
  return run(call, entry, schemas, input);
}

/** For what is waited for before the run: only that can still reject, the run itself never does. */
function failed({ ending }: Call): (thrown: unknown) => ResultEnvelope {
  return (thrown) => ending.fail(errorFromUnknown(thrown));
}

/** resolve → name → validate → authorise → run, without waiting where nothing has to be waited for. */
function dispatch(call: Call): Promise<ResultEnvelope> {
  const { registry, state } = call;
  assertOptions(state.options);
  const entry = registry.resolve(state.capability_id);
  state.spec = entry.spec;
  const { schemas } = entry;
  if (schemas === undefined || entry.spec.parseInput !== undefined) {
    return prepareAndRun(call, entry).catch(failed(call));
  }
  const named = namedParams(entry.spec, state.params, schemas.input);
  const input = checkInput(entry.id, schemas.input, named, DECODE);
  return run(call, entry, schemas, input);
}

/** Waits for what has to be loaded first, but no longer than the call may take. */
function loadWithin(
  load: () => Promise<void>,
  registry: OperationRegistry,
  state: CallState,
): Promise<void> {
  const { deadline, options } = state;
  const limits = { deadline, signal: options.signal };
  return waitWithin(new CallContext(state.capability_id, registry, limits), load);
}

async function loadAndDispatch(load: () => Promise<void>, call: Call): Promise<ResultEnvelope> {
  assertOptions(call.state.options);
  await loadWithin(load, call.registry, call.state);
  return dispatch(call);
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

/**
 * One call from the agent's words to the agent's envelope. Never throws. With `load`, the operation
 * may not be known before that is done.
 */
export function executeCall(
  registry: OperationRegistry,
  state: CallState,
  observer: Observer | undefined,
  load?: () => Promise<void>,
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
  const call: Call = { registry, state, ending: { succeed, fail } };
  try {
    return load === undefined ? dispatch(call) : loadAndDispatch(load, call).catch(fail);
  } catch (thrown) {
    return Promise.resolve(fail(thrown));
  }
}

function answerTo(state: CallState, response: ResponseEnvelope): ResultEnvelope {
  const spec = state.spec!;
  state.route = ROUTE_OF_SOURCE[response.meta.source];
  const failure = reportedFailure(spec, response);
  if (failure !== undefined) throw failure;
  return successAnswer(state, spec, response);
}
