import { camelCased } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { refuseInput } from "./refuse-input.ts";

/** Flags of `gh search` with a value, and their qualifiers in a query. */
const QUALIFIERS: Readonly<Record<string, string>> = {
  archived: "archived",
  assignee: "assignee",
  author: "author",
  authorDate: "author-date",
  authorEmail: "author-email",
  authorName: "author-name",
  base: "base",
  checks: "status",
  closed: "closed",
  commenter: "commenter",
  comments: "comments",
  committer: "committer",
  committerDate: "committer-date",
  committerEmail: "committer-email",
  committerName: "committer-name",
  created: "created",
  draft: "draft",
  extension: "extension",
  filename: "filename",
  followers: "followers",
  forks: "forks",
  goodFirstIssues: "good-first-issues",
  hash: "hash",
  head: "head",
  helpWantedIssues: "help-wanted-issues",
  includeForks: "fork",
  interactions: "interactions",
  involves: "involves",
  label: "label",
  labels: "label",
  language: "language",
  license: "license",
  match: "in",
  mentions: "mentions",
  merge: "merge",
  mergedAt: "merged",
  milestone: "milestone",
  numberTopics: "topics",
  org: "org",
  owner: "user",
  parent: "parent",
  project: "project",
  reactions: "reactions",
  repo: "repo",
  review: "review",
  reviewRequested: "review-requested",
  reviewedBy: "reviewed-by",
  size: "size",
  stars: "stars",
  state: "state",
  teamMentions: "team",
  topic: "topic",
  tree: "tree",
  updated: "updated",
  user: "user",
  visibility: "is",
};

/** Switches of `gh search`, and their text in a query. */
const SWITCHES: Readonly<Record<string, string>> = {
  locked: "is:locked",
  merged: "is:merged",
  noAssignee: "no:assignee",
  noLabel: "no:label",
  noMilestone: "no:milestone",
  noProject: "no:project",
};

type Scalar = string | number | boolean;

function scalarsIn(value: unknown): Scalar[] {
  return [value]
    .flat()
    .filter((one): one is Scalar => ["string", "number", "boolean"].includes(typeof one));
}

function toQualifiers(name: string, value: Scalar): string[] {
  const given = camelCased(name);
  const isOn = value === true || value === "true";
  const switched = SWITCHES[given];
  if (switched !== undefined && (isOn || typeof value === "boolean")) return isOn ? [switched] : [];
  if (given === "app") return [`author:app/${String(value)}`];
  const qualifier = QUALIFIERS[given];
  const text = String(value);
  return qualifier === undefined
    ? []
    : [`${qualifier}:${/\s/u.test(text) ? JSON.stringify(text) : text}`];
}

function isQualifier(name: string): boolean {
  const given = camelCased(name);
  return given === "app" || Object.hasOwn(QUALIFIERS, given) || Object.hasOwn(SWITCHES, given);
}

/** Converts an input such as `repo=octo/hello` to `repo:octo/hello` in the query. */
export function readQualifiers({ id, written: input, properties }: Reading): void {
  const own = ["query", "q"].find((name) => Object.hasOwn(properties, name));
  if (!/^(?:github\.)?search\./u.test(id) || own === undefined) return;
  const { owner, repo } = input;
  // REST and GitHub's MCP server have separate inputs for owner and repository.
  if (typeof owner === "string" && typeof repo === "string" && !repo.includes("/")) {
    input["repo"] = `${owner}/${repo}`;
    delete input["owner"];
  }
  const names = Object.keys(input).filter(
    (name) => isQualifier(name) && !Object.hasOwn(properties, name),
  );
  const parts: string[] = [];
  for (const name of names) {
    const values = scalarsIn(input[name]);
    if (values.length === 0) continue;
    parts.push(...values.flatMap((value) => toQualifiers(name, value)));
    delete input[name];
  }
  const query = ["query", "q", "search"].find((name) => typeof input[name] === "string");
  if (query === undefined && parts.length === 0) return;
  const given = query === undefined ? "" : String(input[query]);
  if (query !== undefined) delete input[query];
  input[own] = [given, ...parts].filter(Boolean).join(" ");
}

/** Capabilities that find only issues or only pull requests, and the one for the other kind. */
const OTHER_KINDS: Readonly<Record<string, readonly [kind: RegExp, id: string]>> = {
  "issue.list": [/^(?:is|type):(?:pr|pull-request)$/iu, "pr.list"],
  "pr.list": [/^(?:is|type):issue$/iu, "issue.list"],
  "search.issues": [/^(?:is|type):(?:pr|pull-request)$/iu, "search.prs"],
  "search.prs": [/^(?:is|type):issue$/iu, "search.issues"],
};

/** Refuses `is:pr` in a search for issues, because GitHub would find nothing. */
export function refuseOtherKind({ id, written }: Reading): void {
  const other = Object.hasOwn(OTHER_KINDS, id) ? OTHER_KINDS[id] : undefined;
  if (other === undefined) return;
  for (const name of ["query", "search"]) {
    const value = written[name];
    const words = typeof value === "string" ? value.replaceAll(/"[^"]*"/gu, "").split(/\s+/u) : [];
    const found = words.includes("OR") ? undefined : words.find((word) => other[0].test(word));
    if (found === undefined) continue;
    throw refuseInput(id, name, `finds nothing with ${found}; use ${other[1]}`);
  }
}
