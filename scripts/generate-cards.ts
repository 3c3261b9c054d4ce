import { join } from "node:path";
import { cardsModule, loadCards } from "@waybill/adapters/cards";
import { formatProblem } from "@waybill/core";
import type { PreparedCard } from "@waybill/core";
import { functions } from "../packages/github/src/pack/functions/index.ts";
import { root } from "./run.mjs";

/** The cards of the GitHub pack. */
export async function loadPack(): Promise<readonly PreparedCard[]> {
  const folder = join(root, "packages/github/cards");
  const { cards, problems } = await loadCards(folder, { functions: Object.keys(functions) });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join("\n"));
  return cards;
}

/** The same as one module in which nothing is left to be parsed. */
export async function renderCards(): Promise<string> {
  return cardsModule(await loadPack());
}
