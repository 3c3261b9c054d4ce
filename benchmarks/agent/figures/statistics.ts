export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** The mean without the lowest and highest tenth, so that a few long lists do not dominate. */
export function trimmedMean(values: readonly number[]): number {
  const cut = Math.floor(values.length / 10);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

/** The percentile by nearest rank, so that it is a measured value. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
