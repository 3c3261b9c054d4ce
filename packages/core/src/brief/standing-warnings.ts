/** Whether a warning is the same for every call, so that showing it once is enough. */
export function isStandingWarning(warning: string): boolean {
  return warning.startsWith("Answered by ");
}

/**
 * The warnings to show. A standing warning that is already in `shown` is omitted; new ones are
 * added to it.
 */
export function unshown(
  warnings: readonly string[],
  shown: Set<string> | undefined,
): readonly string[] {
  if (shown === undefined) return warnings;
  return warnings.filter((warning) => {
    const isKnown = shown.has(warning);
    if (isStandingWarning(warning)) shown.add(warning);
    return !isKnown;
  });
}
