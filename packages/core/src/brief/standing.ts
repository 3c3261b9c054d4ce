/** A warning about where all answers come from does not change from call to call. */
export function isStandingWarning(warning: string): boolean {
  return warning.startsWith("Answered by ");
}

/** The warnings to show; a standing one that `shown` has is left out, and others are added to it. */
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
