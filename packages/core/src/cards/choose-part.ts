import { fail } from "../envelope/index.ts";
import type { CardLimits, CardRouteName } from "./card.ts";
import { holds } from "./mapping/index.ts";
import type { PreparedMapping } from "./mapping/index.ts";
import type { PreparedCard, PreparedPart, PreparedUse } from "./prepared.ts";
import type { CardScope } from "./request.ts";
import { inputScope } from "./scope.ts";

/**
 * The variant that applies. For a variant with `use`, the variant of the route whose request it
 * sends.
 */
export interface ChosenPart {
  /** The route whose request and output are used. */
  readonly route: CardRouteName;
  readonly part: Exclude<PreparedPart, PreparedUse>;
  /** The limits on the request of this call. */
  readonly limits: CardLimits;
  readonly output: PreparedMapping | undefined;
  readonly lookups: readonly string[];
  /** The oldest GitHub CLI version that can run this call. */
  readonly minVersion: string | undefined;
}

function applying(card: PreparedCard, route: CardRouteName, scope: CardScope): PreparedPart {
  const parts = card.parts[route] ?? [];
  const [only] = parts;
  if (parts.length === 1 && only!.when === undefined) return only!;
  const input = inputScope(card, scope);
  const part = parts.find(({ when }) => when === undefined || holds(when, input));
  if (part !== undefined) return part;
  const message =
    only === undefined
      ? `${card.id} has no ${route} route; use another route`
      : `The ${route} route of ${card.id} cannot do this with these inputs; use another route`;
  throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
}

/** Returns the part of a card that runs the call. Throws ADAPTER_UNSUPPORTED if none applies. */
export function choosePart(card: PreparedCard, route: CardRouteName, scope: CardScope): ChosenPart {
  const part = applying(card, route, scope);
  const minVersion = "minVersion" in part ? part.minVersion : undefined;
  const { limits = {}, output, lookups } = part;
  if (part.kind !== "use") return { route, part, limits, output, lookups, minVersion };
  const used = choosePart(card, part.route, scope);
  return {
    ...used,
    limits: { ...used.limits, ...limits },
    output: output ?? used.output,
    lookups: [...new Set([...used.lookups, ...lookups])],
    minVersion,
  };
}
