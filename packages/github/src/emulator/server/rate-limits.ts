import type { Clock } from "../store/store.ts";

export type Resource = "core" | "graphql" | "search";

const LIMITS: Readonly<Record<Resource, number>> = { core: 5000, graphql: 5000, search: 30 };
const WINDOWS: Readonly<Record<Resource, number>> = { core: 3600, graphql: 3600, search: 60 };

interface Window {
  used: number;
  readonly reset: number;
}

export interface RateState {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly reset: number;
}

/** Counts requests of each user against GitHub's limits for each time window. */
export class RateLimits {
  readonly #windows = new Map<string, Window>();
  readonly #clock: Clock;
  readonly #limits: Readonly<Record<Resource, number>>;

  constructor(clock: Clock, limits: Partial<Record<Resource, number>> = {}) {
    this.#clock = clock;
    this.#limits = { ...LIMITS, ...limits };
  }

  #window(user: string, resource: Resource): Window {
    const key = `${resource}:${user}`;
    const now = Math.floor(this.#clock().getTime() / 1000);
    const old = this.#windows.get(key);
    if (old !== undefined && old.reset > now) return old;
    const fresh = { used: 0, reset: now + WINDOWS[resource] };
    this.#windows.set(key, fresh);
    return fresh;
  }

  state(user: string, resource: Resource): RateState {
    const { used, reset } = this.#window(user, resource);
    const limit = this.#limits[resource];
    return { limit, used, remaining: Math.max(0, limit - used), reset };
  }

  /** Counts one request. Returns false if the limit is used up. */
  use(user: string, resource: Resource): boolean {
    const { remaining } = this.state(user, resource);
    if (remaining > 0) this.#window(user, resource).used += 1;
    return remaining > 0;
  }

  /** Takes back the count of a request that turned out to be free. */
  giveBack(user: string, resource: Resource): void {
    const window = this.#window(user, resource);
    window.used = Math.max(0, window.used - 1);
  }

  headers(user: string, resource: Resource): Record<string, string> {
    const { limit, used, remaining, reset } = this.state(user, resource);
    return {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(reset),
      "x-ratelimit-used": String(used),
      "x-ratelimit-resource": resource,
    };
  }

  overview(user: string): Record<string, unknown> {
    const of = (resource: Resource): RateState => this.state(user, resource);
    const resources = { core: of("core"), search: of("search"), graphql: of("graphql") };
    return { resources, rate: resources.core };
  }
}
