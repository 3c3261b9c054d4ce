import type { JsonSchema } from "../envelope/index.ts";
import type { AccessControl, Effect, OperationExample } from "../operation/index.ts";

/** A JMESPath expression. Its root value has the params, and also `lookup` and `env`. */
export type Expression = string;

/**
 * A structure whose strings are expressions; numbers, booleans and null are constants. It may
 * use the keywords `from`, `each`, `map`, `find`, `text`, `call` and `fields`. Below `fields`,
 * every name is a plain member.
 */
export type Mapping =
  | Expression
  | number
  | boolean
  | null
  | readonly Mapping[]
  | { readonly [key: string]: Mapping };

/** The newest version of the card format that this Waybill reads. */
export const CARD_FORMAT = 1;

/** The routes that a card can have. */
export const CARD_ROUTES = ["graphql", "rest", "cli"] as const;
/** A route that a card can describe. */
export type CardRouteName = (typeof CARD_ROUTES)[number];

/** A rule that moves a route to the front when its condition is true. */
export interface SuitabilityRule {
  /** The route to prefer. */
  readonly route: CardRouteName;
  /** The condition: JMESPath over `{params, env}`. */
  readonly predicate: Expression;
  /** The reason for the rule, one sentence. */
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
  /** Sentences about the routes that `explain` shows (default: none). */
  readonly notes?: readonly string[];
}

/**
 * A value that a route needs and the caller does not know. It is requested before the main
 * request, with a GraphQL document or a path.
 */
export interface CardLookup {
  /** Name of the GraphQL operation to send (default: none). */
  readonly document?: string;
  /** The variables of the document (default: the input with the same name). */
  readonly variables?: Mapping;
  /** The path to request with GET instead of a document (default: none). */
  readonly path?: string;
  /** Query parameters of the path (default: none). */
  readonly query?: Mapping;
  /**
   * An expression for a list, such as names. One request is sent per item, which is `$item`
   * there, and the value is a list too (default: one request).
   */
  readonly each?: Expression;
  /** Maps the answer to the value. */
  readonly value: Mapping;
  /**
   * Whether the lookup may find nothing. If false, a null value causes NOT_FOUND (default:
   * false).
   */
  readonly optional?: boolean;
}

/** Limits on what a card requests. */
export interface CardLimits {
  /** Maximum number of items on one page (default: no limit). */
  readonly maxPageSize?: number;
  /** Maximum number of items in one call (default: no limit). */
  readonly maxItemsPerCall?: number;
}

/**
 * A variant of a route that is used if its `when` is true. The first variant that applies is
 * used.
 */
interface Variant {
  /** The condition on the input for using this variant (default: always used). */
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
  /** The path. `{name}` is replaced by one encoded segment, `{+name}` by several. */
  readonly path: string;
  /** Query parameters (default: none). */
  readonly query?: Mapping;
  /** Constant headers, such as `accept` (default: none). */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON (default: none). */
  readonly body?: Mapping;
  /** Maps the answer to the output of the capability. */
  readonly output: Mapping;
}

/** The command of the GitHub CLI that a card runs. */
export interface CardCli extends Variant {
  /** Sends the request of another route with the GitHub CLI (default: none). */
  readonly use?: "rest" | "graphql";
  /** The subcommand of `gh`, such as `issue view` (default: none). */
  readonly command?: string;
  /** Flags by name. True is a flag without a value; a list repeats the flag (default: none). */
  readonly flags?: Mapping;
  /** Arguments in order (default: none). */
  readonly positionals?: Mapping;
  /** Text for standard input, which is never put on the command line (default: nothing). */
  readonly stdin?: Mapping;
  /** Fields to request with `--json` (default: none). */
  readonly jsonFields?: readonly string[];
  /** Maps the answer to the output (default: the mapping of the route in `use`). */
  readonly output?: Mapping;
  /** The oldest version of the GitHub CLI that can run the command (default: any). */
  readonly min_gh_version?: string;
}

export const VERIFY_KINDS = ["created", "state", "gone"] as const;
/**
 * How a read shows that a write was applied. `created`: it finds a new object with this author and
 * content. `state`: it finds an object in the requested state. `gone`: it finds no object, although
 * the container can be read.
 */
export type VerifyKind = (typeof VERIFY_KINDS)[number];

/** The APIs over which a card can check the outcome of its write. */
export type ProbeApi = "graphql" | "rest";

/** A request that finds out whether the card's write was applied: a document, or a path to GET. */
export interface CardProbe extends Pick<
  CardLookup,
  "document" | "variables" | "path" | "query" | "value"
> {
  /**
   * Shows that the container of the object can be read, so that a missing object is really
   * missing. It is an expression over the same answer, or with a path, another path to GET.
   */
  readonly container?: string;
  /**
   * Path of a second GET request, built from the first answer. `value` then sees `{ first,
   * second }`. If a value in the path is null, the request is not sent and `second` is null.
   */
  readonly second?: string;
  /**
   * Whether this read shows less than the read over the other API. It is then used only if the
   * other one fails.
   */
  readonly fallback?: boolean;
  /** The condition on the input for using this read. */
  readonly when?: Expression;
  /** Maps the answer to the caller's login. */
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
   * Why no read can show whether the write was applied. If set, no read is made (default: a read
   * is made).
   */
  readonly unsettled?: string;
  /** The condition on the input for finding out the outcome (default: always). */
  readonly when?: Expression;
  /**
   * The id of a capability that can be read. If the card has its own reads, it only tells a
   * person where to look (default: none).
   */
  readonly capability?: string;
  /** The input of that capability (default: none). */
  readonly params?: Mapping;
  /**
   * Requests that find out whether the write was applied, by API. The second is used if the
   * first cannot be reached (default: none).
   */
  readonly graphql?: CardProbe;
  /** The read over REST (default: none). */
  readonly rest?: CardProbe;
  /**
   * Fields of the object and the values that they must equal. `viewer` is the caller (default:
   * nothing is compared).
   */
  readonly same?: Mapping;
  /** The field with the creation time of an object (default: none). */
  readonly created?: string;
  /** Whether a missing object proves that the write was not applied (default: false). */
  readonly authoritative?: boolean;
  /**
   * The field that identifies an object. It is also read before the write, to show which objects
   * are new (default: none).
   */
  readonly before?: string;
  /** Maps the object that was found to the output of the write (default: the object itself). */
  readonly output?: Mapping;
}

/** One step of a card that consists of calls. */
export interface CardStep {
  /** The name by which other steps refer to this step (default: `s0`, `s1`, …). */
  readonly id?: string;
  /** The id of the capability to call. */
  readonly task: string;
  /**
   * The input of the step. It may contain `$from`, `$text` and `$literal`, which can use
   * `params` and the envelopes of other steps (default: `{}`).
   */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The same as `params` (default: `{}`). */
  readonly input?: Readonly<Record<string, unknown>>;
  /**
   * A condition over `params` and the envelopes of other steps. The step is skipped if it is
   * false (default: always run).
   */
  readonly when?: Expression;
}

/**
 * A capability described as data: its schemas, and how it runs. It has routes that map input and
 * output, or steps that call other capabilities, or a program.
 */
export interface Card {
  /** The version of the card format (default: 1). */
  readonly format?: 1;
  /** The id of the capability. */
  readonly capability_id: string;
  /** The version of the capability. It is raised on breaking changes to inputs or outputs. */
  readonly version: string;
  /** The purpose of the capability, one sentence. */
  readonly description: string;
  /** The effect of the capability: read, write or destructive. */
  readonly effect: Effect;
  /** Whether repeating the call has no further effect (default: true for a read, else false). */
  readonly idempotent?: boolean;
  /**
   * States that a `read` changes nothing, although it uses a method or command that may change
   * data (default: false).
   */
  readonly safe?: boolean;
  /**
   * `false` hides the capability from lists. It can still be found by search and called
   * (default: true).
   */
  readonly exposed?: boolean;
  /** Alternative names of inputs, by the name in the schema (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** JSON Schema of the input. */
  readonly input_schema: JsonSchema;
  /** JSON Schema of the output. */
  readonly output_schema: JsonSchema;
  /**
   * The order of the routes. A card that consists only of steps or a program does not use it
   * (default: none).
   */
  readonly routing?: CardRouting;
  /** Calls to other capabilities that run instead of routes (default: none). */
  readonly steps?: readonly CardStep[];
  /**
   * For a card with both routes and steps: a condition on the input for running the steps. A
   * step may call the card itself (default: none).
   */
  readonly steps_when?: Expression;
  /**
   * A program in JavaScript or TypeScript that runs instead of routes. It reads its input from
   * the global `input` (default: none).
   */
  readonly code?: string;
  /** The ids that the program calls (default: those that appear in its text). */
  readonly calls?: readonly string[];
  /**
   * For cards with steps: maps `params` and the envelopes of the steps to the output (default:
   * none).
   */
  readonly output?: Mapping;
  /** Values to request before the main request, by name (default: none). */
  readonly lookup?: Readonly<Record<string, CardLookup>>;
  /** The GraphQL route. From a list, the first whose `when` is true is used (default: none). */
  readonly graphql?: CardGraphql | readonly CardGraphql[];
  /** The REST route. From a list, the first whose `when` is true is used (default: none). */
  readonly rest?: CardRest | readonly CardRest[];
  /** The GitHub CLI route. From a list, the first whose `when` is true is used (default: none). */
  readonly cli?: CardCli | readonly CardCli[];
  /**
   * How to find out whether the write was applied if its response is lost (default: it cannot be
   * found out).
   */
  readonly verify?: CardVerify;
  /**
   * Token scopes that the capability needs. They are checked only if the token's scopes are
   * known without a request (default: none).
   */
  readonly scopes?: readonly string[];
  /** Rights that an identity needs to call the capability (default: nothing). */
  readonly access?: AccessControl;
  /**
   * Optional groups of output fields that a call can request, with a mapping per route (default:
   * none).
   */
  readonly include?: Readonly<Record<string, Partial<Record<CardRouteName, Mapping>>>>;
  /** The request header for an idempotency key, if the upstream accepts one (default: none). */
  readonly idempotency_header?: string;
  /** Example inputs (default: none). */
  readonly examples?: readonly OperationExample[];
}

/** The variants of a route. A card with one variant may write it without a list. */
export function getVariants<Part>(part: Part | readonly Part[] | undefined): readonly Part[] {
  if (part === undefined) return [];
  return Array.isArray(part) ? (part as readonly Part[]) : [part as Part];
}
