import type { NamedStep, PreparedInput } from "../../cards/index.ts";
import { fail, isRecord } from "../../envelope/index.ts";
import type { CallError, JsonSchema, ResultEnvelope } from "../../envelope/index.ts";
import { CallContext, nextRequestId, waitWithin, checkParams } from "../../registry/index.ts";
import type { Entry } from "../../registry/index.ts";
import { SendBatch, knownRun } from "../../router/index.ts";
import type { BatchMember } from "../../router/index.ts";
import { nearestNames, resolveRef } from "../../schema/index.ts";
import { Call } from "../call/call.ts";
import type { CallRequest } from "../call/call.ts";
import { assertAccount } from "../call/assert-account.ts";
import { earlierOutcome, withEarlier } from "../call/earlier-call.ts";
import { namedParams } from "../call/named-params.ts";
import { executeCall } from "../execute-call.ts";
import { optionsRefusal } from "../options/call-request.ts";
import { readerFor } from "../settings.ts";
import type { Settings } from "../settings.ts";
import { withSignature } from "../call/signature.ts";
import type { ChainRequest } from "./chain-request.ts";
import { checkOutline } from "./check-outline.ts";

/**
 * The chain waits at most this long for its sources. Then only the steps whose source is missing
 * fail.
 */
const SOURCES_MS = 5_000;

/** Follows a path into an output schema. Throws if the schema has no such field. */
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
  return fail("VALIDATION", `${shown} does not exist: there is no ${key}`, {
    outcome: "not_applied",
    ...(near.length > 0 ? { did_you_mean: near } : { allowed: known.slice(0, 32) }),
  });
}

/** The operation ids in a chain. The steps have not been validated yet. */
function tasksIn(steps: unknown): string[] {
  const tasks: unknown[] = Array.isArray(steps)
    ? steps.map((step: unknown) => (isRecord(step) ? step["task"] : undefined))
    : [];
  return tasks.filter((task) => typeof task === "string");
}

/** The properties of a task that decide the order of a chain. */
export interface TaskInfo {
  readonly isWrite: boolean;
  readonly source: string;
  /** Whether the task is a write that can be sent in one request with others of its source. */
  readonly isMergeable?: boolean;
  /** The idempotency key of a write. */
  readonly key?: string | undefined;
}

/** A step whose input is complete and that can be called. */
export interface ReadyStep {
  readonly step: NamedStep;
  readonly facts: TaskInfo;
  readonly input: unknown;
  /** Whether parts of the input come from an earlier step, which a dry run does not run. */
  readonly isPending: boolean;
}

/** The methods of `ChainCalls` that run a chain. */
export type ChainTasks = Pick<
  ChainCalls,
  "requestId" | "begin" | "facts" | "check" | "checkReference" | "run" | "withEarlier"
>;

function areWritesMerged({ mergeWrites, onError }: ChainRequest): boolean {
  return mergeWrites === true && onError !== "stop";
}

async function checkStepInput(
  entry: Entry,
  input: PreparedInput,
  read: (params: unknown) => unknown,
): Promise<void> {
  const schemas = entry.schemas ?? (await entry.prepare());
  if (input.references.length === 0) {
    await checkParams(entry, schemas, namedParams(entry, read(input.outline), schemas.input));
    return;
  }
  // A schema library can only validate a complete input, so only the names are checked here.
  const isRead = entry.spec.parseInput === undefined;
  checkOutline(entry, isRead ? schemas.input : undefined, input, read);
}

/** The calls of one chain. Each runs like a single call. */
export class ChainCalls {
  readonly requestId: string = nextRequestId();
  readonly #settings: Settings;
  readonly #request: ChainRequest;
  readonly #batch: SendBatch;
  upstreamRequests = 0;
  /** Bytes of all steps that report them. */
  rawBytes: number | undefined;

  constructor(settings: Settings, request: ChainRequest) {
    this.#settings = settings;
    this.#request = request;
    this.#batch = new SendBatch();
  }

  /** Loads the operations of the chain. Throws if the chain as a whole must not run. */
  async begin(): Promise<void> {
    const { toLoad, calls } = this.#settings;
    const { refusal, steps, deadline, signal } = this.#request;
    if (refusal !== undefined) throw refusal;
    const load = toLoad(tasksIn(steps), this.#patience);
    if (load === undefined) return;
    await waitWithin(new CallContext("waybill.load", calls, { deadline, signal }), load);
  }

  /** Half of the remaining time is reserved for the steps whose sources have answered. */
  get #patience(): number {
    const { deadline } = this.#request;
    if (deadline === undefined) return SOURCES_MS;
    return Math.max(1, Math.min(SOURCES_MS, (deadline - Date.now()) / 2));
  }

  /** Throws if the task does not exist. */
  facts(step: NamedStep): TaskInfo {
    const { entry } = this.#read(step.task, step.input);
    const run = entry.run && knownRun(entry.run);
    const isWrite = entry.spec.effect !== "read";
    const sendsTogether = run?.kind === "routed" && run.sendsTogether === true;
    return {
      isWrite,
      source: run?.kind === "routed" || run?.kind === "steps" ? run.host : "local",
      isMergeable: isWrite && sendsTogether && areWritesMerged(this.#request),
      key: this.#keyOf(step),
    };
  }

  #read(task: string, input: unknown): ReturnType<Settings["registry"]["readCall"]> {
    const { registry } = this.#settings;
    try {
      return registry.readCall(task, input);
    } catch (thrown) {
      throw withSignature(registry, thrown, undefined);
    }
  }

  /** Throws if a step's input is wrong. Values that are not known yet are skipped. */
  async check(step: NamedStep, input: PreparedInput): Promise<void> {
    const { entry } = this.#read(step.task, input.outline);
    try {
      await assertAccount(entry, {
        identity: this.#request.identity,
        account: this.#account(step),
      });
      await checkStepInput(entry, input, (params) => this.#read(step.task, params).params);
    } catch (thrown) {
      throw withSignature(this.#settings.registry, thrown, entry.spec);
    }
  }

  /** Throws if a reference names a field that the step's output does not have. */
  checkReference(path: readonly string[] | undefined, tasks: ReadonlyMap<string, string>): void {
    const [id, member, ...keys] = path ?? [];
    const task = id === undefined ? undefined : tasks.get(id);
    if (task === undefined || member !== "data") return;
    const spec = this.#settings.registry.getSpec(task);
    if (spec !== undefined) assertPath(spec.outputSchema, keys, path!.join("."));
  }

  /**
   * Runs steps that may run concurrently. The answers have the order of the steps. Never throws.
   */
  run(steps: readonly ReadyStep[]): Promise<readonly ResultEnvelope[]> {
    return Promise.all(
      steps.map((ready) => {
        const { isMergeable, source } = ready.facts;
        const place = { index: ready.step.index, writesTo: isMergeable ? source : undefined };
        return this.#batch.join(place, (member) => this.#runOne(ready, member));
      }),
    );
  }

  /**
   * Adds the outcome of an earlier call with the same key to the error of a step that is not
   * called.
   */
  async withEarlier(step: NamedStep, error: CallError): Promise<CallError> {
    if (this.#keyOf(step) === undefined) return error;
    const { calls, registry } = this.#settings;
    const request = this.#requestFor({ step, isPending: false });
    const call = new Call(step.task, undefined, request, calls, "none");
    call.entry = registry.find(call.operationId);
    return withEarlier(error, await earlierOutcome(this.#settings, call));
  }

  async #runOne(ready: ReadyStep, batch: BatchMember): Promise<ResultEnvelope> {
    const request = { ...this.#requestFor(ready), batch };
    const reader = readerFor(this.#settings, "answer");
    const { calls } = this.#settings;
    const call = new Call(ready.step.task, ready.input, request, calls, reader);
    const result = await executeCall(this.#settings, call);
    this.upstreamRequests += call.routed?.upstreamRequests ?? 0;
    const rawBytes = call.routed?.rawBytes;
    if (rawBytes !== undefined) this.rawBytes = (this.rawBytes ?? 0) + rawBytes;
    return result;
  }

  #keyOf({ id, idempotency_key }: NamedStep): string | undefined {
    const { key } = this.#request;
    return idempotency_key ?? (key === undefined ? undefined : `${key}/${id}`);
  }

  #account({ account }: NamedStep): string | undefined {
    return account ?? this.#request.account;
  }

  /**
   * The steps of a card are nested calls. The steps of a chain are calls that the caller
   * requested.
   */
  #requestFor({ step, isPending }: Pick<ReadyStep, "step" | "isPending">): CallRequest {
    const { identity, deadline, signal, isDry, isTraced, whole, asked: program } = this.#request;
    const { approve } = step;
    const key = this.#keyOf(step);
    const account = this.#account(step);
    const refusal = optionsRefusal({ approve, idempotency_key: key, account });
    const asked = { refusal, identity, account, deadline, signal, isDry, isTraced, isPending };
    const own = { ...asked, approve, idempotencyKey: key };
    if (program !== undefined) return { ...own, ...program(step.index) };
    if (whole === undefined) return { ...own, isStep: true, parentRequestId: this.requestId };
    const { approvedFor, requestId: parentRequestId, readsOnly, trace } = whole;
    const parent = whole.canAbort ? whole : undefined;
    const isOwnStep = step.task === whole.operationId;
    return { ...own, isOwnStep, approvedFor, parentRequestId, readsOnly, trace, parent };
  }
}
