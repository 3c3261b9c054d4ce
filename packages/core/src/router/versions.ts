interface Version {
  readonly numbers: readonly number[];
  readonly preRelease: string;
}

function parseVersion(text: string): Version {
  const [release = "", ...rest] = (text.replace(/^v/u, "").split("+", 1)[0] ?? "").split("-");
  const numbers = release.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return { numbers, preRelease: rest.join("-") };
}

/** A release comes after its own release candidates. */
function comparePreReleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "" || b === "") return a === "" ? 1 : -1;
  return Math.sign(a.localeCompare(b, "en", { numeric: true }));
}

/**
 * Compares two versions. Negative if `a` is older than `b`, positive if it is newer. Missing
 * numbers count as 0.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let index = 0; index < length; index++) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return comparePreReleases(left.preRelease, right.preRelease);
}
