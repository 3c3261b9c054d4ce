import { errorFromUnknown, fail, localEnvelope } from "../envelope/index.ts";
import type {
  AttemptMeta,
  CallError,
  Outcome,
  ResponseEnvelope,
  ResultEnvelope,
  ResultError,
} from "../envelope/index.ts";
import type { Identity } from "../operation/index.ts";
import { steppedOf } from "../router/index.ts";
import type { ChainResult, SteppedOperation } from "../router/index.ts";
import { assertSteps } from "./check-steps.ts";
import type { ChainOptions } from "./chain-options.ts";
import type { Settings } from "./settings.ts";

/** A call of an operation that is made of steps. */
export interface StepsCall {
  readonly params: object;
  readonly identity: Identity | undefined;
  /** Absolute, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Each step that writes has this key with its id. */
  readonly key: string | undefined;
  readonly isTraced: boolean;
  /** The call itself, where somebody watches. */
  readonly parentId?: string | undefined;
  /** It is itself a step of such a call, which looked at all of it. */
  readonly isPart: boolean;
}

/** How it ended: with a response or an error. */
export interface StepsEnd {
  readonly response: ResponseEnvelope | undefined;
  readonly error: CallError | undefined;
  readonly attempts: readonly AttemptMeta[];
  readonly upstreamRequests: number;
}

/** A step with how it ended. */
interface Ended {
  readonly id: string;
  readonly isWrite: boolean;
  readonly result: ResultEnvelope;
}

async function runAsChain(
  settings: Settings,
  { spec, steps }: SteppedOperation,
  call: StepsCall,
  more: ChainOptions = {},
): Promise<ChainResult> {
  const { identity, params, deadline, signal, key, parentId } = call;
  const options: ChainOptions = {
    on_error: "stop",
    trace: call.isTraced,
    ...(deadline !== undefined && { deadline_ms: Math.max(1, deadline - Date.now()) }),
    ...(signal !== undefined && { signal }),
    ...(key !== undefined && { idempotency_key: key }),
    ...more,
  };
  const calls = steps.map(({ index: _index, ...step }) => step);
  const chain = await settings.chain({ steps: calls, identity, params, options, parentId });
  if (chain.error === null) return chain;
  const { code, message, details } = chain.error;
  throw fail(code, `${spec.id}: ${message}`, { ...details, outcome: "not_applied" });
}

/** Makes the tasks of the steps known, and those of the steps of which they are made in turn. */
async function loadSteps({ registry, toLoad }: Settings, stepped: SteppedOperation): Promise<void> {
  const seen = new Set<string>();
  for (let open = [stepped]; open.length > 0;) {
    const tasks = open.flatMap(({ steps }) => steps.map(({ task }) => task));
    const others = [...new Set(tasks)].filter((task) => !seen.has(task));
    others.forEach((task) => seen.add(task));
    await toLoad(others)?.();
    open = others.flatMap((task) => steppedOf(registry.getHandler(task)) ?? []);
  }
}

async function prepare(
  settings: Settings,
  stepped: SteppedOperation,
  { isPart, identity }: StepsCall,
): Promise<void> {
  if (isPart) return;
  await loadSteps(settings, stepped);
  assertSteps(settings, stepped, identity);
}

/** A step that was left out has no route. */
function wasRun({ meta }: ResultEnvelope): boolean {
  return meta.route_used !== undefined;
}

/** What a step did to the world. */
function outcomeOf({ isWrite, result }: Ended, isKeyed: boolean): Outcome {
  if (!isWrite) return "not_applied";
  if (result.ok) return wasRun(result) ? "applied" : "not_applied";
  // The key of the step was used with another input: by this call, before it died on its way.
  if (isKeyed && result.error.code === "CONFLICT" && !wasRun(result)) return "unknown";
  const outcome = result.error.details?.["outcome"];
  return outcome === "applied" || outcome === "not_applied" ? outcome : "unknown";
}

/** The whole is as unknown as any part of it, and applied as soon as one part is. */
function outcomeOfAll(ended: readonly Ended[], isKeyed: boolean): Outcome {
  const outcomes = ended.map((one) => outcomeOf(one, isKeyed));
  if (outcomes.includes("unknown")) return "unknown";
  return outcomes.includes("applied") ? "applied" : "not_applied";
}

/** What was written before something failed. */
function written(ended: readonly Ended[]): { partial?: Record<string, unknown> } {
  const applied = ended.filter(({ isWrite, result }) => isWrite && result.ok && wasRun(result));
  if (applied.length === 0) return {};
  return { partial: Object.fromEntries(applied.map(({ id, result }) => [id, result.data])) };
}

/** The first step that failed by itself; the others were cancelled because of it. */
function failureIn(ended: readonly Ended[]): { id: string; error: ResultError } | undefined {
  const failed = ended.flatMap(({ id, result }) =>
    result.ok ? [] : [{ id, error: result.error }],
  );
  return failed.find(({ error }) => error.code !== "CANCELLED") ?? failed[0];
}

/** Of a step's failure, what its caller's caller can use: its issues are about another input. */
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

function warningsOf(ended: readonly Ended[], missing: readonly string[]): string[] {
  const said = ended
    .filter(({ result }) => wasRun(result))
    .flatMap(({ id, result }) => (result.meta.warnings ?? []).map((text) => `${id}: ${text}`));
  return [...said, ...missing.map((path) => `the steps have no ${path}`)];
}

async function responseOf(
  stepped: SteppedOperation,
  params: object,
  ended: readonly Ended[],
): Promise<ResponseEnvelope> {
  const envelopes = Object.fromEntries(ended.map(({ id, result }) => [id, result]));
  const { data, missing } = await stepped.output(params, envelopes);
  const warnings = warningsOf(ended, missing);
  const { meta } = localEnvelope(null, stepped.spec.id);
  return { data, meta: warnings.length === 0 ? meta : { ...meta, warnings } };
}

async function endOf(
  stepped: SteppedOperation,
  call: StepsCall,
  ended: readonly Ended[],
): Promise<Pick<StepsEnd, "response" | "error">> {
  const outcome = outcomeOfAll(ended, call.key !== undefined);
  const failure = failureIn(ended);
  if (failure !== undefined) {
    const details = { outcome, ...written(ended) };
    return { response: undefined, error: stepError(stepped, failure, details) };
  }
  try {
    return { response: await responseOf(stepped, call.params, ended), error: undefined };
  } catch (thrown) {
    const { message, details } = errorFromUnknown(thrown);
    const error = fail("SERVER", message, { ...details, outcome, ...written(ended) });
    return { response: undefined, error };
  }
}

/** Runs the steps as a chain that stops at the first failure, and makes one answer of theirs. */
export async function runSteps(
  settings: Settings,
  stepped: SteppedOperation,
  call: StepsCall,
): Promise<StepsEnd> {
  await prepare(settings, stepped, call);
  const { results, meta } = await runAsChain(settings, stepped, call);
  const ended = stepped.steps.map(({ id, task }, index): Ended => {
    const isWrite = settings.registry.getSpec(task)?.effect !== "read";
    return { id, isWrite, result: results[index]! };
  });
  return {
    ...(await endOf(stepped, call, ended)),
    attempts: results.flatMap((result) => result.meta.attempts ?? []),
    upstreamRequests: meta.upstream_requests,
  };
}

interface ShownRequest {
  readonly step?: string;
}

function requestsOf(id: string, result: ResultEnvelope): object[] {
  const { requests = [] } = (result.data ?? {}) as { requests?: readonly ShownRequest[] };
  const warnings = result.meta.warnings?.slice(-1) ?? [];
  return requests.map((request) => ({
    ...request,
    step: request.step === undefined ? id : `${id}.${request.step}`,
    ...(warnings.length > 0 && { note: warnings[0] }),
  }));
}

/** What the steps would send, each with its step. */
export async function dryRunSteps(
  settings: Settings,
  stepped: SteppedOperation,
  call: StepsCall,
): Promise<readonly object[]> {
  await prepare(settings, stepped, call);
  const { results } = await runAsChain(settings, stepped, call, { dry_run: true });
  const ended = stepped.steps.map(({ id }, index) => ({
    id,
    isWrite: false,
    result: results[index]!,
  }));
  const failure = failureIn(ended);
  if (failure !== undefined) throw stepError(stepped, failure, { outcome: "not_applied" });
  return ended.flatMap(({ id, result }) => requestsOf(id, result));
}
