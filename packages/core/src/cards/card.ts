import type { JsonSchema } from "../envelope/index.ts";
import type { AccessControl, Effect } from "../operation/index.ts";

/** A JMESPath expression over the params at its root, with `lookup` and `env` beside them. */
export type Expression = string;

/**
 * A structure whose text leaves are expressions; numbers, booleans and null stand for themselves.
 * Structural words: `from`, `each`, `map`, `find`, `text`, `call`, and `fields`, under which every
 * name is a plain member.
 */
export type Mapping =
  | Expression
  | number
  | boolean
  | null
  | readonly Mapping[]
  | { readonly [key: string]: Mapping };

/** The routes that a card can have. */
export const CARD_ROUTES = ["graphql", "rest", "cli"] as const;
/** The routes a card can describe. */
export type CardRouteName = (typeof CARD_ROUTES)[number];

/** A rule that moves a route to the front when its predicate holds. */
export interface SuitabilityRule {
  readonly route: CardRouteName;
  /** JMESPath over `{params, env}`. */
  readonly predicate: Expression;
  readonly reason: string;
}

/** The order of the routes of a card. */
export interface CardRouting {
  readonly preferred: CardRouteName;
  readonly fallbacks: readonly CardRouteName[];
  readonly suitability?: readonly SuitabilityRule[];
  readonly notes?: readonly string[];
}

/** What a route needs and the caller does not know, asked for first: by a document or by a path. */
export interface CardLookup {
  /** Name of the operation to ask. */
  readonly document?: string;
  readonly variables?: Mapping;
  /** What to GET instead. */
  readonly path?: string;
  readonly query?: Mapping;
  /** A list of names, say: asked once for each, which is `$item` then, and the value is a list too. */
  readonly each?: Expression;
  /** Over the answer. */
  readonly value: Mapping;
  /** Finding nothing is an answer too; without it, null is NOT_FOUND. */
  readonly optional?: boolean;
}

/** Limits on what a card requests. */
export interface CardLimits {
  readonly maxPageSize?: number;
  readonly maxItemsPerCall?: number;
}

/** A part that applies only when its `when` holds; the first that does is used. */
interface Variant {
  readonly when?: Expression;
  readonly limits?: CardLimits;
}

/** How a card asks a GraphQL API. */
export interface CardGraphql extends Variant {
  readonly operationName: string;
  readonly documentPath: string;
  /** Without it, each variable takes the input of its name. */
  readonly variables?: Mapping;
  readonly output: Mapping;
}

/** How a card calls a REST API. */
export interface CardRest extends Variant {
  readonly method: string;
  /** `{name}` stands for one encoded segment, `{+name}` for several. */
  readonly path: string;
  readonly query?: Mapping;
  /** As they are, such as `accept`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Mapping;
  readonly output: Mapping;
}

/** How a card runs the GitHub CLI. */
export interface CardCli extends Variant {
  /** The same request as another route, sent by the program. */
  readonly use?: "rest" | "graphql";
  /** The subcommand, such as `issue view`. */
  readonly command?: string;
  /** Flags by name; true is a bare flag, a list repeats it. */
  readonly flags?: Mapping;
  readonly positionals?: Mapping;
  /** Handed over on standard input, never on the command line. */
  readonly stdin?: Mapping;
  readonly jsonFields?: readonly string[];
  readonly output?: Mapping;
  readonly min_gh_version?: string;
}

export const VERIFY_KINDS = ["created", "state", "gone"] as const;
/**
 * A write counts as applied when a read shows: for `created`, a new object of this author and
 * content; for `state`, an object that is as requested; for `gone`, no object in a place that is
 * there.
 */
export type VerifyKind = (typeof VERIFY_KINDS)[number];

/** The APIs over which a card can bring a read of its own. */
export type ProbeApi = "graphql" | "rest";

/** A read that a card brings to settle its write: a document, or a path to GET. */
export interface CardProbe extends Pick<
  CardLookup,
  "document" | "variables" | "path" | "query" | "value"
> {
  /**
   * Shows that the place of the object can be read, so that a missing object is really missing: an
   * expression over the same answer or, beside a path, another path to GET.
   */
  readonly container?: string;
  /** The inputs for which this read can be made. */
  readonly when?: Expression;
  /** Over the answer: the login of the caller. */
  readonly viewer?: Expression;
}

/** How to find out whether a write took place: what to read, and what the written thing looks like. */
export interface CardVerify {
  /** Default: `created`. */
  readonly kind?: VerifyKind;
  /** Why no read can show whether it took place; then there is no probe. */
  readonly unsettled?: string;
  /** The inputs for which it can be found out at all. */
  readonly when?: Expression;
  /** A public read. With reads of the card's own it only says where a person can look. */
  readonly capability?: string;
  readonly params?: Mapping;
  /** The card's own reads, by API. The second is used when the first cannot be reached. */
  readonly graphql?: CardProbe;
  readonly rest?: CardProbe;
  /** Field of the object → what it must equal. `viewer` is who calls. */
  readonly same?: Mapping;
  /** The field that says when an object was made. */
  readonly created?: string;
  /** Not finding it proves that it was not made. */
  readonly authoritative?: boolean;
  /** The field that is a thing's own: read before the write too, it shows which of them are new. */
  readonly before?: string;
  /** Over what was found: what the lost answer would have said, where the two look different. */
  readonly output?: Mapping;
}

/** One call of a card that is made of calls. */
export interface CardStep {
  /** A word to refer to it by; `s0`, `s1`, … unless given. */
  readonly id?: string;
  readonly task: string;
  /** May hold `$from`, `$text` and `$literal`, over `params` and the other steps' envelopes. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Over the same; the step is left out when it does not hold. */
  readonly when?: Expression;
}

/**
 * An operation as data: schemas, and either routes in order with how each maps input and output, or
 * steps that call other operations, or a program that does.
 */
export interface Card {
  readonly capability_id: string;
  /** Raised on breaking changes to inputs or outputs. */
  readonly version: string;
  readonly description: string;
  readonly effect: Effect;
  readonly idempotent?: boolean;
  /** Says that a `read` changes nothing, although it sends a request that may change things. */
  readonly safe?: boolean;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  /** Without it, there are steps or a program. */
  readonly routing?: CardRouting;
  /** Calls that together do it, instead of routes. */
  readonly steps?: readonly CardStep[];
  /** A program in JavaScript or TypeScript, instead of routes; its input is the global `input`. */
  readonly code?: string;
  /** The ids that the program calls (default: those that its text names). */
  readonly calls?: readonly string[];
  /** Of steps: over `params` and their envelopes. */
  readonly output?: Mapping;
  readonly lookup?: Readonly<Record<string, CardLookup>>;
  readonly graphql?: CardGraphql | readonly CardGraphql[];
  readonly rest?: CardRest | readonly CardRest[];
  readonly cli?: CardCli | readonly CardCli[];
  readonly verify?: CardVerify;
  /** Token scopes, checked when they are known without a request. */
  readonly scopes?: readonly string[];
  readonly access?: AccessControl;
  /** Named extra field groups: output mappings by route, added on request. */
  readonly include?: Readonly<Record<string, Partial<Record<CardRouteName, Mapping>>>>;
  /** The header in which the upstream takes an idempotency key. */
  readonly idempotency_header?: string;
  readonly examples?: readonly { readonly title: string; readonly input: object }[];
}

/** The variants of a route, which a card may write as one. */
export function variantsOf<Part>(part: Part | readonly Part[] | undefined): readonly Part[] {
  if (part === undefined) return [];
  return Array.isArray(part) ? (part as readonly Part[]) : [part as Part];
}
