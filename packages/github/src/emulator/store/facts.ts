import type {
  CheckRun,
  Conclusion,
  Progress,
  Release,
  Repository,
  User,
  WorkflowRun,
} from "./model.ts";
import type { Store } from "./store.ts";

export function nameWithOwner(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** The jobs of one attempt of a run (default: the latest). */
export function getJobs(run: WorkflowRun, attempt = run.attempt): CheckRun[] {
  return run.suite.checkRuns.filter((job) => job.attempt === attempt);
}

const WORST: readonly Conclusion[] = ["FAILURE", "TIMED_OUT", "CANCELLED", "ACTION_REQUIRED"];

/** The state of a whole: queued or running if any part is, otherwise the worst conclusion. */
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

/** The newest published release that is not a prerelease. */
export function latestRelease({ releases }: Repository): Release | undefined {
  return releases
    .filter(({ isDraft, isPrerelease }) => !isDraft && !isPrerelease)
    .toSorted((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? "") || b.id - a.id)[0];
}

export function authorAssociation(author: User, repository: Repository): string {
  const { owner } = repository;
  if (owner === author) return "OWNER";
  if (owner.type === "Organization" && owner.members.includes(author)) return "MEMBER";
  if (repository.collaborators.has(author)) return "COLLABORATOR";
  const hasMerged = [...repository.issues.values()].some(
    (one) => one.type === "PullRequest" && one.state === "MERGED" && one.author === author,
  );
  return hasMerged ? "CONTRIBUTOR" : "NONE";
}

/** The size of the checked-out files, in kilobytes. */
export function sizeInKilobytes({ objects }: Store, { refs, defaultBranch }: Repository): number {
  const files = objects.filesAt(refs.get(`refs/heads/${defaultBranch}`) ?? "");
  const bytes = [...files.values()].reduce((sum, oid) => sum + (objects.blob(oid)?.length ?? 0), 0);
  return Math.ceil(bytes / 1024);
}
