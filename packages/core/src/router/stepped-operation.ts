import { cardReady, stepsOutput } from "../cards/index.ts";
import type { CardFunctions, MappedOutput, NamedStep, PreparedCard } from "../cards/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import type { Operation, OperationSpec } from "../operation/index.ts";

/** An operation that is done by calling others. */
export interface SteppedOperation {
  readonly kind: "steps";
  readonly spec: OperationSpec;
  /** Which upstream it keeps its place for in a chain. */
  readonly host: string;
  readonly steps: readonly NamedStep[];
  /** Its data out of what the steps answered. */
  output(
    params: object,
    envelopes: Readonly<Record<string, ResultEnvelope>>,
  ): Promise<MappedOutput>;
}

/** A card made of steps as an operation. */
export function steppedOperation(
  card: PreparedCard,
  spec: OperationSpec,
  { host = "", functions }: { readonly host?: string; readonly functions?: CardFunctions },
): Operation {
  const run: SteppedOperation = {
    kind: "steps",
    spec,
    host,
    steps: card.steps?.calls ?? [],
    async output(params, envelopes) {
      await cardReady(card);
      return stepsOutput(card, params, envelopes, functions);
    },
  };
  return { spec, run };
}
