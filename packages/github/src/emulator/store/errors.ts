/** One entry of `errors` in a REST answer. GraphQL puts it into the message. */
export interface FieldError {
  readonly resource: string;
  readonly field: string;
  readonly code:
    | "missing"
    | "missing_field"
    | "invalid"
    | "already_exists"
    | "custom"
    | "unprocessable";
  readonly message?: string;
  readonly value?: unknown;
}

export type Refusal =
  | "NOT_FOUND"
  | "FORBIDDEN"
  | "UNPROCESSABLE"
  | "CONFLICT"
  | "GONE"
  | "NOT_MERGEABLE";

/** Why a request was refused. REST and GraphQL each convert it to their own form. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly refusal: Refusal;
  /** The entries of `errors`: strings for reviews, objects for everything else. */
  readonly errors: readonly (FieldError | string)[];

  constructor(refusal: Refusal, message: string, errors: readonly (FieldError | string)[] = []) {
    super(message);
    this.refusal = refusal;
    this.errors = errors;
  }
}

export function notFound(what: string): StoreError {
  return new StoreError("NOT_FOUND", `Could not resolve to ${what}.`);
}

/** The error for an invalid value, with the message of GitHub's answer. */
export function invalid(error: FieldError, message = "Validation Failed"): StoreError {
  return new StoreError("UNPROCESSABLE", message, [error]);
}

export function forbidden(message: string): StoreError {
  return new StoreError("FORBIDDEN", message);
}

/** The error for an invalid review. */
export function unprocessableReview(message: string): StoreError {
  return new StoreError("UNPROCESSABLE", "Unprocessable Entity", [message]);
}
