import { pointerKey } from "../schema/index.ts";
import type { Effect } from "../operation/index.ts";
import { CARD_ROUTES } from "./card.ts";
import type { Card } from "./card.ts";
import type { Finding } from "./finding.ts";
import type { PreparedCard, PreparedPart } from "./prepared.ts";

/** Methods that exist to change something. A POST may be a question too long for a URL. */
const WRITING_METHODS: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

function writes(part: PreparedPart): string | undefined {
  if (part.kind === "graphql" && part.document.kind === "mutation") return "a mutation";
  if (part.kind !== "rest") return undefined;
  const method = part.method.toUpperCase();
  return WRITING_METHODS.has(method) ? method : undefined;
}

function routeFindings(card: Card, prepared: PreparedCard): Finding[] {
  if (card.effect !== "read") return [];
  return CARD_ROUTES.flatMap((route) =>
    (prepared.parts[route] ?? []).flatMap((part, index) => {
      const what = writes(part);
      const pointer = Array.isArray(card[route]) ? `/${route}/${index}` : `/${route}`;
      const message = `sends ${what}, which is not the effect "read" of the card`;
      return what === undefined ? [] : [{ pointer, message }];
    }),
  );
}

/** Lookups are asked before a write is sent, as often as it takes. */
function lookupFindings({ lookups }: PreparedCard): Finding[] {
  return Object.entries(lookups).flatMap(([name, { request }]) =>
    writes(request) === undefined
      ? []
      : [{ pointer: `/lookup${pointerKey(name)}`, message: "must be a query" }],
  );
}

/** A verify is made after every unknown try, so it must do nothing. */
function verifyFindings(
  { verify }: Card,
  effects: ReadonlyMap<string, Effect> | undefined,
): Finding[] {
  const effect = verify === undefined ? undefined : effects?.get(verify.capability);
  if (verify === undefined || effect === undefined || effect === "read") return [];
  const message = `${verify.capability} is a ${effect}; only a read can show what took place`;
  return [{ pointer: "/verify/capability", message }];
}

/**
 * A list shows old twins of what was written too. Where neither the time of making nor what was
 * there before tells them apart, looking would settle nothing.
 */
function twinFindings(
  { effect, idempotent, verify }: Card,
  lists: ReadonlySet<string> | undefined,
): Finding[] {
  if (verify === undefined || effect === "read" || idempotent === true) return [];
  const isDated = verify.created !== undefined || verify.before !== undefined;
  if (isDated || lists?.has(verify.capability) !== true) return [];
  const message = `${verify.capability} is a list: say by "created" or "before" what in it is new`;
  return [{ pointer: "/verify", message }];
}

/** What is known of the capabilities that a card may name. */
export interface KnownCapabilities {
  /** What they do, as far as it is known. */
  readonly effects?: ReadonlyMap<string, Effect>;
  /** Ids of those that answer with a list, as far as it is known. */
  readonly lists?: ReadonlySet<string>;
}

/** Where a card does more than the effect it names, or could not tell whether it did. */
export function effectFindings(
  card: Card,
  prepared: PreparedCard,
  { effects, lists }: KnownCapabilities,
): Finding[] {
  return [
    ...routeFindings(card, prepared),
    ...lookupFindings(prepared),
    ...verifyFindings(card, effects),
    ...twinFindings(card, lists),
  ];
}
