import { nameWithOwner } from "./store/facts.ts";
import type {
  Account,
  CheckRun,
  Issue,
  IssueComment,
  PullRequest,
  Release,
  ReleaseAsset,
  Repository,
  Review,
  ReviewComment,
  WorkflowRun,
} from "./store/model.ts";

/** The URLs that the client sees. An enterprise host has other URLs. */
export interface Urls {
  /** Base URL of pages, such as https://github.com. */
  readonly html: string;
  /** Base URL of the REST API, such as https://api.github.com. */
  readonly api: string;
  readonly uploads: string;
  /** Base URL of stored files: logs, artifacts, assets. */
  readonly storage: string;
}

export function repoApi(urls: Urls, repository: Repository): string {
  return `${urls.api}/repos/${nameWithOwner(repository)}`;
}

export function repoHtml(urls: Urls, repository: Repository): string {
  return `${urls.html}/${nameWithOwner(repository)}`;
}

export function accountHtml(urls: Urls, { login }: Account): string {
  return `${urls.html}/${login}`;
}

export function subjectHtml(urls: Urls, subject: Issue | PullRequest): string {
  const folder = subject.type === "Issue" ? "issues" : "pull";
  return `${repoHtml(urls, subject.repository)}/${folder}/${subject.number}`;
}

export function commentHtml(urls: Urls, comment: IssueComment): string {
  return `${subjectHtml(urls, comment.subject)}#issuecomment-${comment.id}`;
}

export function reviewHtml(urls: Urls, review: Review): string {
  return `${subjectHtml(urls, review.pullRequest)}#pullrequestreview-${review.id}`;
}

export function reviewCommentHtml(urls: Urls, comment: ReviewComment): string {
  return `${subjectHtml(urls, comment.thread.pullRequest)}#discussion_r${comment.id}`;
}

export function runHtml(urls: Urls, run: WorkflowRun): string {
  return `${repoHtml(urls, run.repository)}/actions/runs/${run.id}`;
}

export function jobHtml(urls: Urls, run: WorkflowRun, job: CheckRun): string {
  return `${runHtml(urls, run)}/job/${job.id}`;
}

export function checkRunHtml(urls: Urls, check: CheckRun): string {
  const { run, repository } = check.suite;
  return run === null
    ? `${repoHtml(urls, repository)}/runs/${check.id}`
    : jobHtml(urls, run, check);
}

/** A draft has no tag yet, so its page has a temporary name. */
export function releaseHtml(urls: Urls, { repository, isDraft, tagName, id }: Release): string {
  const tag = isDraft ? `untagged-${id}` : encodeURIComponent(tagName);
  return `${repoHtml(urls, repository)}/releases/tag/${tag}`;
}

export function assetHtml(urls: Urls, { release, name }: ReleaseAsset): string {
  const place = `${encodeURIComponent(release.tagName)}/${encodeURIComponent(name)}`;
  return `${repoHtml(urls, release.repository)}/releases/download/${place}`;
}

export function avatarAddress({ id }: Account): string {
  return `https://avatars.githubusercontent.com/u/${id}?v=4`;
}
