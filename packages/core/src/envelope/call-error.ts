import { isCallErrorCode } from "./error-codes.ts";
import type { CallErrorCode, ErrorCode, Outcome } from "./error-codes.ts";

/** One problem of an input, at a JSON pointer. */
export interface Issue {
  /** JSON pointer to the value; empty for the input as a whole. */
  readonly path: string;
  /** The problem, worded to follow the path in a sentence. */
  readonly message: string;
  /** The allowed values or names. Absent if there is no such list. */
  readonly allowed?: readonly unknown[];
  /** The nearest allowed value or name. Absent if none is near. */
  readonly did_you_mean?: string;
  /** True if the value is absent. Not set if there is a value but it is invalid. */
  readonly missing?: true;
}

/** Facts about a failure. Other members may be added freely. */
export interface CallErrorDetails {
  /**
   * The specific code of an `EXECUTION_ERROR`. Without it the failure counts as internal. Absent if
   * `CallError.code` says enough.
   */
  readonly code?: ErrorCode;
  /** The HTTP status of the response. Absent without a response. */
  readonly status?: number;
  /** Whether a write was applied. Absent for reads. */
  readonly outcome?: Outcome;
  /** Milliseconds to wait before the next attempt. Absent if no wait is known. */
  readonly retry_after_ms?: number;
  /** Problems of the input. Absent if the input is not the cause. */
  readonly issues?: readonly Issue[];
  /** The nearest ids or names. Absent if nothing is near. */
  readonly did_you_mean?: readonly string[];
  /** The next step that may help. Absent if none is known. */
  readonly hint?: string;
  readonly [detail: string]: unknown;
}

/** Options of a CallError. */
export interface CallErrorOptions {
  /** The error behind this one (default: none). */
  readonly cause?: unknown;
}

/**
 * How a call fails inside the runtime. Compare `code`, not the class, if the error comes from
 * another process.
 *
 * @example
 * ```ts
 * import { CallError } from "@waybill/core";
 *
 * const error = new CallError("TIMEOUT", "The server did not answer", { outcome: "unknown" });
 * console.log(error.with({ hint: "Try again" }).details);
 * ```
 *
 * ```text
 * { outcome: 'unknown', hint: 'Try again' }
 * ```
 */
export class CallError extends Error {
  override readonly name = "CallError";
  /** The step at which the call failed. */
  readonly code: CallErrorCode;
  /** Facts about the failure, such as the outcome of a write. */
  readonly details: CallErrorDetails;

  /** Creates an error with these details (default: none) and this cause (default: none). */
  constructor(
    code: CallErrorCode,
    message: string,
    details: CallErrorDetails = {},
    options: CallErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  /** A copy with more details. Its cause is the cause of the original. */
  with(
    details: CallErrorDetails,
    { message, cause }: CallErrorOptions & { readonly message?: string } = {},
  ): CallError {
    const changed = { ...this.details, ...details };
    return new CallError(this.code, message ?? this.message, changed, {
      cause: cause ?? this.cause ?? this,
    });
  }
}

/**
 * Recognises a CallError, also one from another copy of this package, which `instanceof` does not.
 *
 * @example
 * ```ts
 * import { isCallError, fail } from "@waybill/core";
 *
 * const thrown: unknown = fail("CONFLICT", "Already merged");
 * if (isCallError(thrown)) console.log(thrown.details.code);
 * ```
 *
 * ```text
 * CONFLICT
 * ```
 */
export function isCallError(value: unknown): value is CallError {
  if (value instanceof CallError) return true;
  if (!(value instanceof Error) || value.name !== "CallError") return false;
  const { code, details } = value as Partial<CallError>;
  return isCallErrorCode(code) && typeof details === "object" && details !== null;
}

/**
 * Creates the error that a handler throws: a code, a message and details.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation, fail } from "@waybill/core";
 *
 * const find = defineOperation({
 *   id: "user.find",
 *   description: "Find a user",
 *   effect: "read",
 *   handler: () => {
 *     throw fail("NOT_FOUND", "There is no such user", { hint: "List users first" });
 *   },
 * });
 * const { error } = await createWaybill({ operations: [find] }).execute("user.find", {});
 * console.log(error?.code);
 * ```
 *
 * ```text
 * NOT_FOUND
 * ```
 */
export function fail(
  code: ErrorCode,
  message: string,
  details: CallErrorDetails = {},
  options: CallErrorOptions = {},
): CallError {
  return new CallError("EXECUTION_ERROR", message, { ...details, code }, options);
}

/** The message of a caught value, which need not be an error. */
export function thrownMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
