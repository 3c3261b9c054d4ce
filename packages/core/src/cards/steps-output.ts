import type { ResultEnvelope } from "../envelope/index.ts";
import type { MappedOutput } from "./map-output.ts";
import { evaluate, holds } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import type { CardFunctions } from "./request.ts";
import { mapAnswer } from "./scope.ts";

/** Whether the steps of a card with routes do this call. */
export function areStepsMeant({ steps }: PreparedCard, params: object): boolean {
  return steps?.when !== undefined && holds(steps.when, { value: params, variables: {} });
}

/** The card's data out of what its steps answered. */
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
