export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

const MAX_TICKS = 40;

/** A logarithmic scale over all values. Values below one are drawn at one. */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const least = values.length === 0 ? 1 : Math.max(1, Math.min(...values));
  const most = Math.max(least, ...values);
  const low = Math.floor(Math.log10(least));
  const high = Math.max(low + 1, Math.ceil(Math.log10(most)));
  const at = (value: number): number =>
    from + ((Math.log10(Math.max(1, value)) - low) / (high - low)) * (to - from);
  const powers = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { at, ticks: powers };
}

/** A linear scale from zero, or the lowest negative value, to a round number above all values. */
export function linearScale(values: readonly number[], from: number, to: number): Scale {
  const most = Math.max(1, ...values);
  const least = Math.min(0, ...values);
  const step = stepFor(most - least);
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const count = Math.min(MAX_TICKS, Math.round((high - low) / step) + 1);
  return {
    at: (value) => from + ((value - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: count }, (_, index) => low + index * step),
  };
}

/** A step of 1, 2 or 5 times a power of ten, for about five steps. */
function stepFor(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 5));
  const digit = [1, 2, 5, 10].find((each) => span / (each * power) <= 6) ?? 10;
  return digit * power;
}
