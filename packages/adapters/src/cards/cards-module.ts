import { cardSpec } from "@waybill/core/cards";
import type { OperationSummary } from "@waybill/core";
import type { PreparedCard } from "@waybill/core/cards";

function escapedCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Uses single quotes, because JSON has many double quotes. The text is kept ASCII, because one
 * other character would double the memory of the whole module.
 */
function sourceString(text: string): string {
  const plain = text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  return `'${plain.replaceAll(/[^ -~]/g, escapedCharacter)}'`;
}

function cardSummary(card: PreparedCard): OperationSummary {
  const { id, description, effect, idempotent, kind, exposed, parameters = [] } = cardSpec(card);
  const summary = { id, description, effect, idempotent, kind, parameters };
  return exposed === undefined ? summary : { ...summary, exposed };
}

function sortedById(cards: readonly PreparedCard[]): PreparedCard[] {
  return cards.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Prepared cards, joined into one text, so that a program parses only the cards that it needs. */
export interface CardRecords {
  readonly summaries: readonly OperationSummary[];
  /** The position of each card in the text, in bytes: its start and its length. */
  readonly places: Readonly<Record<string, readonly [number, number]>>;
  /** One line per card. */
  readonly text: string;
}

export function cardRecords(cards: readonly PreparedCard[]): CardRecords {
  const sorted = sortedById(cards);
  const lines = sorted.map((card) => JSON.stringify(card));
  let at = 0;
  const places = sorted.map(({ id }, index) => {
    const length = Buffer.byteLength(lines[index]!);
    const place = [id, [at, length] as const] as const;
    at += length + 1;
    return place;
  });
  return {
    summaries: sorted.map(cardSummary),
    places: Object.fromEntries(places),
    text: lines.map((line) => `${line}\n`).join(""),
  };
}

/**
 * Writes prepared cards as a TypeScript module. Each card is a string until it is used, because
 * JavaScript engines read a string faster than an object.
 */
export function cardsModule(cards: readonly PreparedCard[]): string {
  const sorted = sortedById(cards);
  const texts = sorted.map(
    (card) => `  ${JSON.stringify(card.id)}:\n    ${sourceString(JSON.stringify(card))},\n`,
  );
  return `// Generated from the cards by \`npm run generate\`. Do not edit.
import { cardTable } from "@waybill/core/cards";
import type { OperationSummary } from "@waybill/core";
import type { CardTable } from "@waybill/core/cards";

const summaries = JSON.parse(
  ${sourceString(JSON.stringify(sorted.map(cardSummary)))},
) as readonly OperationSummary[];

const stored = {
${texts.join("")}};

export const cards: CardTable = cardTable(summaries, stored);
`;
}
