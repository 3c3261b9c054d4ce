import { API_VERSIONS } from "../api-version.ts";
import { StoreError } from "../../store/errors.ts";
import { findAccount } from "../../store/find.ts";
import type { Account, Organization } from "../../store/model.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { ok } from "../reply.ts";
import * as views from "../views/account.ts";

function requireFound<T>(one: T | undefined): T {
  if (one === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return one;
}

function requestedAccount(call: RestCall): Account {
  return requireFound(findAccount(call.store, call.param("username")));
}

function findOrganization(call: RestCall): Organization {
  const one = requireFound(findAccount(call.store, call.param("org")));
  return requireFound(one.type === "Organization" ? one : undefined);
}

/** The paths that GitHub's API root lists. */
const ROOT = {
  current_user: "/user",
  current_user_authorizations_html: "/settings/connections/applications{/client_id}",
  authorizations: "/authorizations",
  code_search: "/search/code?q={query}{&page,per_page,sort,order}",
  commit_search: "/search/commits?q={query}{&page,per_page,sort,order}",
  emails: "/user/emails",
  emojis: "/emojis",
  events: "/events",
  feeds: "/feeds",
  followers: "/user/followers",
  following: "/user/following{/target}",
  gists: "/gists{/gist_id}",
  hub: "/hub",
  issue_search: "/search/issues?q={query}{&page,per_page,sort,order}",
  issues: "/issues",
  keys: "/user/keys",
  label_search: "/search/labels?q={query}&repository_id={repository_id}{&page,per_page}",
  notifications: "/notifications",
  organization: "/orgs/{org}",
  organization_repositories: "/orgs/{org}/repos{?type,page,per_page,sort}",
  organization_teams: "/orgs/{org}/teams",
  public_gists: "/gists/public",
  rate_limit: "/rate_limit",
  repository: "/repos/{owner}/{repo}",
  repository_search: "/search/repositories?q={query}{&page,per_page,sort,order}",
  current_user_repositories: "/user/repos{?type,page,per_page,sort}",
  starred: "/user/starred{/owner}{/repo}",
  starred_gists: "/gists/starred",
  topic_search: "/search/topics?q={query}{&page,per_page}",
  user: "/users/{user}",
  user_organizations: "/user/orgs",
  user_repositories: "/users/{user}/repos{?type,page,per_page,sort}",
  user_search: "/search/users?q={query}{&page,per_page,sort,order}",
};

function root({ urls: { api } }: RestCall): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ROOT).map(([name, path]) => [`${name}_url`, `${api}${path}`]),
  );
}

export const peopleRoutes: Routes = {
  "GET /": (call) => ok(root(call)),
  "GET /user": (call) => ok(views.privateUser(call.store, call.urls, call.viewer)),
  "GET /users/{username}": (call) =>
    ok(views.publicUser(call.store, call.urls, requestedAccount(call))),
  "GET /user/orgs": (call) => {
    const own = call.store.organizations.filter(({ members }) => members.includes(call.viewer));
    return listReply(call, own, (one) => views.simpleOrganization(call.urls, one));
  },
  "GET /users/{username}/orgs": (call) => {
    const account = requestedAccount(call);
    const all = call.store.organizations.filter(({ members }) =>
      members.some((one) => one === account),
    );
    return listReply(call, all, (one) => views.simpleOrganization(call.urls, one));
  },
  "GET /orgs/{org}": (call) =>
    ok(views.fullOrganization(call.store, call.urls, findOrganization(call))),
  // The emulator has no followers.
  "GET /user/followers": (call) => listReply(call, [], String),
  "GET /versions": () => ok(API_VERSIONS),
  "GET /orgs/{org}/members": (call) =>
    listReply(call, findOrganization(call).members, (one) => views.simpleUser(call.urls, one)),
  "GET /orgs/{org}/issue-types": (call) =>
    ok(findOrganization(call).issueTypes.map(views.issueTypeView)),
};
