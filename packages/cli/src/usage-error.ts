/** More about a mistake, for programs. */
export interface UsageDetails {
  /** The most likely intended words. */
  readonly did_you_mean?: readonly string[];
  /** The next step. */
  readonly hint?: string;
  readonly [detail: string]: unknown;
}

/** The command, or a file it depends on, was written wrongly; nothing was tried. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly details: UsageDetails;

  constructor(message: string, details: UsageDetails = {}) {
    super(message);
    this.details = details;
  }
}

/**
 * Recognises one of another copy of this module as well: the built command is a bundle, and its
 * slower commands are modules beside it with classes of their own.
 */
export function isUsageError(value: unknown): value is UsageError {
  if (value instanceof UsageError) return true;
  if (!(value instanceof Error) || value.name !== "UsageError") return false;
  const details: unknown = Reflect.get(value, "details");
  return typeof details === "object" && details !== null;
}

/** The error for a word that is none of the known ones, naming the one it resembles. */
export async function unknownWord(
  message: string,
  word: string,
  names: Iterable<string>,
  hint: string,
): Promise<UsageError> {
  // Only a mistake pays for loading what finds the nearest name.
  const { nearestNames } = await import("@waybill/core/schema");
  const near = nearestNames(word, names, 1);
  if (near.length === 0) return new UsageError(message, { hint });
  return new UsageError(`${message}; did you mean ${near[0]}?`, { did_you_mean: near, hint });
}
