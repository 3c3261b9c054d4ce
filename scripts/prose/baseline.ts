/** How often each rule is broken, by file. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Change {
  readonly file: string;
  readonly rule: string;
  readonly found: number;
  readonly listed: number;
}

/** Where a file breaks a rule more often, or less often, than the baseline lists. */
export function compare(found: Counts, listed: Counts): { more: Change[]; less: Change[] } {
  const files = new Set([...Object.keys(found), ...Object.keys(listed)]);
  const changes = [...files]
    .toSorted()
    .flatMap((file) => changesIn(file, found[file], listed[file]));
  return {
    more: changes.filter((change) => change.found > change.listed),
    less: changes.filter((change) => change.found < change.listed),
  };
}

function changesIn(
  file: string,
  found: Counts[string] = {},
  listed: Counts[string] = {},
): Change[] {
  const names = new Set([...Object.keys(found), ...Object.keys(listed)]);
  return [...names].map((rule) => ({
    file,
    rule,
    found: found[rule] ?? 0,
    listed: listed[rule] ?? 0,
  }));
}

/**
 * The rules that are broken more often than before in all files together. A file that was moved or
 * split takes what it has with it, so single files are not compared.
 */
export function grownRules(found: Counts, listed: Counts): string[] {
  const [now, before] = [totals(found), totals(listed)];
  return [...now].filter(([rule, count]) => count > (before.get(rule) ?? 0)).map(([rule]) => rule);
}

function totals(counts: Counts): Map<string, number> {
  const sums = new Map<string, number>();
  for (const rules of Object.values(counts)) {
    for (const [rule, count] of Object.entries(rules)) {
      sums.set(rule, (sums.get(rule) ?? 0) + count);
    }
  }
  return sums;
}

/** One line for each file, so that changes to different files merge. */
export function formatCounts(counts: Counts): string {
  const lines = Object.keys(counts)
    .toSorted()
    .map((file) => `  ${JSON.stringify(file)}: ${JSON.stringify(counts[file])}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}
