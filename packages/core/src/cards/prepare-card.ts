import { isRecord } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { Card } from "./card.ts";
import { areExpressionsLoaded, lastPointerPart, loadExpressions } from "./mapping/index.ts";
import type { CardDocuments } from "./prepared-document.ts";
import type { PreparedCard } from "./prepared.ts";
import { readCard } from "./read-card.ts";

/** Parses all mappings of a card that `checkCard` accepted. Throws a TypeError. */
export async function prepareCard(
  card: Card,
  documents: CardDocuments = {},
): Promise<PreparedCard> {
  await loadExpressions();
  const { prepared, problems } = readCard(card, documents);
  const [problem] = problems;
  if (problem !== undefined) {
    throw new TypeError(
      `${card.capability_id} ${lastPointerPart(problem.pointer)}: ${problem.message}`,
    );
  }
  return prepared;
}

/**
 * Loads the JMESPath library if a prepared card needs it. Await the returned promise, if any,
 * before you use the card.
 */
export function cardReady(card: PreparedCard): Promise<void> | undefined {
  return card.usesExpressions && !areExpressionsLoaded() ? loadExpressions() : undefined;
}

function cardParameters(card: PreparedCard): string[] {
  const properties = isRecord(card.inputSchema) ? card.inputSchema["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** The operation that a card describes, as the registry lists it. */
export function cardSpec(card: PreparedCard): OperationSpec {
  const { id, description, effect, idempotent, inputSchema, outputSchema } = card;
  return {
    id,
    description,
    effect,
    idempotent,
    kind: "call",
    parameters: cardParameters(card),
    inputSchema,
    outputSchema,
    ...(card.safe === undefined ? {} : { safe: card.safe }),
    ...(card.exposed === undefined ? {} : { exposed: card.exposed }),
    ...(card.access === undefined ? {} : { access: card.access }),
    ...(card.aliases === undefined ? {} : { aliases: card.aliases }),
    ...(card.notes === undefined ? {} : { notes: card.notes }),
    ...(card.examples === undefined ? {} : { examples: card.examples }),
  };
}
