import type { Effect, OperationExample } from "../operation/index.ts";
import type { Card, CardGraphql, CardLimits, CardRest, Mapping } from "./card.ts";

type OneOrMore<Part> = Part | readonly Part[];

type WithOutput<Part extends { readonly output: Mapping }> = Omit<Part, "output"> & {
  /**
   * Maps the answer to the output (default: each declared field, from the field with the same
   * name).
   */
  readonly output?: Mapping;
};

/** A REST route that has one request instead of a list. */
interface CardEndpoints {
  readonly endpoints: readonly { readonly method: string; readonly path: string }[];
  readonly limits?: CardLimits;
  /**
   * Maps the answer to the output (default: each declared field, from the field with the same
   * name).
   */
  readonly output?: Mapping;
}

/* oxlint-disable no-unused-vars -- Output only tells readers what the card returns. */
/**
 * A card as people write it. `checkCard` fills in the omitted parts: the effect, and mappings
 * between equal names.
 */
export interface OperationCard<Input = unknown, Output = unknown> extends Omit<
  Card,
  "effect" | "examples" | "graphql" | "rest"
> {
  /**
   * The effect of the capability (default: `read` if all requests only read, otherwise `write`).
   */
  readonly effect?: Effect;
  /** Example inputs (default: none). */
  readonly examples?: readonly (OperationExample & { readonly input: Input })[];
  /** The GraphQL route. From a list, the first whose `when` is true is used (default: none). */
  readonly graphql?: OneOrMore<WithOutput<CardGraphql>>;
  /** The REST route. From a list, the first whose `when` is true is used (default: none). */
  readonly rest?: OneOrMore<WithOutput<CardRest> | CardEndpoints>;
}
