import type { Effect, OperationExample } from "../operation/index.ts";
import type { Card, CardGraphql, CardLimits, CardRest, Mapping } from "./card.ts";

type OneOrMore<Part> = Part | readonly Part[];

type WithOutput<Part extends { readonly output: Mapping }> = Omit<Part, "output"> & {
  /** Maps the answer to the output (default: each declared field, by its name). */
  readonly output?: Mapping;
};

/** The one request of a REST route, in the form of a list. */
interface CardEndpoints {
  readonly endpoints: readonly { readonly method: string; readonly path: string }[];
  readonly limits?: CardLimits;
  /** Maps the answer to the output (default: each declared field, by its name). */
  readonly output?: Mapping;
}

/* oxlint-disable no-unused-vars -- Names the answer for readers, as in the document of ghx. */
/**
 * A card as people write it. `checkCard` derives what is left out: the effect, and outputs that are
 * read by name.
 */
export interface OperationCard<Input = unknown, Output = unknown> extends Omit<
  Card,
  "effect" | "examples" | "graphql" | "rest"
> {
  /** Its effect (default: `read` if all it sends is a read, otherwise `write`). */
  readonly effect?: Effect;
  /** Inputs that show how it is called (default: none). */
  readonly examples?: readonly (OperationExample & { readonly input: Input })[];
  /** The GraphQL route; of several the first whose `when` holds (default: none). */
  readonly graphql?: OneOrMore<WithOutput<CardGraphql>>;
  /** The REST route; of several the first whose `when` holds (default: none). */
  readonly rest?: OneOrMore<WithOutput<CardRest> | CardEndpoints>;
}
