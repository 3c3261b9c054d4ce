import type { ResultEnvelope } from "../envelope/index.ts";
import type { MappedOutput } from "./map-output.ts";
import { evaluate, holds } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import type { CardFunctions } from "./request.ts";
import { mapAnswer } from "./scope.ts";

/** Whether a call runs the steps of the card instead of its routes. */
export function areStepsMeant({ steps }: PreparedCard, params: object): boolean {
  return steps?.when !== undefined && holds(steps.when, { value: params, variables: {} });
}

/** Maps the answers of the steps to the card's data. */
export function stepsOutput(
  card: PreparedCard,
  params: object,
  envelopes: Readonly<Record<string, ResultEnvelope>>,
  functions: CardFunctions | undefined,
): MappedOutput {
  const scope = { value: { params, ...envelopes }, variables: { params }, functions };
  return mapAnswer(card, "what the steps answered", () => {
    const { value, missing } = evaluate(card.steps?.output ?? [], scope);
    return { data: value ?? null, missing };
  });
}
