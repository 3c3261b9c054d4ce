import type { CardFunctions } from "@waybill/core/cards";

/** The inputs of a call, validated by the card's schema. */
export type Params = Readonly<Record<string, unknown>>;

/**
 * A typed function for a card. Its parameter is what the card's document requests, or what GitHub's
 * description promises. The compiler cannot check that.
 */
export function over(work: (value: never, params: Params) => unknown): CardFunctions[string] {
  return (value, params) => work(value as never, params);
}

/** A text input, if it was given. */
export function stringParam(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === "string" ? value : undefined;
}

export function getNumber(params: Params, name: string, fallback: number): number {
  const value = params[name];
  return typeof value === "number" ? value : fallback;
}

/** The existing items of a GraphQL list, which may be null and contain nulls. */
export function present<T>(list: readonly (T | null)[] | null | undefined): T[] {
  return (list ?? []).filter((one): one is T => one !== null && one !== undefined);
}
