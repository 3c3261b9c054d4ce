import { can } from "./access.ts";
import { StoreError, invalid } from "./errors.ts";
import { nameWithOwner } from "./facts.ts";
import type { Account, Issue, PullRequest, Repository, User } from "./model.ts";
import { reviewDecision, rollupState } from "./pull-facts.ts";
import { isWithin, parseSearch, getValues } from "./search-query.ts";
import type { Qualifier, SearchQuery } from "./search-query.ts";
import type { Store } from "./store.ts";

type Subject = Issue | PullRequest;
type Test = (subject: Subject, value: string, viewer: User) => boolean;

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function login(value: string, viewer: User): string {
  return value === "@me" ? viewer.login : value.replace(/^@/, "");
}

const IS: Readonly<Record<string, (subject: Subject) => boolean>> = {
  issue: ({ type }) => type === "Issue",
  pr: ({ type }) => type === "PullRequest",
  "pull-request": ({ type }) => type === "PullRequest",
  open: ({ state }) => state === "OPEN",
  closed: ({ state }) => state !== "OPEN",
  merged: ({ state }) => state === "MERGED",
  unmerged: (one) => one.type === "PullRequest" && one.state !== "MERGED",
  draft: (one) => one.type === "PullRequest" && one.isDraft,
  locked: ({ locked }) => locked,
  unlocked: ({ locked }) => !locked,
  public: ({ repository }) => !repository.isPrivate,
  private: ({ repository }) => repository.isPrivate,
};

const MISSING: Readonly<Record<string, (subject: Subject) => boolean>> = {
  label: ({ labels }) => labels.length === 0,
  assignee: ({ assignees }) => assignees.length === 0,
  milestone: ({ milestone }) => milestone === null,
};

/**
 * The test of each qualifier. An unknown value is not an error and matches nothing, as on GitHub.
 */
const TESTS: Readonly<Record<string, Test>> = {
  repo: ({ repository }, value) => same(nameWithOwner(repository), value),
  org: ({ repository }, value) => same(repository.owner.login, value),
  user: ({ repository }, value, viewer) => same(repository.owner.login, login(value, viewer)),
  is: (subject, value) => IS[value.toLowerCase()]?.(subject) ?? false,
  type: (subject, value) =>
    IS[value.toLowerCase()]?.(subject) ??
    (subject.type === "Issue" && same(subject.issueType?.name ?? "", value)),
  state: (subject, value) => IS[value.toLowerCase()]?.(subject) ?? false,
  draft: (one, value) => one.type === "PullRequest" && String(one.isDraft) === value,
  label: ({ labels }, value) =>
    value
      .split(",")
      .some((part) => labels.some(({ name }) => same(name, part.replaceAll('"', "")))),
  author: ({ author }, value, viewer) => same(author.login, login(value, viewer)),
  assignee: ({ assignees }, value, viewer) =>
    value === "*"
      ? assignees.length > 0
      : assignees.some((one) => same(one.login, login(value, viewer))),
  commenter: ({ comments }, value, viewer) =>
    comments.some(({ author }) => same(author.login, login(value, viewer))),
  mentions: ({ body }, value, viewer) =>
    body.toLowerCase().includes(`@${login(value, viewer).toLowerCase()}`),
  involves: (one, value, viewer) =>
    [one.author, ...one.assignees, ...one.comments.map(({ author }) => author)].some((user) =>
      same(user.login, login(value, viewer)),
    ),
  milestone: ({ milestone }, value) => milestone !== null && same(milestone.title, value),
  no: (subject, value) => MISSING[value.toLowerCase()]?.(subject) ?? false,
  head: (one, value) => one.type === "PullRequest" && one.headRef.startsWith(value),
  base: (one, value) => one.type === "PullRequest" && one.baseRef === value,
  review: (one, value) => one.type === "PullRequest" && reviewIs(one, value.toLowerCase()),
  "review-requested": (one, value, viewer) =>
    one.type === "PullRequest" &&
    one.reviewRequests.some(({ reviewer }) => same(reviewer.login, login(value, viewer))),
  "reviewed-by": (one, value, viewer) =>
    one.type === "PullRequest" &&
    one.reviews.some(({ author }) => same(author.login, login(value, viewer))),
  status: (one, value) =>
    one.type === "PullRequest" && same(rollupState(one.repository, one.headOid) ?? "", value),
  reason: (one, value) =>
    one.type === "Issue" && same((one.stateReason ?? "").replace("_", " "), value),
  created: ({ createdAt }, value) => isWithin(createdAt, value),
  updated: ({ updatedAt }, value) => isWithin(updatedAt, value),
  closed: ({ closedAt }, value) => closedAt !== null && isWithin(closedAt, value),
  comments: ({ comments }, value) => isWithin(pad(comments.length), padRange(value)),
  archived: ({ repository }, value) => String(repository.isArchived) === value,
  language: ({ repository }, value) => same(repository.language ?? "", value),
};

/** Pads numbers to equal length, so that they compare as strings. */
function pad(value: number): string {
  return String(value).padStart(9, "0");
}

function padRange(range: string): string {
  return range.replaceAll(/\d+/g, (digits) => pad(Number(digits)));
}

function reviewIs(pull: PullRequest, value: string): boolean {
  const decision = reviewDecision(pull);
  if (value === "none") return pull.reviews.length === 0;
  if (value === "required") return decision === "REVIEW_REQUIRED";
  return decision !== null && same(decision, value.replaceAll(/[ -]/g, "_"));
}

/**
 * Qualifiers that change only the presentation, or that have only one possible value in the
 * emulator.
 */
const IGNORED = new Set(["sort", "in", "linked"]);

/** Qualifiers that may be repeated, and of which one match is enough. */
const ANY = new Set(["repo", "org", "user"]);

function matchesQuery(subject: Subject, { qualifiers }: SearchQuery, viewer: User): boolean {
  const holds = ({ name, value, isNot }: Qualifier): boolean => {
    const test = TESTS[name];
    return test !== undefined && test(subject, value, viewer) !== isNot;
  };
  const places = qualifiers.filter(({ name, isNot }) => ANY.has(name) && !isNot);
  const rest = qualifiers.filter((one) => !IGNORED.has(one.name) && !places.includes(one));
  return (places.length === 0 || places.some(holds)) && rest.every(holds);
}

function mentions(subject: Subject, { words, ...query }: SearchQuery): boolean {
  const where = getValues({ words, ...query }, "in").flatMap((value) => value.split(","));
  const parts: string[] = [];
  if (where.length === 0 || where.includes("title")) parts.push(subject.title);
  if (where.length === 0 || where.includes("body")) parts.push(subject.body);
  if (where.includes("comments")) parts.push(...subject.comments.map(({ body }) => body));
  const text = parts.join("\n").toLowerCase();
  return words.every((word) => text.includes(word) || word === `#${subject.number}`);
}

/** An unknown repository, organization or user in a query is an error, as on GitHub. */
function checkPlaces(store: Store, query: SearchQuery, viewer: User): void {
  for (const value of getValues(query, "repo")) {
    const found = store.repositories.some(
      (one) => same(nameWithOwner(one), value) && can(viewer, one, "READ"),
    );
    if (found) continue;
    const message =
      "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.";
    throw invalid({ resource: "Search", field: "q", code: "invalid", message });
  }
}

export interface Order {
  readonly by: string | undefined;
  readonly isAscending: boolean;
}

function getOrder(query: SearchQuery, given: Order): Order {
  const [sort] = getValues(query, "sort");
  const [by, direction] = sort?.split(/-(?=asc$|desc$)/) ?? [];
  return sort === undefined ? given : { by, isAscending: direction === "asc" };
}

export function searchIssues(
  store: Store,
  viewer: User,
  text: string,
  order: Order = { by: undefined, isAscending: false },
): Subject[] {
  if (text.trim() === "") throw new StoreError("UNPROCESSABLE", "Validation Failed");
  const query = parseSearch(text);
  checkPlaces(store, query, viewer);
  const found = visible(store, viewer)
    .flatMap(({ issues }) => [...issues.values()])
    .filter((subject) => matchesQuery(subject, query, viewer) && mentions(subject, query));
  return sorted(found, getOrder(query, order));
}

function sorted(found: readonly Subject[], { by, isAscending }: Order): Subject[] {
  const key = (one: Subject): string => {
    if (by === "comments") return pad(one.comments.length);
    return by === "updated" ? one.updatedAt : one.createdAt;
  };
  const newest = found.toSorted((a, b) => key(b).localeCompare(key(a)) || b.number - a.number);
  return isAscending ? newest.toReversed() : newest;
}

export function visible(store: Store, viewer: User): Repository[] {
  return store.repositories.filter((one) => can(viewer, one, "READ"));
}

const REPOSITORY_TESTS: Readonly<
  Record<string, (one: Repository, value: string, viewer: User) => boolean>
> = {
  repo: (one, value) => same(nameWithOwner(one), value),
  user: ({ owner }, value, viewer) => same(owner.login, login(value, viewer)),
  org: ({ owner }, value) => same(owner.login, value),
  language: (one, value) => same(one.language ?? "", value),
  topic: ({ topics }, value) => topics.includes(value.toLowerCase()),
  fork: ({ parent }, value) => value === "true" || (value === "only") === (parent !== null),
  archived: (one, value) => String(one.isArchived) === value,
  is: (one, value) => (value === "private") === one.isPrivate,
  license: (one, value) => one.license?.key === value,
  stars: ({ stargazers }, value) => isWithin(pad(stargazers.length), padRange(value)),
  created: ({ createdAt }, value) => isWithin(createdAt, value),
  pushed: ({ pushedAt }, value) => pushedAt !== null && isWithin(pushedAt, value),
};

/** Forks are included only if the query asks for them. */
export function searchRepositories(store: Store, viewer: User, text: string): Repository[] {
  const query = parseSearch(text);
  const { words, qualifiers } = query;
  const wantsForks = getValues(query, "fork").length > 0;
  return visible(store, viewer)
    .filter((one) => wantsForks || one.parent === null)
    .filter((one) => words.every((word) => searchableText(one).includes(word)))
    .filter((one) =>
      qualifiers
        .filter(({ name }) => !IGNORED.has(name))
        .every(({ name, value, isNot }) => REPOSITORY_TESTS[name]?.(one, value, viewer) !== isNot),
    )
    .toSorted((a, b) => b.stargazers.length - a.stargazers.length || a.id - b.id);
}

function searchableText(one: Repository): string {
  return [nameWithOwner(one), one.description ?? "", ...one.topics].join("\n").toLowerCase();
}

/** Finds accounts by words in the login or name. With `user:`, finds only those logins. */
export function searchAccounts({ users, organizations }: Store, asked: string): Account[] {
  const query = parseSearch(asked);
  const named = getValues(query, "user").map((value) => value.toLowerCase());
  return [...users, ...organizations].filter(({ login: own, name }) => {
    const isNamed = named.length === 0 || named.includes(own.toLowerCase());
    const text = `${own} ${name ?? ""}`.toLowerCase();
    return isNamed && query.words.every((word) => text.includes(word));
  });
}
