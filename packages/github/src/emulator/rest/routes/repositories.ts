import { given } from "../../input.ts";
import type { Input } from "../../input.ts";
import { can, need, findPermission } from "../../store/access.ts";
import { findCommit } from "../../store/commits.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { findAccount } from "../../store/find.ts";
import type { Account, Organization, Repository, RepositorySettings } from "../../store/model.ts";
import * as repositories from "../../store/mutations/repositories.ts";
import { visible } from "../../store/search.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, json, noContent, ok } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { simpleUser } from "../views/account.ts";
import { fullRepository, repositoryView } from "../views/repository.ts";

/** The REST names of the repository settings. */
const SETTINGS: Readonly<Record<keyof RepositorySettings, string>> = {
  hasIssues: "has_issues",
  hasWiki: "has_wiki",
  hasProjects: "has_projects",
  hasDiscussions: "has_discussions",
  mergeCommitAllowed: "allow_merge_commit",
  squashMergeAllowed: "allow_squash_merge",
  rebaseMergeAllowed: "allow_rebase_merge",
  autoMergeAllowed: "allow_auto_merge",
  deleteBranchOnMerge: "delete_branch_on_merge",
};

function getSettings(body: Input): Partial<RepositorySettings> {
  const pairs = Object.entries(SETTINGS).map(([key, name]) => [key, body.flag(name)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

const MAX_TOPICS = 20;

function checkTopics(names: readonly string[]): void {
  const isValid = names.every((name) => /^[a-z0-9][a-z0-9-]{0,49}$/u.test(name));
  if (isValid && names.length <= MAX_TOPICS) return;
  const message = isValid
    ? `A repository cannot have more than ${MAX_TOPICS} topics.`
    : "Topics must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens.";
  throw invalid({ resource: "Repository", field: "topics", code: "custom", message });
}

function findPrivacy(body: Input): boolean | undefined {
  const visibility = body.text("visibility");
  return visibility === undefined ? body.flag("private") : visibility !== "public";
}

function findOrganization(call: RestCall): Organization {
  const found = findAccount(call.store, call.param("org"));
  if (found?.type !== "Organization") throw new StoreError("NOT_FOUND", "Not Found");
  return found;
}

function create(call: RestCall, owner: Account): Reply {
  const { store, viewer, body } = call;
  const name = body.text("name");
  if (name === undefined)
    throw invalid({ resource: "Repository", field: "name", code: "missing_field" });
  const facts = given({
    description: body.textOrNull("description"),
    homepage: body.textOrNull("homepage"),
    isPrivate: findPrivacy(body),
    isTemplate: body.flag("is_template"),
    hasReadme: body.flag("auto_init"),
  });
  const settings = getSettings(body);
  const made = repositories.createRepository(store, viewer, { name, owner, settings, ...facts });
  return created(fullRepository(call, made));
}

function update(call: RestCall): Reply {
  const { store, viewer, repository, body } = call;
  const edits = given({
    name: body.text("name"),
    description: body.textOrNull("description"),
    homepage: body.textOrNull("homepage"),
    isPrivate: findPrivacy(body),
    isArchived: body.flag("archived"),
    isTemplate: body.flag("is_template"),
    defaultBranch: body.text("default_branch"),
  });
  repositories.updateRepository(store, viewer, repository, {
    ...edits,
    settings: getSettings(body),
  });
  return ok(fullRepository(call, repository));
}

function fork(call: RestCall): Reply {
  const { store, viewer, repository, body } = call;
  const login = body.text("organization");
  const owner = login === undefined ? undefined : repositories.findOwner(store, login);
  const facts = given({ owner, name: body.text("name") });
  return json(
    202,
    fullRepository(call, repositories.forkRepository(store, viewer, repository, facts)),
  );
}

function listRepositories(call: RestCall, all: readonly Repository[]): Reply {
  const sort = call.query("sort") ?? "full_name";
  const type = call.query("type") ?? call.query("visibility") ?? "all";
  const kept = all.filter((one) => {
    if (type === "public" || type === "private") return one.isPrivate === (type === "private");
    return type === "forks" ? one.parent !== null : type === "sources" ? one.parent === null : true;
  });
  const key = (one: Repository): string => {
    if (sort === "created") return one.createdAt;
    if (sort === "updated") return one.updatedAt;
    return sort === "pushed" ? (one.pushedAt ?? "") : `${one.owner.login}/${one.name}`;
  };
  const isDown = (call.query("direction") ?? (sort === "full_name" ? "asc" : "desc")) === "desc";
  const rows = kept.toSorted((a, b) => key(a).localeCompare(key(b)));
  return listReply(call, isDown ? rows.toReversed() : rows, (one) => repositoryView(call, one));
}

function collaborators(call: RestCall): Reply {
  const { repository, viewer, urls } = call;
  need(viewer, repository, "WRITE");
  return listReply(call, [...repository.collaborators], ([user, role]) => ({
    ...simpleUser(urls, user),
    permissions: {
      pull: can(user, repository, "READ"),
      triage: can(user, repository, "TRIAGE"),
      push: can(user, repository, "WRITE"),
      maintain: can(user, repository, "MAINTAIN"),
      admin: can(user, repository, "ADMIN"),
    },
    role_name: role.toLowerCase(),
  }));
}

function permission(call: RestCall): Reply {
  const { store, repository, urls } = call;
  const user = store.users.find(({ login }) => login === call.param("username"));
  if (user === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  const own = findPermission(user, repository)?.toLowerCase() ?? "none";
  const plain = own === "maintain" ? "write" : own === "triage" ? "read" : own;
  return ok({
    permission: plain,
    role_name: own,
    user: { ...simpleUser(urls, user), role_name: own },
  });
}

const REPO = "/repos/{owner}/{repo}";

export const repositoryRoutes: Routes = {
  [`GET ${REPO}`]: (call) => ok(fullRepository(call, call.repository)),
  [`PATCH ${REPO}`]: update,
  [`DELETE ${REPO}`]: (call) => {
    repositories.deleteRepository(call.store, call.viewer, call.repository);
    return noContent;
  },
  [`POST ${REPO}/forks`]: fork,
  [`GET ${REPO}/forks`]: (call) => {
    const forks = visible(call.store, call.viewer).filter(
      ({ parent }) => parent === call.repository,
    );
    return listReply(call, forks, (one) => repositoryView(call, one));
  },
  [`GET ${REPO}/languages`]: ({ store, repository }) => {
    const { language } = repository;
    if (language === null || repository.refs.size === 0) return ok({});
    const files = store.objects.filesAt(
      findCommit(store, repository, repository.defaultBranch).oid,
    );
    const size = [...files.values()].reduce(
      (sum, oid) => sum + (store.objects.blob(oid)?.length ?? 0),
      0,
    );
    return ok({ [language]: size });
  },
  [`GET ${REPO}/topics`]: (call) => ok({ names: call.repository.topics }),
  [`PUT ${REPO}/topics`]: (call) => {
    const topics = (call.body.texts("names") ?? []).map((name) => name.toLowerCase());
    checkTopics(topics);
    repositories.updateRepository(call.store, call.viewer, call.repository, { topics });
    return ok({ names: topics });
  },
  [`GET ${REPO}/stargazers`]: (call) =>
    listReply(call, call.repository.stargazers, (one) => simpleUser(call.urls, one)),
  [`GET ${REPO}/collaborators`]: collaborators,
  [`GET ${REPO}/collaborators/{username}/permission`]: permission,
  "POST /user/repos": (call) => create(call, call.viewer),
  "POST /orgs/{org}/repos": (call) => create(call, findOrganization(call)),
  "GET /user/repos": (call) => {
    const { store, viewer } = call;
    return listRepositories(
      call,
      store.repositories.filter((one) => one.owner === viewer || one.collaborators.has(viewer)),
    );
  },
  "GET /users/{username}/repos": (call) => {
    const owner = findAccount(call.store, call.param("username"));
    if (owner === undefined) throw new StoreError("NOT_FOUND", "Not Found");
    return listRepositories(
      call,
      visible(call.store, call.viewer).filter((one) => one.owner === owner && !one.isPrivate),
    );
  },
  "GET /orgs/{org}/repos": (call) => {
    const owner = findOrganization(call);
    return listRepositories(
      call,
      visible(call.store, call.viewer).filter((one) => one.owner === owner),
    );
  },
  "GET /user/starred": (call) =>
    listRepositories(
      call,
      visible(call.store, call.viewer).filter(({ stargazers }) => stargazers.includes(call.viewer)),
    ),
  "GET /user/starred/{owner}/{repo}": (call) => {
    if (call.repository.stargazers.includes(call.viewer)) return noContent;
    throw new StoreError("NOT_FOUND", "Not Found");
  },
  "PUT /user/starred/{owner}/{repo}": (call) => {
    repositories.setStar(call.store, call.viewer, call.repository, true);
    return noContent;
  },
  "DELETE /user/starred/{owner}/{repo}": (call) => {
    repositories.setStar(call.store, call.viewer, call.repository, false);
    return noContent;
  },
};
