import { nameWithOwner } from "./store/facts.ts";
import type { Account, Issue, PullRequest, Repository } from "./store/model.ts";

/** Where things are, as seen by whoever asked; an enterprise host has other addresses. */
export interface Urls {
  /** Pages, such as https://github.com. */
  readonly html: string;
  /** The REST API, such as https://api.github.com. */
  readonly api: string;
  readonly uploads: string;
  /** Files that are kept elsewhere: logs, artifacts, assets. */
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

export function avatarOf({ id }: Account): string {
  return `https://avatars.githubusercontent.com/u/${id}?v=4`;
}
