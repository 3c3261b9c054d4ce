import type { CardFunctions } from "@waybill/core/cards";
import { over } from "./typed.ts";

interface Job {
  readonly id: number;
  readonly name: string;
  readonly conclusion?: string | null;
  readonly steps?: readonly { readonly name: string; readonly conclusion?: string | null }[] | null;
}

interface Annotation {
  readonly path?: string | null;
  readonly start_line?: number | null;
  readonly annotation_level?: string | null;
  readonly message?: string | null;
}

/** The annotations of one job; null if the caller may not read them. */
type Found = { readonly job: number; readonly list: readonly Annotation[] } | null;

interface ErrorLine {
  readonly path: string | null;
  readonly line: number | null;
  readonly message: string;
}

const FAILED = ["failure", "timed_out"];
/** In a long log the first errors are usually the cause of the others. */
const MAX_LINES = 20;
/**
 * The path of an annotation that the runner adds to every failed step. It names no line of code.
 */
const OF_RUNNER = ".github";

function errorsIn(list: readonly Annotation[]): ErrorLine[] {
  return list
    .filter(({ annotation_level: level }) => level === "failure")
    .slice(0, MAX_LINES)
    .map(({ path, start_line: line, message }) => {
      const isOfCode = typeof path === "string" && path !== OF_RUNNER;
      return {
        path: isOfCode ? path : null,
        line: isOfCode ? (line ?? null) : null,
        message: message ?? "",
      };
    });
}

/** The error lines of a job: empty if it did not fail, null if none were found. */
function errorLines(job: Job, annotations: readonly Found[] | null): ErrorLine[] | null {
  if (!FAILED.includes(job.conclusion ?? "")) return [];
  const found = annotations?.find((one) => one?.job === job.id);
  return found == null ? null : errorsIn(found.list);
}

function failedSteps({ steps }: Job): string[] {
  return (steps ?? [])
    .filter(({ conclusion }) => FAILED.includes(conclusion ?? ""))
    .map(({ name }) => name);
}

interface FailedRun {
  readonly run: number;
  readonly jobs: readonly Job[];
}

interface Asked {
  readonly annotations: readonly Found[] | null;
}

export const runErrorFunctions: CardFunctions = {
  errorLines: over(({ job, annotations }: Asked & { job: Job }) => errorLines(job, annotations)),
  runFailures: over(
    ({
      run,
      failed,
      annotations,
    }: Asked & { run: { id: number }; failed: readonly FailedRun[] | null }) => {
      const jobs = failed?.find((one) => one.run === run.id)?.jobs ?? [];
      return jobs.map((job) => ({
        jobId: job.id,
        job: job.name,
        steps: failedSteps(job),
        errors: errorLines(job, annotations),
      }));
    },
  ),
};
