import { CallError, errorFromUnknown } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { checkId } from "../operation/index.ts";
import type {
  Operation,
  OperationCaller,
  OperationHandler,
  OperationSpec,
  SubscriptionHandler,
} from "../operation/index.ts";
import { SchemaCache } from "../schema/index.ts";
import type { SchemaCacheOptions } from "../schema/index.ts";
import { CallContext, waitWithin } from "./call-context.ts";
import type { CallOptions } from "./call-context.ts";
import { Entry } from "./entry.ts";
import type { Gate, Schemas } from "./entry.ts";
import { checkInput, parseInput } from "./input.ts";
import { AS_IT_IS, assertAccess, assertReads, runChecked } from "./run.ts";
import { SearchIndex } from "./search-index.ts";

type Handler = OperationHandler | SubscriptionHandler;

export interface RegistryOptions {
  /** How many compiled schemas are kept, and whether code may be generated for them. */
  readonly schemas?: SchemaCacheOptions;
}

export interface ListOptions {
  /** Only operations of this namespace and those below it. */
  readonly namespace?: string;
  /** Only operations that it accepts. */
  readonly accepts?: (spec: OperationSpec) => boolean;
}

export interface SearchOptions extends ListOptions {
  readonly limit?: number;
}

/** A match and how well it fits; higher is better. */
export interface SearchHit {
  readonly operation: OperationSpec;
  readonly score: number;
}

const NO_OPTIONS: CallOptions = Object.freeze({});
const DEFAULT_LIMIT = 20;
const MAX_NEAREST = 3;

/** A call that another call makes. */
export interface NestedCall {
  readonly operation: string | Operation;
  readonly input: unknown;
  readonly options: CallOptions;
}

type RunNested = (requestId: string) => Promise<ResponseEnvelope>;

/** What only the owner of a registry knows. */
export interface RegistryOwner {
  /** Gives a handler what it is run with. */
  equip?(handler: Handler): Handler;
  /** What stands before an operation, for every call of it. */
  gateOf?(spec: OperationSpec): Gate | undefined;
  /** Sees a call that a handler makes; it is run by calling `run`, once. */
  watch?(call: NestedCall, run: RunNested): Promise<ResponseEnvelope>;
  /** What is to blame for an id that is not known, or may be. */
  whyMissing?(
    id: string,
    near: readonly string[],
  ): { readonly error?: CallError; readonly hint?: string };
}

function isChosen(spec: OperationSpec, { namespace, accepts }: ListOptions): boolean {
  const isWithin = namespace === undefined || spec.id.startsWith(`${namespace}.`);
  return isWithin && (accepts === undefined || accepts(spec));
}

/** Every operation by its id, whatever it comes from, and the one way to run it. */
export class OperationRegistry implements OperationCaller {
  readonly #entries = new Map<string, Entry>();
  readonly #cache: SchemaCache;
  readonly #index = new SearchIndex();
  readonly #owner: RegistryOwner;
  #sorted: OperationSpec[] | undefined;

  constructor(options: RegistryOptions = {}, owner: RegistryOwner = {}) {
    this.#cache = new SchemaCache(options.schemas);
    this.#owner = owner;
  }

  get size(): number {
    return this.#entries.size;
  }

  registerSpec(spec: OperationSpec): void {
    checkId(spec.id);
    if (this.#entries.has(spec.id)) throw new TypeError(`${spec.id} is registered already`);
    this.#entries.set(spec.id, new Entry(spec, this.#cache, this.#owner.gateOf?.(spec)));
    this.#index.add(spec);
    this.#sorted = undefined;
  }

  registerHandler(id: string, handler: Handler): void {
    this.#handleBy(id, () => handler);
  }

  register(operation: Operation): void {
    this.registerSpec(operation.spec);
    this.#handleBy(operation.spec.id, () => operation.handler);
  }

  #handleBy(id: string, handlerOf: () => Handler): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new TypeError(`${id} has no spec; register the spec first`);
    if (entry.hasHandler) throw new TypeError(`${id} has a handler already`);
    entry.handleBy(() => {
      const handler = handlerOf();
      return this.#owner.equip?.(handler) ?? handler;
    });
  }

  unregister(id: string): boolean {
    this.#index.remove(id);
    this.#sorted = undefined;
    return this.#entries.delete(id);
  }

  getSpec(id: string): OperationSpec | undefined {
    return this.#entries.get(id)?.spec;
  }

  getHandler(id: string): Handler | undefined {
    return this.#entries.get(id)?.handler;
  }

  /** All operations, by id. */
  list(options: ListOptions = {}): OperationSpec[] {
    this.#sorted ??= [...this.#entries.values()]
      .map(({ spec }) => spec)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return this.#sorted.filter((spec) => isChosen(spec, options));
  }

  /** The operations that fit the words best, best first. */
  search(words: string, options: SearchOptions = {}): SearchHit[] {
    const { limit = DEFAULT_LIMIT } = options;
    const hits = this.#index.search(words, limit, (id) => {
      const spec = this.getSpec(id);
      return spec !== undefined && isChosen(spec, options);
    });
    return hits.map(({ id, score }) => ({ operation: this.#entries.get(id)!.spec, score }));
  }

  /** Ids that a wrong one may have meant. */
  nearest(id: string): string[] {
    return this.#index.nearest(id, MAX_NEAREST);
  }

  /** The operation with what is known of it, or OPERATION_NOT_FOUND with the nearest ids. */
  resolve(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    const near = this.nearest(id);
    const why = this.#owner.whyMissing?.(clip(id), near) ?? {};
    if (why.error !== undefined) throw why.error;
    const guess = near.length === 0 ? "" : `; did you mean ${near.join(", ")}?`;
    throw new CallError("OPERATION_NOT_FOUND", `No operation is called "${clip(id)}"${guess}`, {
      ...(near.length > 0 && { did_you_mean: near }),
      ...(why.hint !== undefined && { hint: why.hint }),
      outcome: "not_applied",
    });
  }

  /** Calls an operation by id, or by its definition for a typed answer. */
  execute<Input, Output>(
    operation: Operation<Input, Output>,
    input: NoInfer<Input>,
    options?: CallOptions,
  ): Promise<ResponseEnvelope<Output>>;
  execute(id: string, input?: unknown, options?: CallOptions): Promise<ResponseEnvelope>;
  execute(
    operation: string | Operation,
    input?: unknown,
    options: CallOptions = NO_OPTIONS,
  ): Promise<ResponseEnvelope> {
    if (options.parentRequestId === undefined || this.#owner.watch === undefined) {
      return this.#execute(operation, input, options);
    }
    return this.#owner.watch({ operation, input, options }, (requestId) =>
      this.#execute(operation, input, { ...options, requestId }),
    );
  }

  #execute(
    operation: string | Operation,
    input: unknown,
    options: CallOptions,
  ): Promise<ResponseEnvelope> {
    try {
      const entry = this.resolve(typeof operation === "string" ? operation : operation.spec.id);
      if (options.identity !== undefined) assertAccess(entry.spec, options);
      if (options.readsOnly === true) assertReads(entry.spec);
      entry.gate?.(options.approvedFor);
      const { schemas } = entry;
      const isSimple = schemas !== undefined && entry.spec.parseInput === undefined;
      // Each `async` between the caller and the handler costs as much as the checks do.
      return isSimple
        ? this.#run(entry, schemas, checkInput(entry.id, schemas.input, input), options)
        : this.#prepareAndRun(entry, input, options);
    } catch (error) {
      return Promise.reject(errorFromUnknown(error));
    }
  }

  async #prepareAndRun(
    entry: Entry,
    input: unknown,
    options: CallOptions,
  ): Promise<ResponseEnvelope> {
    const schemas = entry.schemas ?? (await entry.prepare());
    const parse = entry.spec.parseInput;
    const checked =
      parse === undefined
        ? checkInput(entry.id, schemas.input, input)
        : await waitWithin(new CallContext(entry.id, this, options), () =>
            parseInput(entry.id, parse, input, schemas.input),
          );
    return this.#run(entry, schemas, checked, options);
  }

  #run(
    entry: Entry,
    schemas: Schemas,
    input: unknown,
    options: CallOptions,
  ): Promise<ResponseEnvelope> {
    const context = new CallContext(entry.id, this, options);
    return runChecked(entry, schemas, input, context, AS_IT_IS);
  }

  call(id: string, input?: unknown, options?: CallOptions): Promise<ResponseEnvelope> {
    return this.execute(id, input, options);
  }
}

function clip(id: unknown): string {
  return String(id).slice(0, 80);
}
