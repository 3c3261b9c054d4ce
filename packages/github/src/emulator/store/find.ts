import { can } from "./access.ts";
import { notFound } from "./errors.ts";
import { nameWithOwner } from "./facts.ts";
import type {
  Account,
  Issue,
  Label,
  Milestone,
  Project,
  PullRequest,
  Repository,
  User,
} from "./model.ts";
import type { Store } from "./store.ts";

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export function findUser(store: Store, login: string): User {
  const user = store.users.find((one) => same(one.login, login));
  if (user === undefined) throw notFound(`a User with the login of '${login}'`);
  return user;
}

export function findAccount(store: Store, login: string): Account | undefined {
  return [...store.users, ...store.organizations].find((one) => same(one.login, login));
}

/** Finds a repository by its current or an earlier name; undefined if the viewer may not see it. */
export function lookUpRepository(
  store: Store,
  owner: string,
  name: string,
  viewer: User,
): Repository | undefined {
  const full = `${owner}/${name}`;
  const found =
    store.repositories.find((one) => same(nameWithOwner(one), full)) ??
    store.moved.get(full.toLowerCase());
  return found !== undefined && can(viewer, found, "READ") ? found : undefined;
}

export function findRepository(
  store: Store,
  owner: string,
  name: string,
  viewer: User,
): Repository {
  const found = lookUpRepository(store, owner, name, viewer);
  if (found === undefined) throw notFound(`a Repository with the name '${owner}/${name}'`);
  return found;
}

export function findIssueOrPull({ issues }: Repository, number: number): Issue | PullRequest {
  const found = issues.get(number);
  if (found === undefined) {
    throw notFound(`an issue or pull request with the number of ${number}`);
  }
  return found;
}

export function findIssue({ issues }: Repository, number: number): Issue {
  const found = issues.get(number);
  if (found?.type !== "Issue") throw notFound(`an Issue with the number of ${number}`);
  return found;
}

export function findPull({ issues }: Repository, number: number): PullRequest {
  const found = issues.get(number);
  if (found?.type !== "PullRequest") throw notFound(`a PullRequest with the number of ${number}`);
  return found;
}

export function lookUpLabel({ labels }: Repository, name: string): Label | undefined {
  return labels.find((label) => same(label.name, name));
}

export function findMilestone({ milestones }: Repository, number: number): Milestone {
  const found = milestones.find((one) => one.number === number);
  if (found === undefined) throw notFound(`a Milestone with the number of ${number}`);
  return found;
}

export function findProject(store: Store, owner: Account, number: number): Project {
  const found = store.projects.find((one) => one.owner === owner && one.number === number);
  if (found === undefined) throw notFound(`a ProjectV2 with the number ${number}`);
  return found;
}
