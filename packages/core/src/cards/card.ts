import type { JsonSchema } from "../envelope/index.ts";
import type { AccessControl, Effect, OperationExample } from "../operation/index.ts";

/** A JMESPath expression. Its root has the params, and also `lookup` and `env`. */
export type Expression = string;

/**
 * A structure whose strings are expressions; numbers, booleans and null are constants. Keywords:
 * `from`, `each`, `map`, `find`, `text`, `call`, and `fields`, whose names are all plain members.
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

/** A rule that moves a route to the front when its predicate is true. */
export interface SuitabilityRule {
  /** The route to prefer. */
  readonly route: CardRouteName;
  /** JMESPath over `{params, env}`. */
  readonly predicate: Expression;
  /** The reason, in one sentence. */
  readonly reason: string;
}

/** The order of the routes of a card. */
export interface CardRouting {
  /** The route that is tried first. */
  readonly preferred: CardRouteName;
  /** Routes that are tried after it, in order. */
  readonly fallbacks: readonly CardRouteName[];
  /** Rules that change the order (default: none). */
  readonly suitability?: readonly SuitabilityRule[];
  /** Sentences that `explain` shows (default: none). */
  readonly notes?: readonly string[];
}

/**
 * A value that a route needs and the caller does not know. It is requested first, with a document
 * or a path.
 */
export interface CardLookup {
  /** Name of the GraphQL operation to send (default: none). */
  readonly document?: string;
  /** The variables of the document (default: the input with the same name). */
  readonly variables?: Mapping;
  /** The path to GET instead (default: none). */
  readonly path?: string;
  /** Query parameters of the path (default: none). */
  readonly query?: Mapping;
  /**
   * A list, such as names. The lookup is sent once per item, with the item as `$item`, and the
   * value is a list too (default: one request).
   */
  readonly each?: Expression;
  /** Maps the answer to the value. */
  readonly value: Mapping;
  /** Whether the lookup may find nothing. If false, null is NOT_FOUND (default: false). */
  readonly optional?: boolean;
}

/** Limits on what a card requests. */
export interface CardLimits {
  /** Maximum number of items on one page (default: no limit). */
  readonly maxPageSize?: number;
  /** Maximum number of items in one call (default: no limit). */
  readonly maxItemsPerCall?: number;
}

/** A part that applies only if its `when` is true. The first part that applies is used. */
interface Variant {
  /** The inputs for which this part is used (default: all). */
  readonly when?: Expression;
  /** Limits on the request (default: none). */
  readonly limits?: CardLimits;
}

/** The GraphQL request of a card. */
export interface CardGraphql extends Variant {
  /** Name of the operation in the document. */
  readonly operationName: string;
  /** The file of the document, below the folder of the cards. */
  readonly documentPath: string;
  /** The variables of the document (default: the input with the same name). */
  readonly variables?: Mapping;
  /** Maps the answer to the output. */
  readonly output: Mapping;
}

/** The REST request of a card. */
export interface CardRest extends Variant {
  /** The HTTP method. */
  readonly method: string;
  /** `{name}` is replaced by one encoded segment, `{+name}` by several. */
  readonly path: string;
  /** Query parameters (default: none). */
  readonly query?: Mapping;
  /** Constant headers, such as `accept` (default: none). */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON (default: none). */
  readonly body?: Mapping;
  /** Maps the answer to the output. */
  readonly output: Mapping;
}

/** The GitHub CLI command of a card. */
export interface CardCli extends Variant {
  /** Sends the request of another route with the GitHub CLI (default: none). */
  readonly use?: "rest" | "graphql";
  /** The subcommand, such as `issue view` (default: none). */
  readonly command?: string;
  /** Flags by name. True is a flag without a value; a list repeats the flag (default: none). */
  readonly flags?: Mapping;
  /** Arguments in order (default: none). */
  readonly positionals?: Mapping;
  /** Passed on standard input, never on the command line (default: nothing). */
  readonly stdin?: Mapping;
  /** Fields that `--json` requests (default: none). */
  readonly jsonFields?: readonly string[];
  /** Maps the answer to the output (default: that of the route in `use`). */
  readonly output?: Mapping;
  /** The oldest GitHub CLI version that supports it (default: any). */
  readonly min_gh_version?: string;
}

export const VERIFY_KINDS = ["created", "state", "gone"] as const;
/**
 * How a read shows that a write was applied. For `created`: a new object with this author and
 * content. For `state`: an object in the requested state. For `gone`: no object, although its
 * container can be read.
 */
export type VerifyKind = (typeof VERIFY_KINDS)[number];

/** The APIs that a card can use for its own read. */
export type ProbeApi = "graphql" | "rest";

/** A card's own read that settles its write: a document, or a path to GET. */
export interface CardProbe extends Pick<
  CardLookup,
  "document" | "variables" | "path" | "query" | "value"
> {
  /**
   * Shows that the container of the object can be read, so that a missing object is really missing.
   * It is an expression over the same answer or, with a path, another path to GET.
   */
  readonly container?: string;
  /**
   * A second path to GET, built from the first answer. `value` then sees `{ first, second }`. If a
   * value in the path is null, nothing is requested and `second` is null.
   */
  readonly second?: string;
  /** Whether it shows less than the read of the other API, and is used only if that one fails. */
  readonly fallback?: boolean;
  /** The inputs for which this read can be used. */
  readonly when?: Expression;
  /** Maps the answer to the login of the caller. */
  readonly viewer?: Expression;
}

/**
 * How to find out whether a write was applied: what to read, and how to recognise the written
 * object.
 */
export interface CardVerify {
  /** How the written object is recognised (default: `created`). */
  readonly kind?: VerifyKind;
  /**
   * Why no read can show whether the write was applied. If set, there is no probe (default: there
   * is a probe).
   */
  readonly unsettled?: string;
  /** The inputs for which the outcome can be found out (default: all). */
  readonly when?: Expression;
  /**
   * A public read. If the card has its own reads, it only tells a person where to look (default:
   * none).
   */
  readonly capability?: string;
  /** The input of the read (default: none). */
  readonly params?: Mapping;
  /**
   * The card's own reads, by API. The second is used when the first cannot be reached (default:
   * none).
   */
  readonly graphql?: CardProbe;
  /** The card's own read over REST (default: none). */
  readonly rest?: CardProbe;
  /**
   * Field of the object → the value that it must equal. `viewer` is the caller (default: nothing is
   * compared).
   */
  readonly same?: Mapping;
  /** The field with the creation time of an object (default: none). */
  readonly created?: string;
  /** Whether a missing object proves that it was not created (default: false). */
  readonly authoritative?: boolean;
  /**
   * The field that identifies an object. It is also read before the write, to show which objects
   * are new (default: none).
   */
  readonly before?: string;
  /** Maps the object found to the lost answer, if the two differ (default: the object found). */
  readonly output?: Mapping;
}

/** One step of a card that consists of calls. */
export interface CardStep {
  /** The name used to refer to it (default: `s0`, `s1`, …). */
  readonly id?: string;
  /** The id of the capability to call. */
  readonly task: string;
  /**
   * May contain `$from`, `$text` and `$literal`, which see `params` and the other steps' envelopes
   * (default: `{}`).
   */
  readonly input?: Readonly<Record<string, unknown>>;
  /**
   * An expression over the same values. The step is skipped if it is false (default: always run).
   */
  readonly when?: Expression;
}

/**
 * An operation as data: its schemas, and how it runs. It has routes that map input and output, or
 * steps that call other operations, or a program.
 */
export interface Card {
  /** The id of the capability. */
  readonly capability_id: string;
  /** Raised on breaking changes to inputs or outputs. */
  readonly version: string;
  /** Its purpose, in a sentence. */
  readonly description: string;
  /** Its effect: read, write or destructive. */
  readonly effect: Effect;
  /** Whether repeating the call has no further effect (default: true for a read, else false). */
  readonly idempotent?: boolean;
  /**
   * States that a `read` changes nothing, although its request is of a kind that may (default:
   * false).
   */
  readonly safe?: boolean;
  /** `false` hides it from lists. It can still be found by search and called (default: true). */
  readonly exposed?: boolean;
  /** Other names of inputs, keyed by the proper name (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** JSON Schema of the input. */
  readonly input_schema: JsonSchema;
  /** JSON Schema of the output. */
  readonly output_schema: JsonSchema;
  /**
   * The order of its routes. Not used by a card that consists only of steps or a program (default:
   * none).
   */
  readonly routing?: CardRouting;
  /** Calls that run instead of routes (default: none). */
  readonly steps?: readonly CardStep[];
  /**
   * For a card with routes: the inputs for which the steps run. A step may call the card itself
   * (default: none).
   */
  readonly steps_when?: Expression;
  /**
   * A program in JavaScript or TypeScript that runs instead of routes. Its input is the global
   * `input` (default: none).
   */
  readonly code?: string;
  /** The ids that the program calls (default: those that appear in its text). */
  readonly calls?: readonly string[];
  /** For cards with steps: an expression over `params` and the steps' envelopes (default: none). */
  readonly output?: Mapping;
  /** Values to request before the main request, by name (default: none). */
  readonly lookup?: Readonly<Record<string, CardLookup>>;
  /** The GraphQL route. From a list, the first whose `when` is true is used (default: none). */
  readonly graphql?: CardGraphql | readonly CardGraphql[];
  /** The REST route. From a list, the first whose `when` is true is used (default: none). */
  readonly rest?: CardRest | readonly CardRest[];
  /** The GitHub CLI route. From a list, the first whose `when` is true is used (default: none). */
  readonly cli?: CardCli | readonly CardCli[];
  /** How to find out whether a lost write was applied (default: it cannot be found out). */
  readonly verify?: CardVerify;
  /** Token scopes that it needs, checked if they are known without a request (default: none). */
  readonly scopes?: readonly string[];
  /** Rights that an identity needs to call it (default: nothing). */
  readonly access?: AccessControl;
  /** Optional field groups: output mappings by route, added on request (default: none). */
  readonly include?: Readonly<Record<string, Partial<Record<CardRouteName, Mapping>>>>;
  /** The header for an idempotency key, if the upstream accepts one (default: none). */
  readonly idempotency_header?: string;
  /** Example inputs (default: none). */
  readonly examples?: readonly OperationExample[];
}

/** The variants of a route. A card may write a single one without a list. */
export function getVariants<Part>(part: Part | readonly Part[] | undefined): readonly Part[] {
  if (part === undefined) return [];
  return Array.isArray(part) ? (part as readonly Part[]) : [part as Part];
}
