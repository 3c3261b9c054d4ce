import type { CheckRun, Conclusion, Progress, Release, Repository, WorkflowRun } from "./model.ts";

export function nameWithOwner(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** The jobs of the latest attempt. */
export function jobsOf(run: WorkflowRun, attempt = run.attempt): CheckRun[] {
  return run.suite.checkRuns.filter((job) => job.attempt === attempt);
}

const WORST: readonly Conclusion[] = ["FAILURE", "TIMED_OUT", "CANCELLED", "ACTION_REQUIRED"];

/** Queued and running things first, then the worst conclusion of all. */
export function overallProgress(
  runs: readonly CheckRun[],
): Pick<Progress, "status" | "conclusion"> {
  if (runs.some(({ status }) => status === "IN_PROGRESS")) {
    return { status: "IN_PROGRESS", conclusion: null };
  }
  const unfinished = runs.find(({ status }) => status !== "COMPLETED");
  if (unfinished !== undefined || runs.length === 0) {
    return { status: unfinished?.status ?? "QUEUED", conclusion: null };
  }
  const worst = WORST.find((one) => runs.some(({ conclusion }) => conclusion === one));
  const isSkipped = runs.every(({ conclusion }) => conclusion === "SKIPPED");
  return { status: "COMPLETED", conclusion: worst ?? (isSkipped ? "SKIPPED" : "SUCCESS") };
}

/** The newest that is published and no prerelease. */
export function latestRelease({ releases }: Repository): Release | undefined {
  return releases
    .filter(({ isDraft, isPrerelease }) => !isDraft && !isPrerelease)
    .toSorted((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? "") || b.id - a.id)[0];
}
