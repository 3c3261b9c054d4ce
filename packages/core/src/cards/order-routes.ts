import type { RouteReason } from "../envelope/index.ts";
import type { CardRouteName } from "./card.ts";
import { holds } from "./mapping/index.ts";
import type { PreparedCard, PreparedRule } from "./prepared.ts";

export interface OrderedRoute {
  readonly route: CardRouteName;
  readonly reason: Extract<RouteReason, "CARD_PREFERRED" | "CARD_FALLBACK">;
  /** The reason of the rule that moved this route to the front. */
  readonly note?: string;
}

function byCard(card: PreparedCard): OrderedRoute[] {
  return card.order.map((route, index) => ({
    route,
    reason: index === 0 ? "CARD_PREFERRED" : "CARD_FALLBACK",
  }));
}

function moved(choices: readonly OrderedRoute[], { route, reason }: PreparedRule): OrderedRoute[] {
  const choice = choices.find((candidate) => candidate.route === route);
  if (choice === undefined) return [...choices];
  const others = choices.filter((candidate) => candidate !== choice);
  return [{ ...choice, note: reason }, ...others];
}

/**
 * Returns the routes of a card in the order to try them. The order depends only on the card, the
 * params and environment facts. If several `suitability` rules apply, the first one is used.
 */
export function orderRoutes(
  card: PreparedCard,
  params: Readonly<Record<string, unknown>>,
  facts: object,
): OrderedRoute[] {
  const choices = byCard(card);
  if (card.suitability.length === 0) return choices;
  const variables = { params, env: facts };
  const rules = card.suitability.filter(({ predicate }) =>
    holds(predicate, { value: variables, variables }),
  );
  return rules.toReversed().reduce(moved, choices);
}
