/** One entry of the `errors` list in a REST answer, and of what GraphQL says in words. */
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

/** Why a request was refused, in neither face's words; each face puts it into its own. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly refusal: Refusal;
  /** Sentences for reviews, objects for everything else. */
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

/** A value that GitHub does not take; the message is what its answer says. */
export function invalid(error: FieldError, message = "Validation Failed"): StoreError {
  return new StoreError("UNPROCESSABLE", message, [error]);
}

export function forbidden(message: string): StoreError {
  return new StoreError("FORBIDDEN", message);
}

/** A review that GitHub does not take. */
export function unprocessableReview(message: string): StoreError {
  return new StoreError("UNPROCESSABLE", "Unprocessable Entity", [message]);
}
