import type { Comparison } from "./compare.ts";

export interface FeatureRow {
  readonly feature: string;
  operations: number;
  explained: number;
  filled: number;
  built: number;
}

export interface Finding {
  readonly kind: string;
  readonly where: string;
  readonly why: string;
}

export interface Mismatch {
  readonly where: string;
  readonly comparison: Comparison;
}

const ALL = "all operations";
const MAX_KEPT = 50_000;

/** Counts successes by feature, and keeps the failures. */
export class Tally {
  readonly rows = new Map<string, FeatureRow>();
  readonly failures: Finding[] = [];
  readonly mismatches: Mismatch[] = [];
  readonly uncompared: Finding[] = [];
  samples = 0;
  expected = 0;
  loaded = 0;
  same = 0;
  answered = 0;
  unanswerable = 0;

  get all(): FeatureRow {
    return this.#row(ALL);
  }

  #row(feature: string): FeatureRow {
    const known = this.rows.get(feature);
    if (known !== undefined) return known;
    const row = { feature, operations: 0, explained: 0, filled: 0, built: 0 };
    this.rows.set(feature, row);
    return row;
  }

  expect(operations: number): void {
    this.samples += 1;
    this.expected += operations;
  }

  load(operations: number): void {
    this.loaded += operations;
  }

  begin(features: readonly string[]): void {
    for (const feature of [ALL, ...features]) this.#row(feature).operations += 1;
  }

  pass(features: readonly string[], stage: "explained" | "filled" | "built"): void {
    for (const feature of [ALL, ...features]) this.#row(feature)[stage] += 1;
  }

  fail(kind: string, where: string, why: string): void {
    if (this.failures.length < MAX_KEPT) this.failures.push({ kind, where, why });
  }

  compared(where: string, comparison: Comparison): void {
    if (comparison.differences.length === 0) this.same += 1;
    else if (this.mismatches.length < MAX_KEPT) this.mismatches.push({ where, comparison });
  }

  notCompared(where: string, why: string): void {
    this.uncompared.push({ kind: "compare", where, why });
  }

  answer(where: string, problem: string | undefined): void {
    if (problem === undefined) this.answered += 1;
    else this.fail("answer", where, problem);
  }
}
