import type { JsonSchema } from "../envelope/index.ts";
import type { AccessControl, Effect, OperationExample } from "../operation/index.ts";

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
  /** The route to prefer. */
  readonly route: CardRouteName;
  /** JMESPath over `{params, env}`. */
  readonly predicate: Expression;
  /** Why, in a sentence. */
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
 * A value that a route needs and the caller does not know, requested first: by a document or by a
 * path.
 */
export interface CardLookup {
  /** Name of the operation to ask (default: none). */
  readonly document?: string;
  /** The variables of the document (default: the input of each name). */
  readonly variables?: Mapping;
  /** The path to GET instead (default: none). */
  readonly path?: string;
  /** Query parameters of the path (default: none). */
  readonly query?: Mapping;
  /**
   * A list of names, say: asked once for each, which is `$item` then, and the value is a list too
   * (default: asked once).
   */
  readonly each?: Expression;
  /** Over the answer. */
  readonly value: Mapping;
  /** Finding nothing is an answer too; without it, null is NOT_FOUND (default: false). */
  readonly optional?: boolean;
}

/** Limits on what a card requests. */
export interface CardLimits {
  /** Most items that one page may have (default: no limit). */
  readonly maxPageSize?: number;
  /** Most items that one call may ask for (default: no limit). */
  readonly maxItemsPerCall?: number;
}

/** A part that applies only when its `when` holds; the first that does is used. */
interface Variant {
  /** The inputs for which this route is taken (default: all). */
  readonly when?: Expression;
  /** Limits on what it may request (default: none). */
  readonly limits?: CardLimits;
}

/** How a card asks a GraphQL API. */
export interface CardGraphql extends Variant {
  /** The operation of the document. */
  readonly operationName: string;
  /** The file of the document, below the folder of the cards. */
  readonly documentPath: string;
  /** Without it, each variable takes the input of its name (default: the input of each name). */
  readonly variables?: Mapping;
  /** Maps the answer to the output. */
  readonly output: Mapping;
}

/** How a card calls a REST API. */
export interface CardRest extends Variant {
  /** The HTTP method. */
  readonly method: string;
  /** `{name}` stands for one encoded segment, `{+name}` for several. */
  readonly path: string;
  /** Query parameters (default: none). */
  readonly query?: Mapping;
  /** As they are, such as `accept` (default: none). */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON (default: none). */
  readonly body?: Mapping;
  /** Maps the answer to the output. */
  readonly output: Mapping;
}

/** How a card runs the GitHub CLI. */
export interface CardCli extends Variant {
  /** The same request as another route, sent by the program (default: none). */
  readonly use?: "rest" | "graphql";
  /** The subcommand, such as `issue view` (default: none). */
  readonly command?: string;
  /** Flags by name; true is a bare flag, a list repeats it (default: none). */
  readonly flags?: Mapping;
  /** Arguments in order (default: none). */
  readonly positionals?: Mapping;
  /** Handed over on standard input, never on the command line (default: nothing). */
  readonly stdin?: Mapping;
  /** Fields that `--json` asks for (default: none). */
  readonly jsonFields?: readonly string[];
  /** Maps the answer to the output (default: that of the route in `use`). */
  readonly output?: Mapping;
  /** The oldest GitHub CLI that can do it (default: any). */
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
  /** How the written thing is recognised (default: `created`). */
  readonly kind?: VerifyKind;
  /**
   * Why no read can show whether it took place; then there is no probe (default: there is a probe).
   */
  readonly unsettled?: string;
  /** The inputs for which it can be found out at all (default: all). */
  readonly when?: Expression;
  /**
   * A public read. With reads of the card's own it only says where a person can look (default:
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
   * Field of the object → what it must equal. `viewer` is who calls (default: nothing is compared).
   */
  readonly same?: Mapping;
  /** The field that says when an object was made (default: none). */
  readonly created?: string;
  /** Not finding it proves that it was not made (default: false). */
  readonly authoritative?: boolean;
  /**
   * The field that is a thing's own: read before the write too, it shows which of them are new
   * (default: none).
   */
  readonly before?: string;
  /**
   * Over what was found: what the lost answer would have said, where the two look different
   * (default: what was found).
   */
  readonly output?: Mapping;
}

/** One call of a card that is made of calls. */
export interface CardStep {
  /** The name used to refer to it (default: `s0`, `s1`, …). */
  readonly id?: string;
  /** The id of the capability to call. */
  readonly task: string;
  /**
   * May hold `$from`, `$text` and `$literal`, over `params` and the other steps' envelopes
   * (default: `{}`).
   */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Over the same; the step is left out when it does not hold (default: always). */
  readonly when?: Expression;
}

/**
 * An operation as data: schemas, and either routes in order with how each maps input and output, or
 * steps that call other operations, or a program that does.
 */
export interface Card {
  /** The id of the capability. */
  readonly capability_id: string;
  /** Raised on breaking changes to inputs or outputs. */
  readonly version: string;
  /** Its purpose, in a sentence. */
  readonly description: string;
  /** Its effect on the world. */
  readonly effect: Effect;
  /**
   * Whether doing it twice does no more than doing it once (default: true for a read, else false).
   */
  readonly idempotent?: boolean;
  /**
   * Says that a `read` changes nothing, although it sends a request that may change things
   * (default: false).
   */
  readonly safe?: boolean;
  /** `false` keeps it out of lists; it is still found by searching, and called (default: true). */
  readonly exposed?: boolean;
  /** Other names of inputs, by the proper name (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** JSON Schema of the input. */
  readonly input_schema: JsonSchema;
  /** JSON Schema of the output. */
  readonly output_schema: JsonSchema;
  /** Without it, there are steps or a program (default: none). */
  readonly routing?: CardRouting;
  /** Calls that together do it, instead of routes (default: none). */
  readonly steps?: readonly CardStep[];
  /** With routes: the inputs for which the steps do it. A step may call the card itself (default: none). */
  readonly steps_when?: Expression;
  /**
   * A program in JavaScript or TypeScript, instead of routes; its input is the global `input`
   * (default: none).
   */
  readonly code?: string;
  /** The ids that the program calls (default: those that its text names). */
  readonly calls?: readonly string[];
  /** For cards with steps: an expression over `params` and the steps' envelopes (default: none). */
  readonly output?: Mapping;
  /** Values to ask for before the request, by name (default: none). */
  readonly lookup?: Readonly<Record<string, CardLookup>>;
  /** The GraphQL route; of several the first whose `when` holds (default: none). */
  readonly graphql?: CardGraphql | readonly CardGraphql[];
  /** The REST route; of several the first whose `when` holds (default: none). */
  readonly rest?: CardRest | readonly CardRest[];
  /** The GitHub CLI route; of several the first whose `when` holds (default: none). */
  readonly cli?: CardCli | readonly CardCli[];
  /** How to find out whether a lost write took place (default: it cannot be found out). */
  readonly verify?: CardVerify;
  /** Token scopes, checked when they are known without a request (default: none). */
  readonly scopes?: readonly string[];
  /** Rights that an identity needs to call it (default: nothing). */
  readonly access?: AccessControl;
  /** Named extra field groups: output mappings by route, added on request (default: none). */
  readonly include?: Readonly<Record<string, Partial<Record<CardRouteName, Mapping>>>>;
  /** The header in which the upstream takes an idempotency key (default: none). */
  readonly idempotency_header?: string;
  /** Inputs that show how it is called (default: none). */
  readonly examples?: readonly OperationExample[];
}

/** The variants of a route, which a card may write as one. */
export function getVariants<Part>(part: Part | readonly Part[] | undefined): readonly Part[] {
  if (part === undefined) return [];
  return Array.isArray(part) ? (part as readonly Part[]) : [part as Part];
}
