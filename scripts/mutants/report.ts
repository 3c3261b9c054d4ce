import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { root } from "../run.mjs";
import type { Verdict } from "./runner.ts";
import type { TestFile } from "./session.ts";

/** The results of a run, with everything that a later run needs to continue. */
export interface Report {
  readonly target: string | undefined;
  readonly seed: number;
  readonly testFiles: readonly TestFile[] | undefined;
  readonly verdicts: readonly Verdict[];
}

export function readReport(path: string): Report {
  return JSON.parse(readFileSync(resolve(root, path), "utf8")) as Report;
}

export function writeReport(path: string, report: Report): void {
  const file = resolve(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
