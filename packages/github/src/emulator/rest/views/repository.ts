import { PERMISSIONS } from "../../store/model.ts";
import type { Organization, Repository, User } from "../../store/model.ts";
import { can } from "../../store/access.ts";
import { nameWithOwner, sizeInKilobytes } from "../../store/facts.ts";
import type { Store } from "../../store/store.ts";
import { repoApi, repoHtml } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import { licenseView, simpleUser } from "./account.ts";

/** The members with URLs below the URL of the repository. */
const ADDRESSES = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
};

export function minimalRepository(urls: Urls, repository: Repository): Record<string, unknown> {
  const api = repoApi(urls, repository);
  return {
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: nameWithOwner(repository),
    private: repository.isPrivate,
    owner: simpleUser(urls, repository.owner),
    html_url: repoHtml(urls, repository),
    description: repository.description,
    fork: repository.parent !== null,
    url: api,
    ...Object.fromEntries(Object.entries(ADDRESSES).map(([key, rest]) => [key, `${api}${rest}`])),
  };
}

export interface Asked {
  readonly store: Store;
  readonly urls: Urls;
  readonly viewer: User;
}

export function repositoryView(
  { store, urls, viewer }: Asked,
  repository: Repository,
): Record<string, unknown> {
  const full = nameWithOwner(repository);
  const html = repoHtml(urls, repository);
  const open = [...repository.issues.values()].filter(({ state }) => state === "OPEN").length;
  const forks = store.repositories.filter(({ parent }) => parent === repository).length;
  const stars = repository.stargazers.length;
  return {
    ...minimalRepository(urls, repository),
    ...settingsView(repository),
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt ?? repository.createdAt,
    git_url: `git://github.com/${full}.git`,
    ssh_url: `git@github.com:${full}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: repository.homepage,
    language: repository.language,
    license: licenseView(urls, repository.license),
    size: sizeInKilobytes(store, repository),
    stargazers_count: stars,
    watchers_count: stars,
    watchers: stars,
    forks_count: forks,
    forks,
    open_issues_count: open,
    open_issues: open,
    permissions: permissionsView(viewer, repository),
  };
}

function settingsView(repository: Repository): Record<string, unknown> {
  const { settings } = repository;
  return {
    has_issues: settings.hasIssues,
    has_projects: settings.hasProjects,
    has_wiki: settings.hasWiki,
    has_discussions: settings.hasDiscussions,
    has_pages: false,
    has_downloads: true,
    archived: repository.isArchived,
    disabled: false,
    is_template: repository.isTemplate,
    topics: repository.topics,
    visibility: repository.isPrivate ? "private" : "public",
    default_branch: repository.defaultBranch,
    allow_forking: true,
    web_commit_signoff_required: false,
  };
}

function permissionsView(viewer: User, repository: Repository): Record<string, boolean> {
  const names = {
    READ: "pull",
    TRIAGE: "triage",
    WRITE: "push",
    MAINTAIN: "maintain",
    ADMIN: "admin",
  };
  return Object.fromEntries(PERMISSIONS.map((one) => [names[one], can(viewer, repository, one)]));
}

export function fullRepository(asked: Asked, repository: Repository): Record<string, unknown> {
  const { settings, parent, owner } = repository;
  const { store } = asked;
  return {
    ...repositoryView(asked, repository),
    allow_merge_commit: settings.mergeCommitAllowed,
    allow_squash_merge: settings.squashMergeAllowed,
    allow_rebase_merge: settings.rebaseMergeAllowed,
    allow_auto_merge: settings.autoMergeAllowed,
    delete_branch_on_merge: settings.deleteBranchOnMerge,
    subscribers_count: repository.watchers.length,
    network_count: store.repositories.filter((one) => one.parent === repository).length,
    ...(owner.type === "Organization" ? { organization: getOrganization(asked, owner) } : {}),
    ...(parent === null
      ? {}
      : { parent: repositoryView(asked, parent), source: repositoryView(asked, parent) }),
  };
}

function getOrganization({ urls }: Asked, owner: Organization): Record<string, unknown> {
  return simpleUser(urls, owner);
}
