import type { CallError, ResponseEnvelope, Route } from "../envelope/index.ts";
import type { Identity, OperationSpec } from "../operation/index.ts";
import { nextRequestId } from "../registry/index.ts";
import { Timeline } from "../router/index.ts";
import type { Routed, WatchedRoutes } from "../router/index.ts";
import type { CallRecord } from "./observer.ts";
import type { ExecuteOptions } from "./options.ts";

/** Longer ids name nothing, and are not to fill an answer. */
const MAX_ID = 257;

/** From a surface anything may come in, and the answer names a string. */
export function idText(id: unknown): string {
  return typeof id === "string" ? id.slice(0, MAX_ID) : "";
}

/** Where a call stands among others, for whoever watches. */
export interface Watched {
  readonly kind: CallRecord["kind"];
  readonly parentId?: string | undefined;
}

/** One call's own facts, from which its answer is written. */
export class CallState implements WatchedRoutes {
  readonly capability_id: string;
  readonly params: unknown;
  readonly options: ExecuteOptions;
  readonly identity: Identity | undefined;
  /** Undefined where nobody watches, and then nothing is written down for a watcher. */
  readonly watched: Watched | undefined;
  readonly timeline: Timeline | undefined;
  spec: OperationSpec | undefined;
  /** Which way the answer came. */
  route: Route = "local";
  /** What happened on the routes, for an operation that has some. */
  routed: Routed | undefined;
  /** What came back, before it got the shape that was asked for; kept for whoever watches. */
  answered: ResponseEnvelope | undefined;
  /** Why it failed, with its cause. */
  error: CallError | undefined;
  /** Set once the operation was started. */
  isDispatched = false;
  readonly #isTimed: boolean;
  readonly #started: number;
  #dispatched = 0;
  #requestId: string | undefined;
  /** When the call must have ended, counted from when it came in. */
  readonly deadline: number | undefined;

  constructor(
    capability_id: string,
    params: unknown,
    options: ExecuteOptions,
    identity: Identity | undefined,
    watched: Watched | undefined,
  ) {
    this.capability_id = idText(capability_id);
    this.params = params;
    this.options = options;
    this.identity = identity;
    const { deadline_ms } = options;
    this.deadline = typeof deadline_ms === "number" ? Date.now() + deadline_ms : undefined;
    this.watched = watched;
    this.timeline = watched && new Timeline();
    this.#isTimed = watched !== undefined || options.trace === true;
    this.#started = this.#isTimed ? performance.now() : 0;
  }

  /** Milliseconds since the call came in; 0 when nobody asked for times. */
  get elapsed(): number {
    return this.#isTimed ? performance.now() - this.#started : 0;
  }

  /** Milliseconds since the operation was started; whole ones when nobody asked for times. */
  get adapterElapsed(): number {
    return this.isDispatched ? this.#now() - this.#dispatched : 0;
  }

  dispatch(): void {
    this.isDispatched = true;
    this.#dispatched = this.#now();
  }

  /** The exact clock costs more than the coarse one, and a failed call needs no more than that. */
  #now(): number {
    return this.#isTimed ? performance.now() : Date.now();
  }

  get requestId(): string {
    return (this.#requestId ??= nextRequestId());
  }
}
