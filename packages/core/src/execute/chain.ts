import { keptFor } from "../budget/index.ts";
import type { NamedStep, PreparedInput } from "../cards/index.ts";
import { fail, isRecord } from "../envelope/index.ts";
import type { JsonSchema, ResultEnvelope, ResultError } from "../envelope/index.ts";
import { checkInput, nextRequestId, parseInput } from "../registry/index.ts";
import type { Entry } from "../registry/index.ts";
import { SendBatch, refusedChain, routedOf, runChain, steppedOf } from "../router/index.ts";
import type { BatchMember, ChainHooks, ChainResult, ReadyStep } from "../router/index.ts";
import { nearestNames, resolveRef } from "../schema/index.ts";
import { redacted } from "./answer.ts";
import { CallState } from "./call-state.ts";
import { fitChain } from "./chain-budget.ts";
import { assertChainOptions } from "./chain-options.ts";
import { checkOutline } from "./check-outline.ts";
import { executeCall } from "./execute.ts";
import { loadWithin } from "./load-within.ts";
import type { ExecuteOptions } from "./options.ts";
import { namedParams } from "./params.ts";
import type { Redactor } from "./redaction/index.ts";
import { reportChain } from "./report-chain.ts";
import { watchedAs } from "./settings.ts";
import type { ChainRequest, Settings } from "./settings.ts";
import { selected } from "./shape.ts";
import { withSignature } from "./signature.ts";

/** So long all steps wait for the sources of all; then only those fail whose source is missing. */
const SOURCES_MS = 5_000;

/** Walks a plain path into an output schema; a step into nothing is a mistake worth telling. */
function assertPath(schema: JsonSchema, keys: readonly string[], shown: string): void {
  let current: JsonSchema | undefined = schema;
  for (const key of keys) {
    const resolved = current === undefined ? undefined : resolveRef(schema, current);
    const properties = isRecord(resolved) ? resolved["properties"] : undefined;
    if (!isRecord(properties)) return;
    if (!Object.hasOwn(properties, key)) throw noSuchField(key, Object.keys(properties), shown);
    current = properties[key] as JsonSchema;
  }
}

function noSuchField(key: string, known: readonly string[], shown: string): Error {
  const near = nearestNames(key, known, 1);
  return fail("VALIDATION", `${shown} leads nowhere: there is no ${key}`, {
    outcome: "not_applied",
    ...(near.length > 0 ? { did_you_mean: near } : { allowed: known.slice(0, 32) }),
  });
}

/** The ids that a chain speaks of; its steps have not been checked yet. */
function tasksIn(steps: unknown): string[] {
  const tasks: unknown[] = Array.isArray(steps)
    ? steps.map((step: unknown) => (isRecord(step) ? step["task"] : undefined))
    : [];
  return tasks.filter((task) => typeof task === "string");
}

/** One chain's calls, each the same as a single call. */
class ChainCalls implements ChainHooks {
  readonly requestId: string = nextRequestId();
  readonly #settings: Settings;
  readonly #request: ChainRequest;
  readonly #batch: SendBatch;
  /** Of the whole chain: what a step takes is gone for the later ones. */
  readonly #deadline: number | undefined;
  upstreamRequests = 0;
  /** Of all steps that said how much came for them. */
  rawBytes: number | undefined;

  constructor(settings: Settings, request: ChainRequest) {
    this.#settings = settings;
    this.#request = request;
    const { deadline_ms } = request.options;
    this.#deadline = typeof deadline_ms === "number" ? Date.now() + deadline_ms : undefined;
    this.#batch = new SendBatch();
  }

  async begin(): Promise<void> {
    const { toLoad, registry } = this.#settings;
    const { options, steps } = this.#request;
    assertChainOptions(options);
    const limits = { deadline: this.#deadline, signal: options.signal };
    const load = toLoad(tasksIn(steps), this.#patience);
    if (load !== undefined) await loadWithin(load, registry, limits);
  }

  /** Half of the time is for the steps whose sources are there. */
  get #patience(): number {
    if (this.#deadline === undefined) return SOURCES_MS;
    return Math.max(1, Math.min(SOURCES_MS, (this.#deadline - Date.now()) / 2));
  }

  facts(step: NamedStep): ReturnType<ChainHooks["facts"]> {
    const { spec, handler } = this.#resolve(step.task);
    const routed = routedOf(handler);
    const isWrite = spec.effect !== "read";
    return {
      isWrite,
      source: routed?.host ?? steppedOf(handler)?.host ?? "local",
      isMergeable: isWrite && routed?.sendsTogether === true && areWritesMerged(this.#request),
      key: this.#keyOf(step),
    };
  }

  #resolve(task: string): Entry {
    const { registry } = this.#settings;
    try {
      return registry.resolve(task);
    } catch (thrown) {
      throw withSignature(registry, thrown, undefined);
    }
  }

  async check(step: NamedStep, input: PreparedInput): Promise<void> {
    const entry = this.#resolve(step.task);
    try {
      await this.#checkInput(entry, step, input);
    } catch (thrown) {
      throw withSignature(this.#settings.registry, thrown, entry.spec);
    }
  }

  async #checkInput(entry: Entry, step: NamedStep, input: PreparedInput): Promise<void> {
    const schemas = entry.schemas ?? (await entry.prepare());
    const { parseInput: parse } = entry.spec;
    if (input.references.length > 0) {
      // What a library reads it reads as a whole, so of such an input only the names are checked.
      checkOutline(entry.spec, parse === undefined ? schemas.input : undefined, input);
      return;
    }
    const named = namedParams(entry.spec, input.outline);
    if (parse === undefined) checkInput(step.task, schemas.input, named, { decode: true });
    else await parseInput(step.task, parse, named);
  }

  checkReference(path: readonly string[] | undefined, tasks: ReadonlyMap<string, string>): void {
    const [id, member, ...keys] = path ?? [];
    const task = id === undefined ? undefined : tasks.get(id);
    if (task === undefined || member !== "data") return;
    const spec = this.#settings.registry.getSpec(task);
    if (spec !== undefined) assertPath(spec.outputSchema, keys, path!.join("."));
  }

  run(steps: readonly ReadyStep[]): Promise<readonly ResultEnvelope[]> {
    return Promise.all(
      steps.map((ready) => {
        const { isMergeable, source } = ready.facts;
        const place = { index: ready.step.index, writesTo: isMergeable ? source : undefined };
        return this.#batch.join(place, (member) => this.#runOne(ready, member));
      }),
    );
  }

  async #runOne(ready: ReadyStep, batch: BatchMember): Promise<ResultEnvelope> {
    const { step, input, isPending } = ready;
    const { identity, params, parentId } = this.#request;
    const isPart = params !== undefined;
    // The steps of a card are calls that it makes; nobody asked for them one by one.
    const watched = isPart
      ? watchedAs(this.#settings, "call", parentId)
      : watchedAs(this.#settings, "step", this.requestId);
    const state = new CallState(step.task, input, this.#stepOptions(step), identity, watched);
    const result = await executeCall(this.#settings, state, { batch, isPart, isPending });
    this.upstreamRequests += state.routed?.upstreamRequests ?? 0;
    const rawBytes = state.routed?.rawBytes;
    if (rawBytes !== undefined) this.rawBytes = (this.rawBytes ?? 0) + rawBytes;
    return result;
  }

  #keyOf({ id, idempotency_key }: NamedStep): string | undefined {
    const { idempotency_key: chainKey } = this.#request.options;
    return idempotency_key ?? (chainKey === undefined ? undefined : `${chainKey}/${id}`);
  }

  #stepOptions(step: NamedStep): ExecuteOptions {
    const { dry_run, signal, trace } = this.#request.options;
    const { approve } = step;
    const key = this.#keyOf(step);
    return {
      ...(dry_run !== undefined && { dry_run }),
      ...(this.#deadline !== undefined && {
        deadline_ms: Math.max(1, this.#deadline - Date.now()),
      }),
      ...(signal !== undefined && { signal }),
      ...(trace !== undefined && { trace }),
      ...(key !== undefined && { idempotency_key: key }),
      ...(approve !== undefined && { approve }),
    };
  }
}

function areWritesMerged({ options }: ChainRequest): boolean {
  return options.merge_writes === true && options.on_error !== "stop";
}

/** What the chain itself says of its steps quotes them, so it is cleared of secrets like any answer. */
function cleanResult(result: ResultEnvelope, redactor: Redactor): ResultEnvelope {
  const { capability_id, warnings } = result.meta;
  const meta = {
    ...result.meta,
    capability_id: result.ok ? capability_id : redactor.text(capability_id),
    ...(warnings !== undefined && { warnings: warnings.map((text) => redactor.text(text)) }),
  };
  return result.ok
    ? { ...result, meta }
    : { ...result, error: redacted(result.error, redactor), meta };
}

/** A chain that is refused as a whole has sent nothing. */
function nothingSent(error: ResultError): ResultError {
  return { ...error, details: { ...error.details, outcome: "not_applied" } };
}

/** What each step was asked for; the steps have seen each other's full data by now. */
function selectedResults(
  results: readonly ResultEnvelope[],
  { steps, options }: ChainRequest,
): readonly ResultEnvelope[] {
  if (options.dry_run === true) return results;
  // A step that was left out has nothing to select from.
  return results.map((result, index) =>
    result.data === null ? result : selected(result, steps[index]?.select),
  );
}

/** Many calls in one go. Never throws; the result says how each step ended. */
export async function chainCalls(settings: Settings, request: ChainRequest): Promise<ChainResult> {
  const began = performance.now();
  const calls = new ChainCalls(settings, request);
  const { chain, rawBytes } = await runCalls(settings, request, calls).catch((thrown: unknown) => ({
    chain: brokenChain(thrown, request, calls.requestId),
    rawBytes: undefined,
  }));
  // A card's own steps are part of its call, which is reported by itself.
  if (request.params === undefined) reportChain(settings, request, { chain, began, rawBytes });
  return chain;
}

async function runCalls(
  settings: Settings,
  request: ChainRequest,
  calls: ChainCalls,
): Promise<{ chain: ChainResult; rawBytes: number | undefined }> {
  const { redactor } = settings;
  const { steps, options, params } = request;
  const { status, results, error, meta } = await runChain(steps, calls, {
    ...(options.on_error !== undefined && { on_error: options.on_error }),
    ...(params !== undefined && { given: { params } }),
    isDry: options.dry_run === true,
    upstreamRequests: () => calls.upstreamRequests,
  });
  const chain = {
    status,
    results: selectedResults(results, request).map((result) => cleanResult(result, redactor)),
    error: error && redacted(nothingSent(error), redactor),
    meta,
  };
  const { rawBytes } = calls;
  // Options that were refused are not to be followed either.
  if (error !== null) return { chain, rawBytes };
  const store = keptFor(settings.handles, request.identity);
  return { chain: await fitChain(chain, options.max_tokens, store), rawBytes };
}

/** The steps have run, and nobody can be told how they ended. */
function brokenChain(thrown: unknown, { steps }: ChainRequest, requestId: string): ChainResult {
  const refused = refusedChain(thrown, Array.isArray(steps) ? steps.length : 0, requestId);
  const { error } = refused;
  return {
    ...refused,
    error: error && { ...error, details: { ...error.details, outcome: "unknown" } },
  };
}
