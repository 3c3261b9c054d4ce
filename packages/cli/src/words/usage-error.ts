/** Details of a usage error, for programs. */
export interface UsageDetails {
  /** The words that were probably meant. */
  readonly did_you_mean?: readonly string[];
  /** The next step. */
  readonly hint?: string;
  readonly [detail: string]: unknown;
}

/** An invalid command line, or an invalid file that the command needs. Nothing was called. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly details: UsageDetails;

  constructor(message: string, details: UsageDetails = {}) {
    super(message);
    this.details = details;
  }
}

/**
 * Also recognises errors from another copy of this module, because each bundle of the built command
 * has its own class.
 */
export function isUsageError(value: unknown): value is UsageError {
  if (value instanceof UsageError) return true;
  if (!(value instanceof Error) || value.name !== "UsageError") return false;
  const details: unknown = Reflect.get(value, "details");
  return typeof details === "object" && details !== null;
}

/** The error for an unknown word. Suggests the nearest known word. */
export async function unknownWord(
  message: string,
  word: string,
  names: Iterable<string>,
  hint: string,
): Promise<UsageError> {
  // This code is loaded only after a mistake, to keep other commands fast.
  const { nearestNames } = await import("@waybill/core/schema");
  const near = nearestNames(word, names, 1);
  if (near.length === 0) return new UsageError(message, { hint });
  return new UsageError(`${message}; did you mean ${near[0]}?`, { did_you_mean: near, hint });
}
