import type { ResultEnvelope } from "../envelope/index.ts";
import type { MappedOutput } from "./map-output.ts";
import { evaluate } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import type { CardFunctions } from "./request.ts";
import { mapAnswer } from "./scope.ts";

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
