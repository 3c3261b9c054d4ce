import { pointerKey } from "../schema/index.ts";
import type { Effect } from "../operation/index.ts";
import { CARD_ROUTES } from "./card.ts";
import type { Card } from "./card.ts";
import { verifyEffectFindings } from "./check-verify.ts";
import type { Finding } from "./finding.ts";
import type { PreparedCard, PreparedPart } from "./prepared.ts";

const READING_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** Words in a command that show that it only reads. */
const READING_WORDS: ReadonlySet<string> = new Set([
  "checks",
  "diff",
  "get",
  "list",
  "show",
  "status",
  "view",
]);

/** Headers that make many servers treat a request as one of another method. */
const METHOD_HEADERS: ReadonlySet<string> = new Set([
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
]);

/**
 * Accepts a noun and a verb. A third word is an argument: `repo delete view` deletes a
 * repository named `view`.
 */
function isReadingCommand([noun, verb = "", ...more]: readonly string[]): boolean {
  return more.length === 0 && (noun === "search" || READING_WORDS.has(verb));
}

function restWrites(method: string, headers: Readonly<Record<string, string>>): string | undefined {
  if (!READING_METHODS.has(method)) return method;
  const header = Object.keys(headers).find((name) => METHOD_HEADERS.has(name));
  return header === undefined ? undefined : `${method} with the header ${header}`;
}

/** Why the request may change something. Undefined if it only reads. */
function writes(part: PreparedPart): string | undefined {
  switch (part.kind) {
    case "graphql":
      return part.document.kind === "mutation" ? "a mutation" : undefined;
    case "rest":
      return restWrites(part.method.toUpperCase(), part.headers);
    case "command":
      return isReadingCommand(part.words) ? undefined : `the command ${part.words.join(" ")}`;
    case "use":
      return undefined;
  }
}

export function changesSomething(part: PreparedPart): boolean {
  return writes(part) !== undefined;
}

/** Checks the effect that a card declares, because policy and approvals rely on it. */
function routeFindings(card: Card, prepared: PreparedCard): Finding[] {
  if (card.effect !== "read") {
    const message = `is allowed only if the effect of the card is "read"`;
    return card.safe === true ? [{ pointer: "/safe", message }] : [];
  }
  if (card.safe === true) return [];
  return CARD_ROUTES.flatMap((route) =>
    (prepared.parts[route] ?? []).flatMap((part, index) => {
      const what = writes(part);
      const pointer = Array.isArray(card[route]) ? `/${route}/${index}` : `/${route}`;
      const message = `sends ${what}, but the effect of the card is "read"; if the request changes nothing, add safe: true`;
      return what === undefined ? [] : [{ pointer, message }];
    }),
  );
}

/** Refuses `gh auth`, which prints and changes the user's own sign-in. */
function commandFindings(prepared: PreparedCard): Finding[] {
  return (prepared.parts.cli ?? []).flatMap((part) =>
    part.kind === "command" && part.words[0] === "auth"
      ? [
          {
            pointer: "/cli/command",
            message: "must not run gh auth, which changes the user's sign-in",
          },
        ]
      : [],
  );
}

/** Lookups run before a write, possibly several times, so they must only read. */
function lookupFindings({ lookups }: PreparedCard): Finding[] {
  return Object.entries(lookups).flatMap(([name, { request }]) =>
    writes(request) === undefined
      ? []
      : [{ pointer: `/lookup${pointerKey(name)}`, message: "must be a query, not a mutation" }],
  );
}

/**
 * The reads of `verify` run after every attempt with an unknown outcome, so they must only read.
 */
function probeFindings({ verify }: PreparedCard): Finding[] {
  const { request } = verify?.graphql ?? {};
  if (request === undefined || writes(request) === undefined) return [];
  return [{ pointer: "/verify/graphql/document", message: "must be a query, not a mutation" }];
}

/** Known properties of the capabilities that a card may call. */
export interface KnownCapabilities {
  /** The effects of the capabilities by id, as far as known. */
  readonly effects?: ReadonlyMap<string, Effect>;
  /** Ids of the capabilities that return a list, as far as known. */
  readonly lists?: ReadonlySet<string>;
}

/** Finds requests that exceed the declared effect, or whose effect cannot be determined. */
export function effectFindings(
  card: Card,
  prepared: PreparedCard,
  { effects, lists }: KnownCapabilities,
): Finding[] {
  return [
    ...routeFindings(card, prepared),
    ...commandFindings(prepared),
    ...lookupFindings(prepared),
    ...probeFindings(prepared),
    ...verifyEffectFindings(card, effects, lists),
  ];
}
