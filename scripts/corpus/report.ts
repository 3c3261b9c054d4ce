import { writeFileSync } from "node:fs";
import { benchmarks, circumstances, grid, writeSection } from "../../benchmarks/lib/report.mjs";
import { reasonFor } from "./reasons.ts";
import type { FeatureRow, Tally } from "./tally.ts";

const SHOWN = 10;

function count(value: number): string {
  return value.toLocaleString("en");
}

function share(part: number, whole: number): string {
  if (whole === 0) return "–";
  // A share in percent. It is never rounded up, so 100 % means all.
  return part === whole ? "100 %" : `${(Math.floor((part / whole) * 10_000) / 100).toFixed(2)} %`;
}

function cells({ feature, operations, explained, filled, built }: FeatureRow): string[] {
  return [
    feature,
    count(operations),
    share(explained, operations),
    share(filled, operations),
    share(built, operations),
  ];
}

function featureTable(tally: Tally): string {
  const rows = [...tally.rows.values()].toSorted((a, b) => b.operations - a.operations);
  return grid(["", "operations", "explained", "input", "request"], rows.map(cells));
}

/** How often each reason explains a difference between the two implementations. */
export function reasonCounts(tally: Tally): Map<string, number> {
  const counts = new Map<string, number>();
  for (const mismatch of tally.mismatches) {
    const reason = reasonFor(mismatch.comparison);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return new Map([...counts].toSorted((a, b) => b[1] - a[1]));
}

function comparedLines(tally: Tally): string[] {
  const compared = tally.same + tally.mismatches.length;
  if (compared === 0) return [];
  const reasons = [...reasonCounts(tally)].map(
    ([reason, times]) => `  - ${count(times)}: ${reason}`,
  );
  return [
    `- ${count(compared)} requests compared with those of \`swagger-client\` (method, path, query, headers, cookies, body, after decoding): ${count(tally.same)} are the same, ${count(tally.mismatches.length)} differ, ${count(tally.uncompared.length)} it could not build. Why they differ:`,
    ...reasons,
  ];
}

function failureLines(tally: Tally): string[] {
  if (tally.failures.length === 0) return [];
  const shown = tally.failures.slice(0, SHOWN).map(({ where, why }) => `  - ${where}: ${why}`);
  return [`- ${count(tally.failures.length)} findings, of them:`, ...shown];
}

export function summary(tally: Tally): string {
  const answers = tally.answered + tally.failures.filter(({ kind }) => kind === "answer").length;
  return [
    featureTable(tally),
    "",
    `- ${count(tally.samples)} descriptions; ${count(tally.loaded)} of ${count(tally.expected)} operations loaded.`,
    `- ${count(tally.answered)} of ${count(answers)} calls to a server made of the description were answered as described; for ${count(tally.unanswerable)} more no answer that fits could be generated, so they were not called.`,
    ...comparedLines(tally),
    ...failureLines(tally),
  ].join("\n");
}

/** Writes all deviations to a file. */
export function writeFindings(tally: Tally, file: string): void {
  const mismatches = tally.mismatches.map(({ where, comparison }) => ({
    where,
    reason: reasonFor(comparison),
    differences: comparison.differences,
    ours: { ...comparison.ours, body: String(comparison.ours.body ?? "").slice(0, 300) },
    theirs: {
      url: comparison.theirs.url,
      headers: comparison.theirs.headers,
      body: typeof comparison.theirs.body === "string" ? comparison.theirs.body.slice(0, 300) : "",
    },
  }));
  const { failures, uncompared } = tally;
  writeFileSync(file, JSON.stringify({ failures, uncompared, mismatches }, null, 1));
}

export function writeReport(tally: Tally, seconds: number): void {
  const notes = [
    summary(tally),
    `\`npm run corpus\` took ${Math.round(seconds)} s. "explained": every required input is named; "input": a generated input passes the operation's schema; "request": it was built. The generator, the server and the reader of the descriptions share no code with the adapter.`,
  ];
  writeSection("corpus", ["## The corpus of descriptions", circumstances(), ...notes]);
  console.log(`\nwritten to ${benchmarks}RESULTS.md`);
}
