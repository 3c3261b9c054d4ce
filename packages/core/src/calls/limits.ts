/** Limits on the duration of a request and on its values in flight. */
interface Limits {
  readonly deadline?: number | undefined;
  readonly window?: number | undefined;
  readonly idleTimeout?: number | undefined;
}

export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/**
 * Returns why a limit is invalid, or undefined. A window that is not a whole number would never
 * be used up, and a loop that compares with NaN would never end.
 */
export function problemWith({ deadline, window, idleTimeout }: Limits): string | undefined {
  if (deadline !== undefined && !Number.isSafeInteger(deadline)) {
    return `deadline must be a whole number of milliseconds since 1970, not ${String(deadline)}`;
  }
  if (window !== undefined && !isPositiveInteger(window)) {
    return `window must be a whole number from 1 up, not ${String(window)}`;
  }
  if (idleTimeout !== undefined && !(idleTimeout > 0)) {
    return `idleTimeout must be a number of milliseconds above 0, not ${String(idleTimeout)}`;
  }
  return undefined;
}
