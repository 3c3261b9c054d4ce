import type { FileChange, GitActor, GitCommit } from "../../git/index.ts";
import { changesBetween } from "../../git/index.ts";
import { getUser } from "../../store/commits.ts";
import { gitNodeId } from "../../store/ids.ts";
import type { Repository } from "../../store/model.ts";
import type { Store } from "../../store/store.ts";
import { repoApi, repoHtml } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import { simpleUser } from "./account.ts";

const UNSIGNED = {
  verified: false,
  reason: "unsigned",
  signature: null,
  payload: null,
  verified_at: null,
};

export interface InRepository {
  readonly store: Store;
  readonly urls: Urls;
  readonly repository: Repository;
}

export function gitCommitView(place: InRepository, commit: GitCommit): Record<string, unknown> {
  const api = repoApi(place.urls, place.repository);
  const html = repoHtml(place.urls, place.repository);
  return {
    sha: commit.oid,
    node_id: gitNodeId("Commit", place.repository, commit.oid),
    url: `${api}/git/commits/${commit.oid}`,
    html_url: `${html}/commit/${commit.oid}`,
    author: commit.author,
    committer: commit.committer,
    message: commit.message,
    tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    parents: getParents(place, commit, "git/commits"),
    verification: UNSIGNED,
  };
}

function getParents(
  { urls, repository }: InRepository,
  { parents }: GitCommit,
  folder: string,
): unknown[] {
  return parents.map((sha) => ({
    sha,
    url: `${repoApi(urls, repository)}/${folder}/${sha}`,
    html_url: `${repoHtml(urls, repository)}/commit/${sha}`,
  }));
}

function getPerson({ store, urls }: InRepository, actor: GitActor): Record<string, unknown> | null {
  const user = getUser(store, actor);
  return user === undefined ? null : simpleUser(urls, user);
}

export function commitView(place: InRepository, commit: GitCommit): Record<string, unknown> {
  const api = repoApi(place.urls, place.repository);
  return {
    sha: commit.oid,
    node_id: gitNodeId("Commit", place.repository, commit.oid),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${commit.oid}`,
      comment_count: 0,
      verification: UNSIGNED,
    },
    url: `${api}/commits/${commit.oid}`,
    html_url: `${repoHtml(place.urls, place.repository)}/commit/${commit.oid}`,
    comments_url: `${api}/commits/${commit.oid}/comments`,
    author: getPerson(place, commit.author),
    committer: getPerson(place, commit.committer),
    parents: getParents(place, commit, "commits"),
  };
}

export function commitChanges({ objects }: Store, commit: GitCommit): FileChange[] {
  return changesBetween(objects, commit.parents[0] ?? null, commit.oid);
}

/** A commit with its changed files. */
export function fullCommit(
  place: InRepository,
  commit: GitCommit,
): Record<string, unknown> & { readonly files: readonly unknown[] } {
  const changes = commitChanges(place.store, commit);
  const additions = changes.reduce((sum, one) => sum + one.additions, 0);
  const deletions = changes.reduce((sum, one) => sum + one.deletions, 0);
  return {
    ...commitView(place, commit),
    stats: { total: additions + deletions, additions, deletions },
    files: changes.map((change) => changeView(place, commit.oid, change)),
  };
}

function person({ name, email }: GitActor): Record<string, string> {
  return { name, email };
}

export function simpleCommit(commit: GitCommit): Record<string, unknown> {
  return {
    id: commit.oid,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.author.date,
    author: person(commit.author),
    committer: person(commit.committer),
  };
}

export function changeView(
  { urls, repository }: InRepository,
  head: string,
  change: FileChange,
): Record<string, unknown> {
  const path = encodePath(change.path);
  const html = repoHtml(urls, repository);
  return {
    sha: change.oid,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${html}/blob/${head}/${path}`,
    raw_url: `${html}/raw/${head}/${path}`,
    contents_url: `${repoApi(urls, repository)}/contents/${path}?ref=${head}`,
    ...(change.patch ? { patch: change.patch } : {}),
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
  };
}

export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

export function refView(
  { urls, repository }: InRepository,
  name: string,
  oid: string,
): Record<string, unknown> {
  const api = repoApi(urls, repository);
  return {
    ref: name,
    node_id: gitNodeId("Ref", repository, name),
    url: `${api}/git/${encodePath(name)}`,
    object: { type: "commit", sha: oid, url: `${api}/git/commits/${oid}` },
  };
}

export interface Entry {
  readonly path: string;
  readonly type: "file" | "dir";
  readonly oid: string;
  readonly size: number;
}

export function contentView(
  { urls, repository }: InRepository,
  ref: string,
  { path, type, oid, size }: Entry,
): Record<string, unknown> {
  const api = repoApi(urls, repository);
  const html = repoHtml(urls, repository);
  const self = `${api}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`;
  const git = `${api}/git/${type === "file" ? "blobs" : "trees"}/${oid}`;
  const page = `${html}/${type === "file" ? "blob" : "tree"}/${ref}/${encodePath(path)}`;
  return {
    type,
    name: path.split("/").at(-1),
    path,
    sha: oid,
    size,
    url: self,
    html_url: page,
    git_url: git,
    download_url: type === "file" ? `${html}/raw/${ref}/${encodePath(path)}` : null,
    _links: { self, git, html: page },
  };
}
