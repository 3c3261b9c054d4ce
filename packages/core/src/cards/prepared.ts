import type { JsonSchema } from "../envelope/index.ts";
import type { AccessControl, Effect, OperationExample } from "../operation/index.ts";
import type { CardLimits, CardRouteName, CardVerify, VerifyKind } from "./card.ts";
import type { PreparedMapping } from "./mapping/index.ts";
import type { PreparedDocument } from "./prepared-document.ts";
import type { NamedStep } from "./steps/index.ts";

/** Common to the variants of all routes. */
interface PreparedVariant {
  readonly when?: PreparedMapping;
  readonly limits?: CardLimits;
  /** Names of the lookups its expressions use. */
  readonly lookups: readonly string[];
  readonly output?: PreparedMapping;
}

export interface PreparedGraphql extends PreparedVariant {
  readonly kind: "graphql";
  readonly document: PreparedDocument;
  readonly variables: PreparedMapping;
}

/** A segment of a path: fixed text and values; with `many`, one value that is several segments. */
export interface PreparedSegment {
  readonly parts: readonly (string | PreparedMapping)[];
  readonly many?: true;
}

export interface PreparedRest extends PreparedVariant {
  readonly kind: "rest";
  readonly method: string;
  readonly path: readonly PreparedSegment[];
  readonly query?: PreparedMapping;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: PreparedMapping;
}

export interface PreparedCommand extends PreparedVariant {
  readonly kind: "command";
  readonly words: readonly string[];
  readonly flags?: PreparedMapping;
  readonly positionals?: PreparedMapping;
  readonly stdin?: PreparedMapping;
  readonly jsonFields?: readonly string[];
  readonly minVersion?: string;
}

/** The request of another route, sent by this one. */
export interface PreparedUse extends PreparedVariant {
  readonly kind: "use";
  readonly route: "rest" | "graphql";
  readonly minVersion?: string;
}

export type PreparedPart = PreparedGraphql | PreparedRest | PreparedCommand | PreparedUse;

export interface PreparedLookup {
  readonly request: PreparedGraphql | PreparedRest;
  /** The list to ask it for, item by item. */
  readonly each?: PreparedMapping;
  readonly value: PreparedMapping;
  readonly optional?: true;
}

export interface PreparedRule {
  readonly route: CardRouteName;
  readonly predicate: PreparedMapping;
  readonly reason: string;
}

/** A read of the card's own that settles its write. */
export interface PreparedProbe extends Pick<PreparedLookup, "request" | "value"> {
  /** Over the answer: shows that the place of the object can be read. */
  readonly container?: PreparedMapping;
  /** The request that shows it instead. */
  readonly containerRequest?: PreparedRest;
  readonly when?: PreparedMapping;
  readonly viewer?: PreparedMapping;
}

export interface PreparedVerify extends Pick<
  CardVerify,
  "capability" | "created" | "authoritative" | "before" | "unsettled"
> {
  readonly kind: VerifyKind;
  readonly when?: PreparedMapping;
  readonly params: PreparedMapping;
  readonly same: PreparedMapping;
  readonly output?: PreparedMapping;
  readonly graphql?: PreparedProbe;
  readonly rest?: PreparedProbe;
}

/** The calls that together do what a card says; their inputs are read by the chain that runs them. */
export interface PreparedSteps {
  /** Over the params: the calls that the steps do. The routes do the others. */
  readonly when?: PreparedMapping;
  readonly calls: readonly NamedStep[];
  readonly output: PreparedMapping;
}

/** The program of a card, and the only ids that it calls. */
export interface PreparedProgram {
  readonly program: string;
  readonly calls: readonly string[];
}

/** A card with everything parsed. It is JSON, so it can be kept in a module. */
export interface PreparedCard {
  /** The id of the capability. */
  readonly id: string;
  /** The version of the card. */
  readonly version: string;
  /** Its purpose, in a sentence. */
  readonly description: string;
  /** Its effect on the world. */
  readonly effect: Effect;
  /** Whether doing it twice does no more than doing it once. */
  readonly idempotent: boolean;
  /** JSON Schema of the input. */
  readonly inputSchema: JsonSchema;
  /** JSON Schema of the output. */
  readonly outputSchema: JsonSchema;
  /** Other names of inputs, by the proper name (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Rights that an identity needs to call it (default: nothing). */
  readonly access?: AccessControl;
  /** Token scopes that it needs (default: none). */
  readonly scopes?: readonly string[];
  /** The header in which the upstream takes a key (default: none). */
  readonly idempotencyHeader?: string;
  /** Sentences that `explain` shows (default: none). */
  readonly notes?: readonly string[];
  /** Its author says that it only reads (default: false). */
  readonly safe?: true;
  /** Left out of lists (default: listed). */
  readonly exposed?: false;
  /** Inputs that show how it is called (default: none). */
  readonly examples?: readonly OperationExample[];
  /** Preferred first. */
  readonly order: readonly CardRouteName[];
  /** Rules that change the order of the routes. */
  readonly suitability: readonly PreparedRule[];
  /** How each route sends its request; of several the first whose condition holds. */
  readonly parts: Readonly<Partial<Record<CardRouteName, readonly PreparedPart[]>>>;
  /** Values to ask for before the request, by name. */
  readonly lookups: Readonly<Record<string, PreparedLookup>>;
  /** Extra field groups, by name and route. */
  readonly include: Readonly<Record<string, Partial<Record<CardRouteName, PreparedMapping>>>>;
  /** How to find out whether a lost write took place (default: it cannot be found out). */
  readonly verify?: PreparedVerify;
  /** Instead of routes, or for some inputs (default: none). */
  readonly steps?: PreparedSteps;
  /** A program instead of routes (default: none). */
  readonly code?: PreparedProgram;
  /** Facts of the environment that its expressions use. */
  readonly facts: readonly string[];
  /** Whether `loadExpressions` must have been awaited before it is used. */
  readonly usesExpressions: boolean;
}
