import type { CardFunctions } from "@waybill/core/cards";

/** The inputs of a call, as the card's schema has checked them. */
export type Params = Readonly<Record<string, unknown>>;

/**
 * A function over what a card hands to it. That is what the document beside the card asks for, or
 * what GitHub's description promises at its path, which no compiler can see.
 */
export function over(work: (value: never, params: Params) => unknown): CardFunctions[string] {
  return (value, params) => work(value as never, params);
}

/** An input that is text, if it was given. */
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
