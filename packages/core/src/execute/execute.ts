import { compileQuery, keptFor } from "../budget/index.ts";
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
import type { CallOptions, Ending, Entry, Schemas } from "../registry/index.ts";
import { routedOf, steppedOf } from "../router/index.ts";
import type { BatchMember } from "../router/index.ts";
import { ROUTE_OF_SOURCE, failureAnswer, reportedFailure, successAnswer } from "./answer.ts";
import type { CallState } from "./call-state.ts";
import { loadWithin } from "./load-within.ts";
import { notSent } from "./not-sent.ts";
import { assertOptions, isSpecial } from "./options.ts";
import { pagedParams } from "./paging.ts";
import { namedParams } from "./params.ts";
import { report } from "./report.ts";
import { isTold } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { shapeAnswer } from "./shape.ts";
import { withSignature } from "./signature.ts";
import { runSpecial } from "./special-call.ts";

const DECODE = { decode: true } as const;
const NO_CIRCUMSTANCES: Circumstances = Object.freeze({});

/** One call, and what becomes of its end. */
class Call implements Ending<ResultEnvelope> {
  readonly settings: Settings;
  readonly state: CallState;
  readonly circumstances: Circumstances;

  constructor(settings: Settings, state: CallState, circumstances: Circumstances) {
    this.settings = settings;
    this.state = state;
    this.circumstances = circumstances;
  }

  succeed(response: ResponseEnvelope): ResultEnvelope {
    try {
      return answerTo(this.settings, this.state, response);
    } catch (thrown) {
      return this.failWith(thrown);
    }
  }

  fail(error: CallError): ResultEnvelope {
    const { state, settings } = this;
    state.error = error;
    const told = state.isDispatched
      ? error
      : withSignature(settings.registry, notSent(error), state.spec);
    return failureAnswer(state, told, settings.redactor);
  }

  failWith(thrown: unknown): ResultEnvelope {
    return this.fail(errorFromUnknown(thrown));
  }
}

/** How a call is run besides its own words. */
export interface Circumstances {
  /** Makes the operation known, where it may not be yet. */
  readonly load?: () => Promise<void>;
  /** The calls that this one may travel with. */
  readonly batch?: BatchMember;
  /** It is a step of a call that was looked at and approved as a whole. */
  readonly isPart?: boolean;
  /** A dry run of an input that is not known in full, and was checked as far as it is. */
  readonly isPending?: boolean;
}

/** To make an id has its cost, and of a read that nobody watches none is ever seen. */
function isNamed({ spec, watched }: CallState): boolean {
  return spec?.effect !== "read" || watched !== undefined;
}

function callOptions(state: CallState): CallOptions {
  return {
    requestId: isNamed(state) ? state.requestId : undefined,
    identity: state.identity,
    deadline: state.deadline,
    signal: state.options.signal,
    idempotencyKey: state.options.idempotency_key,
    approvedFor: state.spec?.effect,
  };
}

function runPlainly(
  call: Call,
  entry: Entry,
  schemas: Schemas,
  input: unknown,
): Promise<ResultEnvelope> {
  const { settings, state } = call;
  const options = callOptions(state);
  if (state.identity !== undefined) assertAccess(entry.spec, options);
  state.dispatch();
  const context = new CallContext(entry.id, settings.registry, options);
  return runChecked(entry, schemas, input, context, call);
}

async function runThoroughly(call: Call, entry: Entry): Promise<ResultEnvelope> {
  const { settings, state } = call;
  const { batch, isPart = false, isPending = false } = call.circumstances;
  const { options } = state;
  // A query that cannot be read is refused before anything is sent.
  const query = options.query === undefined ? undefined : await compileQuery(options.query);
  const schemas = entry.schemas ?? (await entry.prepare());
  const given = callOptions(state);
  const named = namedParams(entry.spec, state.params, schemas.input, settings.registry);
  const { params, page, route } = pagedParams(entry.spec, named, options.page);
  const parse = entry.spec.parseInput;
  const input = isPending
    ? params
    : parse === undefined
      ? checkInput(entry.id, schemas.input, params, DECODE)
      : await waitWithin(new CallContext(entry.id, settings.registry, given), () =>
          parseInput(entry.id, parse, params, schemas.input, DECODE),
        );
  if (state.identity !== undefined) assertAccess(entry.spec, given);
  const result = await runSpecial({
    settings,
    state,
    entry,
    schemas,
    input,
    callOptions: given,
    ending: call,
    pageRoute: route,
    page,
    batch,
    isPart,
  });
  return shapeAnswer(result, options, query, keptFor(settings.handles, state.identity));
}

/** A local call that asks for nothing special takes the way that has to be short. */
function isPlain({ settings, state }: Call, entry: Entry): boolean {
  // The registry is this Waybill's own, so what holds for its settings can be kept with the entry.
  entry.isPlain ??=
    entry.spec.parseInput === undefined &&
    routedOf(entry.handler) === undefined &&
    steppedOf(entry.handler) === undefined &&
    entry.gate === undefined &&
    !isTold(settings.journal, entry.spec);
  return entry.isPlain && !isSpecial(state.options);
}

/** resolve → name → validate → authorise → run, without waiting where nothing has to be waited for. */
function dispatch(call: Call): Promise<ResultEnvelope> {
  const { settings, state } = call;
  assertOptions(state.options);
  const entry = settings.registry.resolve(state.capability_id);
  state.spec = entry.spec;
  const { schemas } = entry;
  if (schemas === undefined || !isPlain(call, entry)) {
    return runThoroughly(call, entry).catch((thrown: unknown) =>
      shapeAnswer(
        call.failWith(thrown),
        state.options,
        undefined,
        keptFor(settings.handles, state.identity),
      ),
    );
  }
  const named = namedParams(entry.spec, state.params, schemas.input, settings.registry);
  const input = checkInput(entry.id, schemas.input, named, DECODE);
  return runPlainly(call, entry, schemas, input);
}

async function loadAndDispatch(load: () => Promise<void>, call: Call): Promise<ResultEnvelope> {
  const { settings, state } = call;
  assertOptions(state.options);
  const { deadline, options } = state;
  await loadWithin(load, settings.registry, { deadline, signal: options.signal });
  return dispatch(call);
}

function answerTo(
  { redactor }: Settings,
  state: CallState,
  response: ResponseEnvelope,
): ResultEnvelope {
  const spec = state.spec!;
  state.route = ROUTE_OF_SOURCE[response.meta.source];
  if (state.watched !== undefined) state.answered = response;
  const failure = reportedFailure(spec, response);
  if (failure !== undefined) throw failure;
  return successAnswer(state, spec, response, redactor);
}

/** One call from the agent's words to the agent's envelope. Never throws. */
export function executeCall(
  settings: Settings,
  state: CallState,
  circumstances: Circumstances = NO_CIRCUMSTANCES,
): Promise<ResultEnvelope> {
  const call = new Call(settings, state, circumstances);
  const { load } = circumstances;
  try {
    const ended =
      load === undefined
        ? dispatch(call)
        : loadAndDispatch(load, call).catch((thrown: unknown) => call.failWith(thrown));
    // Without an observer there is nothing to wait for, and a promise less to make.
    return state.watched === undefined
      ? ended
      : ended.then((envelope) => report(settings, state, envelope));
  } catch (thrown) {
    return Promise.resolve(report(settings, state, call.failWith(thrown)));
  }
}
