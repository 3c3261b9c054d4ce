import type { Identity, AccessControl } from "./access.ts";
import type { JsonSchema, ResponseEnvelope } from "../envelope/index.ts";
import type { Parsed } from "../schema/index.ts";
import type { OperationCaller, OperationEnv } from "./env.ts";

/** The effects that an operation can have, the least harmful first. */
export const EFFECTS = ["read", "write", "destructive"] as const;
/** The effect of a call. It decides retry, fallback, approval and caching. */
export type Effect = (typeof EFFECTS)[number];

/**
 * The origins of an operation. If two operations have the same id, the one with the earlier
 * origin gets it.
 */
export const ORIGINS = ["program", "pack", "user", "project"] as const;
/** Who provides an operation. */
export type Origin = (typeof ORIGINS)[number];

/** A short description of an operation, for lists and searches. */
export interface OperationSummary {
  /** The id, as `namespace.name`. */
  readonly id: string;
  /** The purpose of the operation, in a sentence. */
  readonly description: string;
  /** The effect of the operation: read, write or destructive. */
  readonly effect: Effect;
  /** Whether repeating the call has no further effect. */
  readonly idempotent: boolean;
  /** Whether the operation answers once or many times. */
  readonly kind: "call" | "subscription";
  /** Names of the inputs, for searching (default: the names in the schema). */
  readonly parameters?: readonly string[];
  /**
   * The inputs in a line, such as `(owner, number:integer, include?)`, from a source that can list
   * its operations without loading their schemas (default: taken from the schema).
   */
  readonly signature?: string | undefined;
  /**
   * Whether lists show the operation. A hidden operation can still be found by search and called
   * (default: true).
   */
  readonly exposed?: boolean;
  /**
   * Other ids of the operation, as far as no other operation has them. `issue_read?method=get`
   * applies only if the input `method` is `get`, and that input is then left out. `run.view?job`
   * applies if there is an input `job`, which is kept (default: none).
   */
  readonly alsoCalled?: readonly string[] | undefined;
  /**
   * Whether the effect `write` is only an assumption, because nothing states the effect
   * (default: false).
   */
  readonly assumed?: boolean;
  /**
   * Whether the effect `read` is only a claim of its author, because its kind of request may
   * change data (default: false).
   */
  readonly safe?: boolean;
  /**
   * Whether this is a raw operation: it runs any request that its caller writes, such as a
   * GraphQL document, or it is part of a whole API that a pack offers besides its capabilities.
   * A policy with rules disables it (default: false).
   */
  readonly raw?: boolean;
  /**
   * Set if the operation may be called only after the user trusts it: the reason and what to do,
   * in one sentence (default: none).
   */
  readonly needsTrust?: string | undefined;
}

/**
 * Corrects the names and values of params. Values that it cannot read stay, because in a chain
 * some are not known yet.
 */
type InputNormaliser = (
  params: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

/** An example input of an operation. */
export interface OperationExample {
  /** The purpose of the example. */
  readonly title: string;
  /** The params of the call. */
  readonly input: object;
}

/** The full description of an operation, without the code that runs it. */
export interface OperationSpec extends OperationSummary {
  /** Schema of the input. `true` accepts anything. */
  readonly inputSchema: JsonSchema;
  /** Schema of the output. `true` if it is not known. */
  readonly outputSchema: JsonSchema;
  /** Rights that an identity needs to call the operation (default: nothing). */
  readonly access?: AccessControl;
  /** Alternative names of inputs (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /**
   * Inputs that other ids of the operation imply, such as `event` for `pr.approve`. An explicit
   * input takes precedence (default: none).
   */
  readonly idInputs?: Readonly<Record<string, object>> | undefined;
  /**
   * Alternative names of output fields. A field has such a name in the answer only if it was
   * selected by it. Programs can read them too (default: none).
   */
  readonly otherFields?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Output fields that brief answers leave out if they are not selected. They are fields of the
   * answer, or of each item of a list (default: none).
   */
  readonly rareFields?: readonly string[] | undefined;
  /** Corrects inputs before validation, such as a URL instead of a number (default: none). */
  readonly normaliseInput?: InputNormaliser | undefined;
  /**
   * Replaces values of the validated input that need a request, such as `@me`. Returns undefined
   * if there are none (default: none).
   */
  readonly completeInput?:
    | ((
        input: Readonly<Record<string, unknown>>,
        look: OperationContext["look"],
      ) => Promise<Readonly<Record<string, unknown>>> | undefined)
    | undefined;
  /**
   * Converts the answer to the form that callers expect, before validation (default: unchanged).
   */
  readonly normaliseOutput?: ((data: unknown) => unknown) | undefined;
  /**
   * The inputs that `normaliseInput` may find in the text of other inputs (default: any of
   * them).
   */
  readonly inputsInText?: readonly string[] | undefined;
  /**
   * Whether the routes of the operation read a list page by page. If false, paging uses the inputs
   * `first` and `after`, or `limit` and `cursor` (default: false).
   */
  readonly pages?: boolean | undefined;
  /**
   * Whether an integer input may also be a string of digits that is too large for a number. Used by
   * operations that send such a string as a number (default: false).
   */
  readonly takesDigits?: boolean | undefined;
  /**
   * Whether the description was written for another program and may be incomplete. An undeclared
   * name inside an object is then sent with a warning instead of being refused, and an input
   * schema without names accepts any name (default: false).
   */
  readonly looseInput?: boolean | undefined;
  /**
   * Whether another process checks the input and may accept more than the schema says, such as
   * `repo` for an owner and a name. An input that does not fit the schema is then sent unchanged
   * (default: false).
   */
  readonly checkedElsewhere?: boolean | undefined;
  /**
   * Whether undeclared members are removed from the output, even if the schema allows them
   * (default: false).
   */
  readonly strip?: boolean;
  /** Sentences that `explain` shows (default: none). */
  readonly notes?: readonly string[];
  /** Example inputs that work, each with its purpose (default: none). */
  readonly examples?: readonly OperationExample[] | undefined;
  /** Name of the source (default: none). */
  readonly source?: string | undefined;
  /** Who configured that source (default: none). */
  readonly origin?: Origin | undefined;
  /**
   * The id that the source uses for the operation, if another operation has that id here (default:
   * none).
   */
  readonly declaredId?: string | undefined;
  /**
   * Validation by the schema library, which may transform the input (default: validation by
   * `inputSchema`).
   */
  readonly parseInput?: ((input: unknown) => Promise<Parsed>) | undefined;
}

/**
 * Data of a call besides its input. Members may be undefined, so that these objects are created
 * in one fast step.
 */
export interface CallMetadata {
  readonly requestId?: string | undefined;
  readonly parentRequestId?: string | undefined;
  readonly identity?: Identity | undefined;
  /** The account of the source. Calls that this call makes use it too. */
  readonly account?: string | undefined;
  /** When the call must end, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** Whether the call, and every call that it makes, may only read. */
  readonly readsOnly?: boolean | undefined;
}

/**
 * The context that a handler gets besides its input. Calls made through it are children of this
 * call.
 */
export interface OperationContext extends OperationCaller, CallMetadata {
  /** The id that was called. */
  readonly operationId: string;
  /** The id of this call. */
  readonly requestId: string;
  /** Aborts at the deadline, and when the caller gives up. */
  readonly signal: AbortSignal;
  /** Other operations as functions: `env.issue.view(params)`. */
  readonly env: OperationEnv;
  /**
   * Calls an operation that only reads; others are refused before they run. The call may have an
   * earlier deadline than its parent.
   */
  look(operationId: string, input?: unknown, deadline?: number): Promise<ResponseEnvelope>;
}

/** Runs an operation. Its input was validated before. */
export type OperationHandler = (input: unknown, context: OperationContext) => unknown;

/** Runs a subscription: yields one value after the other. */
export type SubscriptionHandler = (
  input: unknown,
  context: OperationContext,
) => AsyncIterable<unknown>;

/** An operation that a function in this process runs. */
export interface LocalRun {
  /** Marks a local function. */
  readonly kind: "local";
  /** The function. */
  readonly handler: OperationHandler | SubscriptionHandler;
}

/** An operation that routes, steps or a program run. Only the router reads the other members. */
interface OtherRun {
  readonly kind: "routed" | "steps" | "code";
}

/** How an operation is run. */
export type OperationRun = LocalRun | OtherRun;

/**
 * An operation: its description, and how it is run. The type parameters are used only by the
 * compiler.
 */
export interface Operation<Input = unknown, Output = unknown, Id extends string = string> {
  /** The description of the operation. */
  readonly spec: OperationSpec;
  /** How the operation is run. */
  readonly run: OperationRun;
  /** Used only by the compiler, never set at run time (default: none). */
  readonly "~types"?: { readonly id: Id; readonly input: Input; readonly output: Output };
}

const ID_PATTERN = /^[\w-]+(?:\.[\w-]+)+$/u;
const MAX_ID_LENGTH = 256;

/** Splits an id into namespace and name at the last dot. */
export function splitId(id: string): { namespace: string; name: string } {
  const dot = id.lastIndexOf(".");
  return { namespace: id.slice(0, Math.max(0, dot)), name: id.slice(dot + 1) };
}

export function checkId(id: string): void {
  if (typeof id !== "string" || id.length > MAX_ID_LENGTH || !ID_PATTERN.test(id)) {
    throw new TypeError(`"${String(id).slice(0, 80)}" is not an operation id like "issue.view"`);
  }
}

/** Whether repeating the call has no further effect. */
export function isRepeatable(spec: Pick<OperationSpec, "effect" | "idempotent">): boolean {
  return spec.effect === "read" || spec.idempotent;
}
