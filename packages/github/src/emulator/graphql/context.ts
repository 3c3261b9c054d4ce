import type { Input } from "../input.ts";
import type { User } from "../store/model.ts";
import type { Store } from "../store/store.ts";
import type { Urls } from "../urls.ts";
import type { RateState } from "../server/rate-limits.ts";

/** The request, as resolvers get it. */
export interface Context {
  readonly store: Store;
  readonly viewer: User;
  readonly scopes: readonly string[];
  readonly urls: Urls;
  readonly rate: RateState;
}

/** Resolvers by field. A field without a resolver is refused, never guessed. */
export type Fields<S> = Readonly<
  Record<string, (source: S, args: Input, context: Context) => unknown>
>;

/** The resolvers of each GraphQL type. */
export type TypeFields = Readonly<Record<string, Fields<never>>>;
