import { areStepsMeant, cardReady, stepsOutput } from "../cards/index.ts";
import type { CardFunctions, MappedOutput, NamedStep, PreparedCard } from "../cards/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";

/** An operation that runs by calling other operations. */
export interface SteppedOperation {
  readonly kind: "steps";
  readonly spec: OperationSpec;
  /** The upstream whose writes keep their order in a chain. */
  readonly host: string;
  readonly steps: readonly NamedStep[];
  /** Builds the data of the operation from the answers of the steps. */
  output(
    params: object,
    envelopes: Readonly<Record<string, ResultEnvelope>>,
  ): Promise<MappedOutput>;
}

/** Steps that run instead of the routes, for some inputs only. */
export interface PartialSteps extends SteppedOperation {
  isMeant(params: object): Promise<boolean>;
}

interface StepsKit {
  readonly host?: string;
  readonly functions?: CardFunctions;
}

/** Creates the run of a card that consists of steps. */
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

/** Creates the steps of a card with routes, for the inputs that need them. */
export function partialSteps(card: PreparedCard, spec: OperationSpec, kit: StepsKit): PartialSteps {
  return {
    ...steppedRun(card, spec, kit),
    async isMeant(params) {
      await cardReady(card);
      return areStepsMeant(card, params);
    },
  };
}
