import type { JsonSchema } from "../envelope/index.ts";
import type { AccessControl, Effect, OperationExample } from "../operation/index.ts";
import type { CardLimits, CardRouteName, CardVerify, VerifyKind } from "./card.ts";
import type { PreparedMapping } from "./mapping/index.ts";
import type { PreparedDocument } from "./prepared-document.ts";
import type { NamedStep } from "./steps/index.ts";

/** Members of the variants of all routes. */
interface PreparedVariant {
  readonly when?: PreparedMapping;
  readonly limits?: CardLimits;
  /** Names of the lookups that its expressions use. */
  readonly lookups: readonly string[];
  readonly output?: PreparedMapping;
}

export interface PreparedGraphql extends PreparedVariant {
  readonly kind: "graphql";
  readonly document: PreparedDocument;
  readonly variables: PreparedMapping;
}

/** A segment of a path: fixed text and values. With `many`, one value that has several segments. */
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
  /** The list whose items are requested one by one. */
  readonly each?: PreparedMapping;
  readonly value: PreparedMapping;
  readonly optional?: true;
}

export interface PreparedRule {
  readonly route: CardRouteName;
  readonly predicate: PreparedMapping;
  readonly reason: string;
}

/** A card's own read that settles its write. */
export interface PreparedProbe extends Pick<PreparedLookup, "request" | "value"> {
  /** Maps the answer to whether the container of the object can be read. */
  readonly container?: PreparedMapping;
  /** A separate request that shows whether the container can be read. */
  readonly containerRequest?: PreparedRest;
  /** A second request, built from the answer to the first. */
  readonly second?: PreparedRest;
  readonly fallback?: boolean;
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

/** The steps of a card. The chain that runs them reads their inputs. */
export interface PreparedSteps {
  /** An expression over the params: the calls that the steps run. The routes run the others. */
  readonly when?: PreparedMapping;
  readonly calls: readonly NamedStep[];
  readonly output: PreparedMapping;
}

/** The program of a card, and the only ids that it may call. */
export interface PreparedProgram {
  readonly program: string;
  readonly calls: readonly string[];
}

/** A card with everything parsed. It is JSON, so it can be stored in a module. */
export interface PreparedCard {
  /** The id of the capability. */
  readonly id: string;
  /** The version of the card. */
  readonly version: string;
  /** Its purpose, in a sentence. */
  readonly description: string;
  /** Its effect: read, write or destructive. */
  readonly effect: Effect;
  /** Whether repeating the call has no further effect. */
  readonly idempotent: boolean;
  /** JSON Schema of the input. */
  readonly inputSchema: JsonSchema;
  /** JSON Schema of the output. */
  readonly outputSchema: JsonSchema;
  /** Other names of inputs, keyed by the proper name (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Rights that an identity needs to call it (default: nothing). */
  readonly access?: AccessControl;
  /** Token scopes that it needs (default: none). */
  readonly scopes?: readonly string[];
  /** The header for an idempotency key (default: none). */
  readonly idempotencyHeader?: string;
  /** Sentences that `explain` shows (default: none). */
  readonly notes?: readonly string[];
  /** Whether its author states that it only reads (default: false). */
  readonly safe?: true;
  /** False if lists hide it (default: listed). */
  readonly exposed?: false;
  /** Example inputs (default: none). */
  readonly examples?: readonly OperationExample[];
  /** The routes, preferred first. */
  readonly order: readonly CardRouteName[];
  /** Rules that change the order of the routes. */
  readonly suitability: readonly PreparedRule[];
  /** The request of each route. From a list, the first whose condition is true is used. */
  readonly parts: Readonly<Partial<Record<CardRouteName, readonly PreparedPart[]>>>;
  /** Values to request before the main request, by name. */
  readonly lookups: Readonly<Record<string, PreparedLookup>>;
  /** Extra field groups, by name and route. */
  readonly include: Readonly<Record<string, Partial<Record<CardRouteName, PreparedMapping>>>>;
  /** How to find out whether a lost write was applied (default: it cannot be found out). */
  readonly verify?: PreparedVerify;
  /** Steps that run instead of the routes, or for some inputs only (default: none). */
  readonly steps?: PreparedSteps;
  /** A program instead of routes (default: none). */
  readonly code?: PreparedProgram;
  /** Facts of the environment that its expressions use. */
  readonly facts: readonly string[];
  /** Whether `loadExpressions` must have been awaited before it is used. */
  readonly usesExpressions: boolean;
}
