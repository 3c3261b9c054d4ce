import { join } from "node:path";
import { cardRecords, loadCards } from "@waybill/adapters/cards";
import { formatProblem } from "@waybill/core/cards";
import type { PreparedCard } from "@waybill/core/cards";
import { functions } from "../packages/github/src/pack/functions/index.ts";
import { root } from "./run.mjs";

/** The cards of the GitHub pack. */
export async function loadPack(): Promise<readonly PreparedCard[]> {
  const folder = join(root, "packages/github/cards");
  const { cards, problems } = await loadCards(folder, { functions: Object.keys(functions) });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join("\n"));
  return cards;
}

/** A summary of each card for lists, with the location of the full card. */
export async function renderCards(): Promise<string> {
  const { summaries, places } = cardRecords(await loadPack());
  return `// Generated from the cards by \`npm run generate\`. Do not edit.
import type { OperationSummary } from "@waybill/core";

export const summaries = JSON.parse(
  ${JSON.stringify(JSON.stringify(summaries))},
) as readonly OperationSummary[];

export const places: Readonly<Record<string, readonly [number, number]>> = ${JSON.stringify(places)};
`;
}

/** The full cards, one per line. */
export async function renderCardRecords(): Promise<string> {
  return cardRecords(await loadPack()).text;
}
