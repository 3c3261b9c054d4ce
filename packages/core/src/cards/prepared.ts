import type { JsonSchema } from "../envelope/index.ts";
import type { AccessControl, Effect, OperationExample } from "../operation/index.ts";
import type { CardLimits, CardRouteName, CardVerify, VerifyKind } from "./card.ts";
import type { PreparedMapping } from "./mapping/index.ts";
import type { PreparedDocument } from "./prepared-document.ts";
import type { NamedStep } from "./steps/index.ts";

/** Members that the variants of all routes have. */
interface PreparedVariant {
  readonly when?: PreparedMapping;
  readonly limits?: CardLimits;
  /** Names of the lookups that the variant's expressions use. */
  readonly lookups: readonly string[];
  readonly output?: PreparedMapping;
}

export interface PreparedGraphql extends PreparedVariant {
  readonly kind: "graphql";
  readonly document: PreparedDocument;
  readonly variables: PreparedMapping;
}

/**
 * A segment of a path, made of fixed text and values. With `many`, one value that contains
 * several segments.
 */
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

/** The route whose request this variant sends. */
export interface PreparedUse extends PreparedVariant {
  readonly kind: "use";
  readonly route: "rest" | "graphql";
  readonly minVersion?: string;
}

export type PreparedPart = PreparedGraphql | PreparedRest | PreparedCommand | PreparedUse;

export interface PreparedLookup {
  readonly request: PreparedGraphql | PreparedRest;
  /** The expression for the list whose items are requested one by one. */
  readonly each?: PreparedMapping;
  readonly value: PreparedMapping;
  readonly optional?: true;
}

export interface PreparedRule {
  readonly route: CardRouteName;
  readonly predicate: PreparedMapping;
  readonly reason: string;
}

/** A request that finds out whether the card's write was applied. */
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

/** The steps of a card. Their inputs are parsed by the chain that runs them. */
export interface PreparedSteps {
  /** The condition for running the steps. If it is false, the routes run. */
  readonly when?: PreparedMapping;
  readonly calls: readonly NamedStep[];
  readonly output: PreparedMapping;
}

/** The program of a card, and the ids that it may call. */
export interface PreparedProgram {
  readonly program: string;
  readonly calls: readonly string[];
}

/** A card whose expressions are all parsed. It is JSON, so it can be stored in a module. */
export interface PreparedCard {
  /** The id of the capability. */
  readonly id: string;
  /** The version of the card. */
  readonly version: string;
  /** The purpose of the capability, in a sentence. */
  readonly description: string;
  /** The effect of the capability: read, write or destructive. */
  readonly effect: Effect;
  /** Whether repeating the call has no further effect. */
  readonly idempotent: boolean;
  /** JSON Schema of the input. */
  readonly inputSchema: JsonSchema;
  /** JSON Schema of the output. */
  readonly outputSchema: JsonSchema;
  /** Alternative names of inputs, by the name in the schema (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Rights that an identity needs to call the capability (default: nothing). */
  readonly access?: AccessControl;
  /** Token scopes that the capability needs (default: none). */
  readonly scopes?: readonly string[];
  /** The request header for an idempotency key (default: none). */
  readonly idempotencyHeader?: string;
  /** Sentences that `explain` shows (default: none). */
  readonly notes?: readonly string[];
  /** Whether the author of the card states that it only reads (default: false). */
  readonly safe?: true;
  /** False if lists hide the capability (default: it is listed). */
  readonly exposed?: false;
  /** Example inputs (default: none). */
  readonly examples?: readonly OperationExample[];
  /** The routes, with the preferred route first. */
  readonly order: readonly CardRouteName[];
  /** Rules that change the order of the routes. */
  readonly suitability: readonly PreparedRule[];
  /** The variants of each route. The first variant whose condition is true is used. */
  readonly parts: Readonly<Partial<Record<CardRouteName, readonly PreparedPart[]>>>;
  /** Values to request before the main request, by name. */
  readonly lookups: Readonly<Record<string, PreparedLookup>>;
  /** Optional groups of output fields, by name and route. */
  readonly include: Readonly<Record<string, Partial<Record<CardRouteName, PreparedMapping>>>>;
  /**
   * How to find out whether the write was applied if its response is lost (default: it cannot be
   * found out).
   */
  readonly verify?: PreparedVerify;
  /** Steps that run instead of the routes, or for some inputs only (default: none). */
  readonly steps?: PreparedSteps;
  /** A program instead of routes (default: none). */
  readonly code?: PreparedProgram;
  /** Environment facts that its expressions use. */
  readonly facts: readonly string[];
  /** Whether to await `loadExpressions` before using the card. */
  readonly usesExpressions: boolean;
}
