import { errorFromUnknown, fail, localEnvelope } from "../../envelope/index.ts";
import type {
  CallError,
  Outcome,
  ResponseEnvelope,
  ResultEnvelope,
  ResultError,
} from "../../envelope/index.ts";
import { isStandingWarning } from "../../brief/index.ts";
import { isRepeatable } from "../../operation/index.ts";
import { toEnvelope } from "../../registry/index.ts";
import type { SteppedOperation } from "../../router/index.ts";
import type { Call } from "../call/call.ts";
import { NOTHING_TRIED } from "../call/run-routes.ts";
import type { Settings, StepsRunner } from "../settings.ts";
import { chainCalls } from "./chain.ts";
import type { ChainResult } from "./chain-result.ts";
import { assertParts } from "./check-parts.ts";

/** A step and its result. */
interface Ended {
  readonly id: string;
  readonly isWrite: boolean;
  readonly result: ResultEnvelope;
}

async function runAsChain(
  settings: Settings,
  call: Call,
  { spec, steps }: SteppedOperation,
): Promise<ChainResult> {
  const { identity, account, deadline, request } = call;
  const chain = await chainCalls(settings, {
    steps: steps.map(({ index: _index, ...step }) => step),
    identity,
    account,
    onError: "stop",
    isDry: request.isDry === true,
    isTraced: request.isTraced,
    key: writeKey(call),
    deadline,
    whole: call,
  });
  if (chain.error === null) return chain;
  const { code, message, details } = chain.error;
  throw fail(code, `${spec.id}: ${message}`, { ...details, outcome: "not_applied" });
}

/** The idempotency key of the write. The key of each step is derived from it. */
function writeKey({ spec, idempotencyKey }: Call): string | undefined {
  return spec?.effect === "read" ? undefined : idempotencyKey;
}

/** A skipped step has no route. */
function wasRun({ meta }: ResultEnvelope): boolean {
  return meta.route_used !== undefined;
}

/** The outcome of a step. */
function stepOutcome({ isWrite, result }: Ended, isKeyed: boolean): Outcome {
  if (!isWrite) return "not_applied";
  if (result.ok) return wasRun(result) ? "applied" : "not_applied";
  // An earlier run of this call, which died, used the step's key with another input.
  if (isKeyed && result.error.code === "CONFLICT" && !wasRun(result)) return "unknown";
  const outcome = result.error.details?.["outcome"];
  return outcome === "applied" || outcome === "not_applied" ? outcome : "unknown";
}

/**
 * The outcome of the whole call: unknown if the outcome of any step is unknown, otherwise
 * applied if any step was applied.
 */
function outcomeOfAll(ended: readonly Ended[], isKeyed: boolean): Outcome {
  const outcomes = ended.map((one) => stepOutcome(one, isKeyed));
  if (outcomes.includes("unknown")) return "unknown";
  return outcomes.includes("applied") ? "applied" : "not_applied";
}

/** The writes that were applied before the failure. */
function written(ended: readonly Ended[]): { partial?: Record<string, unknown> } {
  const applied = ended.filter(({ isWrite, result }) => isWrite && result.ok && wasRun(result));
  if (applied.length === 0) return {};
  return { partial: Object.fromEntries(applied.map(({ id, result }) => [id, result.data])) };
}

/** The first step that failed by itself. The other failed steps were cancelled because of it. */
function failureIn(ended: readonly Ended[]): { id: string; error: ResultError } | undefined {
  const failed = ended.flatMap(({ id, result }) =>
    result.ok ? [] : [{ id, error: result.error }],
  );
  return failed.find(({ error }) => error.code !== "CANCELLED") ?? failed[0];
}

/**
 * The part of a step's error that the outer caller can use. The step's issues are about the
 * input of the step, not the caller's.
 */
function stepError(
  { spec }: SteppedOperation,
  { id, error }: { id: string; error: ResultError },
  details: object,
): CallError {
  const { issues: _issues, did_you_mean: _near, ...others } = error.details ?? {};
  return fail(error.code, `${spec.id}, step ${id}: ${error.message}`, {
    ...others,
    step: id,
    ...details,
  });
}

/** Omits warnings that are the same for all answers. They are shown once. */
function getWarnings(ended: readonly Ended[], missing: readonly string[]): string[] {
  const said = ended
    .filter(({ result }) => wasRun(result))
    .flatMap(({ id, result }) =>
      (result.meta.warnings ?? []).map((text) =>
        isStandingWarning(text) ? text : `${id}: ${text}`,
      ),
    );
  return [
    ...new Set(said),
    ...missing.map((path) => `the answers of the steps have no value for ${path}`),
  ];
}

async function readResponse(
  stepped: SteppedOperation,
  params: object,
  ended: readonly Ended[],
): Promise<ResponseEnvelope> {
  const envelopes = Object.fromEntries(ended.map(({ id, result }) => [id, result]));
  const { data, missing } = await stepped.output(params, envelopes);
  const warnings = getWarnings(ended, missing);
  const { meta } = localEnvelope(null, stepped.spec.id);
  return { data, meta: warnings.length === 0 ? meta : { ...meta, warnings } };
}

async function combinedResponse(
  stepped: SteppedOperation,
  call: Call,
  ended: readonly Ended[],
): Promise<ResponseEnvelope> {
  const outcome = outcomeOfAll(ended, writeKey(call) !== undefined);
  const failure = failureIn(ended);
  if (failure !== undefined) {
    // Keeps the warnings of earlier steps, such as that a write may be another caller's.
    call.warnings = [...(call.warnings ?? []), ...getWarnings(ended, [])];
    throw stepError(stepped, failure, { outcome, ...written(ended) });
  }
  try {
    return await readResponse(stepped, call.input as object, ended);
  } catch (thrown) {
    const { message, details } = errorFromUnknown(thrown);
    throw fail("SERVER", message, { ...details, outcome, ...written(ended) });
  }
}

/**
 * Runs the steps as a chain that stops at the first failure, and combines their answers. Only the
 * steps send requests, each with its own key. The journal keeps the key of the whole call in the
 * state `started` until the call has settled, so a repeat after a crash continues where the first
 * run ended.
 */
async function runSteps(settings: Settings, call: Call, stepped: SteppedOperation): Promise<void> {
  await assertParts(settings, stepped, call.identity);
  const { results, meta } = await runAsChain(settings, call, stepped);
  const ended = stepped.steps.map(({ id, task }, index): Ended => {
    const isWrite = settings.registry.getSpec(task)?.effect !== "read";
    return { id, isWrite, result: results[index]! };
  });
  call.isRepeatable = stepped.steps.every(({ task }, index) => {
    const spec = settings.registry.getSpec(task);
    return !wasRun(results[index]!) || spec === undefined || isRepeatable(spec);
  });
  call.routed = {
    ...NOTHING_TRIED,
    attempts: results.flatMap((result) => result.meta.attempts ?? []),
    upstreamRequests: meta.upstream_requests,
    routeUsed: "local",
    reason: "DEFAULT_POLICY",
  };
  const response = await combinedResponse(stepped, call, ended);
  call.response = toEnvelope(call.spec!, call.schemas!, response);
}

interface ShownRequest {
  readonly step?: string;
}

function getRequests(id: string, result: ResultEnvelope): object[] {
  const { requests = [] } = (result.data ?? {}) as { requests?: readonly ShownRequest[] };
  const warnings = result.meta.warnings?.slice(-1) ?? [];
  return requests.map((request) => ({
    ...request,
    step: request.step === undefined ? id : `${id}.${request.step}`,
    ...(warnings.length > 0 && { note: warnings[0] }),
  }));
}

/** The requests that the steps would send, each with the id of its step. */
async function describeSteps(
  settings: Settings,
  call: Call,
  stepped: SteppedOperation,
): Promise<readonly object[]> {
  await assertParts(settings, stepped, call.identity);
  const { results } = await runAsChain(settings, call, stepped);
  const ended = stepped.steps.map(({ id }, index) => ({
    id,
    isWrite: false,
    result: results[index]!,
  }));
  const failure = failureIn(ended);
  if (failure !== undefined) throw stepError(stepped, failure, { outcome: "not_applied" });
  return ended.flatMap(({ id, result }) => getRequests(id, result));
}

/** Runs operations that consist of steps. */
export const stepsRunner: StepsRunner = { run: runSteps, describe: describeSteps };
