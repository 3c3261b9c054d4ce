import { StoreError } from "../../store/errors.ts";
import { findAccount } from "../../store/find.ts";
import type { Account, Organization } from "../../store/model.ts";
import type { RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { ok } from "../reply.ts";
import * as views from "../views/account.ts";

function found<T>(one: T | undefined): T {
  if (one === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return one;
}

function accountOf(call: RestCall): Account {
  return found(findAccount(call.store, call.param("username")));
}

export function organizationOf(call: RestCall): Organization {
  const one = found(findAccount(call.store, call.param("org")));
  return found(one.type === "Organization" ? one : undefined);
}

function root({ urls: { api } }: RestCall): Record<string, string> {
  return {
    current_user_url: `${api}/user`,
    issues_url: `${api}/issues`,
    notifications_url: `${api}/notifications`,
    organization_url: `${api}/orgs/{org}`,
    repository_url: `${api}/repos/{owner}/{repo}`,
    repository_search_url: `${api}/search/repositories?q={query}{&page,per_page,sort,order}`,
    user_url: `${api}/users/{user}`,
  };
}

export const peopleRoutes: Routes = {
  "GET /": (call) => ok(root(call)),
  "GET /user": (call) => ok(views.privateUser(call.store, call.urls, call.viewer)),
  "GET /users/{username}": (call) => ok(views.publicUser(call.store, call.urls, accountOf(call))),
  "GET /user/orgs": (call) => {
    const own = call.store.organizations.filter(({ members }) => members.includes(call.viewer));
    return listReply(call, own, (one) => views.simpleOrganization(call.urls, one));
  },
  "GET /users/{username}/orgs": (call) => {
    const account = accountOf(call);
    const all = call.store.organizations.filter(({ members }) =>
      members.some((one) => one === account),
    );
    return listReply(call, all, (one) => views.simpleOrganization(call.urls, one));
  },
  "GET /orgs/{org}": (call) =>
    ok(views.fullOrganization(call.store, call.urls, organizationOf(call))),
  "GET /orgs/{org}/members": (call) =>
    listReply(call, organizationOf(call).members, (one) => views.simpleUser(call.urls, one)),
  "GET /orgs/{org}/issue-types": (call) =>
    ok(organizationOf(call).issueTypes.map(views.issueTypeView)),
};
