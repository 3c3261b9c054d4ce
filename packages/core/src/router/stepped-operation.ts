import { areStepsMeant, cardReady, stepsOutput } from "../cards/index.ts";
import type { CardFunctions, MappedOutput, NamedStep, PreparedCard } from "../cards/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";

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

/** Steps that do only some of the calls of an operation with routes. */
export interface PartialSteps extends SteppedOperation {
  isMeant(params: object): Promise<boolean>;
}

interface StepsKit {
  readonly host?: string;
  readonly functions?: CardFunctions;
}

/** How a card is done by its steps. */
export function steppedRun(
  card: PreparedCard,
  spec: OperationSpec,
  { host = "", functions }: StepsKit,
): SteppedOperation {
  return {
    kind: "steps",
    spec,
    host,
    steps: card.steps?.calls ?? [],
    async output(params, envelopes) {
      await cardReady(card);
      return stepsOutput(card, params, envelopes, functions);
    },
  };
}

/** How a card with routes is done for the inputs that its steps are for. */
export function partialSteps(card: PreparedCard, spec: OperationSpec, kit: StepsKit): PartialSteps {
  return {
    ...steppedRun(card, spec, kit),
    async isMeant(params) {
      await cardReady(card);
      return areStepsMeant(card, params);
    },
  };
}
