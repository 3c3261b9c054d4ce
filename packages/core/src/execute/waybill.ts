import { subscribe } from "../calls/index.ts";
import type { SubscribeOptions } from "../calls/index.ts";
import type { ResponseEnvelope, ResultEnvelope } from "../envelope/index.ts";
import { NOBODY } from "../operation/index.ts";
import type { Identity, Operation } from "../operation/index.ts";
import { OperationRegistry, checkInput } from "../registry/index.ts";
import type { RegistryOptions } from "../registry/index.ts";
import type { Source } from "../source/index.ts";
import { CallState } from "./call-state.ts";
import { executeCall } from "./execute.ts";
import { summarise, toListItem } from "./explain.ts";
import type { CapabilityListItem, OperationCardSummary } from "./explain.ts";
import type { Observer } from "./observer.ts";
import { readOptions } from "./options.ts";
import type { ExecuteOptions } from "./options.ts";
import { namedParams } from "./params.ts";
import { Sources } from "./sources.ts";

export interface WaybillOptions extends RegistryOptions {
  /** Local functions. */
  readonly operations?: readonly Operation[];
  /** Everything else; loaded when first needed. */
  readonly sources?: readonly Source[];
  readonly observer?: Observer;
  /** Who calls. Without one the caller is the program itself and is trusted. */
  readonly identity?: Identity;
}

export interface ListCapabilitiesOptions {
  /** Words to search for, over everything that is registered. */
  readonly query?: string;
  /** Only ids below this one, such as `issue`. */
  readonly domain?: string;
  readonly limit?: number;
}

/** What may be asked of a subscription; whose it is follows from the Waybill it is asked of. */
export type WatchOptions = Pick<SubscribeOptions, "deadline" | "idleTimeout" | "signal">;

export interface Waybill {
  /** Calls a capability by id. Never throws; the envelope says what happened. */
  execute(
    capability_id: string,
    params?: unknown,
    options?: ExecuteOptions,
  ): Promise<ResultEnvelope>;
  /** The same as `execute`. */
  executeTask: Waybill["execute"];
  /** How to call a capability, in few words. Throws a CallError for an unknown id. */
  explain(capability_id: string): Promise<OperationCardSummary>;
  list_capabilities(options?: ListCapabilitiesOptions): Promise<CapabilityListItem[]>;
  subscribe(
    capability_id: string,
    params?: unknown,
    options?: WatchOptions,
  ): AsyncGenerator<ResponseEnvelope, void, undefined>;
  /** The same Waybill, called by someone: access rules hold. */
  as(identity: Identity): Waybill;
  close(): Promise<void>;
}

const DEFAULT_LIST_LIMIT = 1_000;
const DEFAULT_SEARCH_LIMIT = 20;

/** What every view of one Waybill shares. */
interface Shared {
  readonly registry: OperationRegistry;
  readonly sources: Sources;
  readonly observer: Observer | undefined;
}

function listCapabilities(
  registry: OperationRegistry,
  { query, domain, limit }: ListCapabilitiesOptions,
): CapabilityListItem[] {
  const within = domain === undefined ? {} : { namespace: domain };
  if (query !== undefined) {
    const hits = registry.search(query, { ...within, limit: limit ?? DEFAULT_SEARCH_LIMIT });
    return hits.map(({ operation }) => toListItem(operation));
  }
  return registry
    .list(within)
    .filter(({ exposed }) => exposed !== false)
    .slice(0, Math.max(0, limit ?? DEFAULT_LIST_LIMIT))
    .map(toListItem);
}

/** The input of a subscription, through the same door as that of a call. */
async function watchInput(
  registry: OperationRegistry,
  capability_id: string,
  params: unknown,
): Promise<unknown> {
  const entry = registry.resolve(capability_id);
  const schemas = entry.schemas ?? (await entry.prepare());
  const named = namedParams(entry.spec, params, schemas.input);
  return entry.spec.parseInput === undefined
    ? checkInput(entry.id, schemas.input, named, { decode: true })
    : named;
}

function viewFor(shared: Shared, identity: Identity | undefined): Waybill {
  const { registry, sources, observer } = shared;
  const isTimed = observer !== undefined;
  const execute: Waybill["execute"] = (capability_id, params, options) => {
    const given = readOptions(options);
    const state = new CallState(capability_id, params, given, identity, isTimed);
    return sources.isLoaded || registry.getSpec(capability_id) !== undefined
      ? executeCall(registry, state, observer)
      : executeCall(registry, state, observer, () => sources.load());
  };
  return {
    execute,
    executeTask: execute,
    async explain(capability_id) {
      if (!sources.isLoaded) await sources.load();
      return summarise(registry.resolve(capability_id).spec);
    },
    async list_capabilities(options = {}) {
      if (!sources.isLoaded) await sources.load();
      return listCapabilities(registry, options);
    },
    async *subscribe(capability_id, params, options = {}) {
      if (!sources.isLoaded) await sources.load();
      const input = await watchInput(registry, capability_id, params);
      yield* subscribe(registry, capability_id, input, { ...options, identity });
    },
    // An identity look-up that found nothing must not make its caller trusted.
    as: (other) => viewFor(shared, other ?? NOBODY),
    close: () => sources.close(),
  };
}

/** The one entry: described once, called one way, always answered in one envelope. */
export function createWaybill(options: WaybillOptions = {}): Waybill {
  const registry = new OperationRegistry(options);
  for (const operation of options.operations ?? []) registry.register(operation);
  const sources = new Sources(registry, options.sources ?? [], options.observer);
  return viewFor({ registry, sources, observer: options.observer }, options.identity);
}
