import type { Identity, AccessControl } from "./access.ts";
import type { JsonSchema, ResponseEnvelope } from "../envelope/index.ts";
import type { Parsed } from "../schema/index.ts";
import type { OperationCaller, OperationEnv } from "./env.ts";

/** The effects that an operation can have, the most harmless first. */
export const EFFECTS = ["read", "write", "destructive"] as const;
/** The effect of a call on the world. It decides retry, fallback, approval and caching. */
export type Effect = (typeof EFFECTS)[number];

/** Who put an operation here. Ids are given away in this order. */
export const ORIGINS = ["program", "pack", "user", "project"] as const;
/** Who provides an operation. */
export type Origin = (typeof ORIGINS)[number];

/** An operation in a line: what lists and searches show. */
export interface OperationSummary {
  /** The id, as `namespace.name`. */
  readonly id: string;
  /** Its purpose, in a sentence. */
  readonly description: string;
  /** Its effect on the world. */
  readonly effect: Effect;
  /** Whether doing it twice does no more than doing it once. */
  readonly idempotent: boolean;
  /** Whether it answers once or many times. */
  readonly kind: "call" | "subscription";
  /**
   * Names of its inputs, for searching. Read off the schema where they are not given (default: the
   * names in the schema).
   */
  readonly parameters?: readonly string[];
  /** Shown in lists; what is not can still be found by searching, and called (default: true). */
  readonly exposed?: boolean;
  /** Other ids it answers to, unless another operation has them (default: none). */
  readonly alsoCalled?: readonly string[] | undefined;
  /** Nobody stated the effect: it was assumed to be a write (default: false). */
  readonly assumed?: boolean;
  /**
   * Its author says that it only reads, although its request is one that may change things
   * (default: false).
   */
  readonly safe?: boolean;
  /**
   * It does whatever its caller writes, such as any GraphQL document, or is part of a whole API that
   * a pack offers below its capabilities. A policy with rules turns it off (default: false).
   */
  readonly raw?: boolean;
  /**
   * Why it may not be called before the user trusts it, in a sentence that says what to do
   * (default: none).
   */
  readonly needsTrust?: string | undefined;
}

/** Values that are not known yet, in a chain, may be anything; what it cannot read it leaves. */
type InputNormaliser = (
  params: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

/** An input that shows how an operation is called. */
export interface OperationExample {
  /** The purpose of the example. */
  readonly title: string;
  /** The params of the call. */
  readonly input: object;
}

/** All there is to know of an operation but how it is done. */
export interface OperationSpec extends OperationSummary {
  /** Schema of the input; `true` takes anything. */
  readonly inputSchema: JsonSchema;
  /** `true` when nothing is known of the output. */
  readonly outputSchema: JsonSchema;
  /** Rights that an identity needs to call it (default: nothing). */
  readonly access?: AccessControl;
  /** Other names an input goes by (default: none). */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /**
   * Puts right what callers write instead, such as an address for a number, before any check
   * (default: none).
   */
  readonly normaliseInput?: InputNormaliser | undefined;
  /** Puts what was answered into the form that callers know, before it is checked (default: as it is). */
  readonly normaliseOutput?: ((data: unknown) => unknown) | undefined;
  /**
   * The inputs that it may read out of the text in others; any of them where this is not said
   * (default: any of them).
   */
  readonly inputsInText?: readonly string[] | undefined;
  /**
   * Whether its routes read a list page by page. Where this is not said, the inputs `first` and
   * `after` are the page, or `limit` and `cursor` (default: false).
   */
  readonly pages?: boolean | undefined;
  /**
   * An integer of the input may also be a text of digits that a number cannot hold. For operations
   * that send their input somewhere else, and send such a text as the number it is (default:
   * false).
   */
  readonly takesDigits?: boolean | undefined;
  /**
   * The description was written for another program and may leave out names. An undeclared name
   * inside an object is sent with a warning instead of refused, and an input schema that declares no
   * names takes any (default: false).
   */
  readonly looseInput?: boolean | undefined;
  /**
   * Takes undeclared members off the output, also where the schema leaves objects open (default:
   * false).
   */
  readonly strip?: boolean;
  /** Sentences that `explain` shows (default: none). */
  readonly notes?: readonly string[];
  /** Inputs that work, each with what it is for (default: none). */
  readonly examples?: readonly OperationExample[] | undefined;
  /** Name of the source it came from (default: none). */
  readonly source?: string | undefined;
  /** Who configured that source (default: none). */
  readonly origin?: Origin | undefined;
  /** The id that its source gave it, where another operation has that id here (default: none). */
  readonly declaredId?: string | undefined;
  /**
   * Validation by the library the schema was written with, which may transform the input (default:
   * the check by `inputSchema`).
   */
  readonly parseInput?: ((input: unknown) => Promise<Parsed>) | undefined;
}

/**
 * The facts that travel with a call besides its input. Members may be undefined, so that these
 * objects are created in one step, which keeps them cheap.
 */
export interface CallMetadata {
  readonly requestId?: string | undefined;
  readonly parentRequestId?: string | undefined;
  readonly identity?: Identity | undefined;
  /** The account of the source to use; calls made by this one use it too. */
  readonly account?: string | undefined;
  /** Absolute, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** The call is made only to look: it, and what it calls, may do nothing but read. */
  readonly readsOnly?: boolean | undefined;
}

/** The context of a handler besides its input. Calls made through it are this call's children. */
export interface OperationContext extends OperationCaller, CallMetadata {
  /** The id that was called. */
  readonly operationId: string;
  /** The id of this call. */
  readonly requestId: string;
  /** Aborts at the deadline, and when the caller gives up. */
  readonly signal: AbortSignal;
  /** Other operations as functions: `env.issue.view(params)`. */
  readonly env: OperationEnv;
  /** Calls what only reads; anything else is refused before it runs. It may get less time. */
  look(operationId: string, input?: unknown, deadline?: number): Promise<ResponseEnvelope>;
}

/** Runs an operation. Its input is checked before. */
export type OperationHandler = (input: unknown, context: OperationContext) => unknown;

/** Runs a subscription: yields one value after the other. */
export type SubscriptionHandler = (
  input: unknown,
  context: OperationContext,
) => AsyncIterable<unknown>;

/** Done by a function of this process. */
export interface LocalRun {
  /** Marks a function. */
  readonly kind: "local";
  /** The function. */
  readonly handler: OperationHandler | SubscriptionHandler;
}

/** Done over routes, by steps or by a program. The router knows the contents. */
interface OtherRun {
  readonly kind: "routed" | "steps" | "code";
}

/** How an operation is done. */
export type OperationRun = LocalRun | OtherRun;

/** A described operation, and how it is done. The type parameters exist for types only. */
export interface Operation<Input = unknown, Output = unknown, Id extends string = string> {
  /** The description of the operation. */
  readonly spec: OperationSpec;
  /** How the operation is done. */
  readonly run: OperationRun;
  /** Exists for types only, never at run time (default: none). */
  readonly "~types"?: { readonly id: Id; readonly input: Input; readonly output: Output };
}

const ID_PATTERN = /^[\w-]+(?:\.[\w-]+)+$/u;
const MAX_ID_LENGTH = 256;

/** An id is `namespace.name`; the last dot splits. */
export function splitId(id: string): { namespace: string; name: string } {
  const dot = id.lastIndexOf(".");
  return { namespace: id.slice(0, Math.max(0, dot)), name: id.slice(dot + 1) };
}

export function checkId(id: string): void {
  if (typeof id !== "string" || id.length > MAX_ID_LENGTH || !ID_PATTERN.test(id)) {
    throw new TypeError(`"${String(id).slice(0, 80)}" is not an operation id like "issue.view"`);
  }
}

/** Whether doing it twice does no more than doing it once. */
export function isRepeatable(spec: Pick<OperationSpec, "effect" | "idempotent">): boolean {
  return spec.effect === "read" || spec.idempotent;
}
