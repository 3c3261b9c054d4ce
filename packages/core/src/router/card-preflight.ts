import { choosePart } from "../cards/index.ts";
import type { CardRouteName, PreparedCard } from "../cards/index.ts";
import { errorFromUnknown } from "../envelope/index.ts";
import { factsFor, routeNamed, scopeFor } from "./card-kit.ts";
import type { CardKit } from "./card-kit.ts";
import { preflightSkip } from "./preflight.ts";
import type { RoutedRequest } from "./routed-operation.ts";
import type { Skip } from "./route.ts";

const PAGE_SIZE_PARAMS = ["first", "limit", "per_page"];

/** The page size that a call requests. */
function getPageSize(params: Readonly<Record<string, unknown>>): number {
  const sizes = PAGE_SIZE_PARAMS.map((name) => params[name]);
  return sizes.find((size): size is number => typeof size === "number") ?? 0;
}

/** The requirements of a route for this call. */
function getNeeds(
  card: PreparedCard,
  kit: CardKit,
  route: CardRouteName,
  request: RoutedRequest,
): Parameters<typeof preflightSkip>[0] {
  const scope = scopeFor(kit, request);
  const { limits, minVersion: minGhVersion } = choosePart(card, route, scope);
  const limit = Math.min(limits.maxPageSize ?? Infinity, limits.maxItemsPerCall ?? Infinity);
  const { scopes } = card;
  return {
    route,
    ...(minGhVersion !== undefined && { minGhVersion }),
    ...(scopes !== undefined && { scopes }),
    ...(getPageSize(request.params) > limit && {
      limitExceeded: `a page has at most ${limit} items`,
    }),
  };
}

/** Returns why a route of a card cannot be used for a call, or undefined if it can. */
export async function cardPreflight(
  card: PreparedCard,
  kit: CardKit,
  route: CardRouteName,
  request: RoutedRequest,
): Promise<Skip | undefined> {
  const sender = routeNamed(kit, route);
  if (sender === undefined) {
    const code = route === "cli" ? "CLI_NOT_AVAILABLE" : "ROUTE_NOT_CONFIGURED";
    return { code, hint: `no ${route} route is configured` };
  }
  try {
    const needs = getNeeds(card, kit, route, request);
    return preflightSkip(needs, await factsFor(kit, sender.needs));
  } catch (thrown) {
    // The card cannot send these inputs on this route, which is treated as a limit of the route.
    return { code: "LIMIT_EXCEEDED", hint: errorFromUnknown(thrown).message };
  }
}
