import { getNamedType, isLeafType, isObjectType, isRequiredArgument } from "graphql";
import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSchema } from "../../schema/index.ts";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { TYPES } from "./types/index.ts";

const HELLO = (rest: string): string => `repository(owner: "octo", name: "hello") { ${rest} }`;
const ISSUE = (rest: string): string => HELLO(`issue(number: 1) { ${rest} }`);
const PULL = (rest: string): string => HELLO(`pullRequest(number: 6) { ${rest} }`);
const MAIN = (rest: string): string =>
  HELLO(`object(expression: "fix/empty-name") { ... on Commit { ${rest} } }`);
const ROLLUP = (rest: string): string => MAIN(`statusCheckRollup { ${rest} }`);
const CHECK = (rest: string): string =>
  ROLLUP(`contexts(first: 3) { nodes { ... on CheckRun { ${rest} } } }`);
const THREADS = (rest: string): string => PULL(`reviewThreads(first: 5) { nodes { ${rest} } }`);
const PROJECT = (rest: string): string =>
  `organization(login: "octo") { projectV2(number: 1) { ${rest} } }`;
const FIELDS = (rest: string): string => PROJECT(`fields(first: 20) { nodes { ${rest} } }`);
const ITEMS = (rest: string): string => PROJECT(`items(first: 9) { nodes { ${rest} } }`);
const VALUES = (rest: string): string => ITEMS(`fieldValues(first: 20) { nodes { ${rest} } }`);
const EVENTS = (rest: string): string =>
  HELLO(`issues(first: 20) { nodes { timelineItems(first: 50) { nodes { ${rest} } } } }
    pullRequests(first: 20) { nodes { timelineItems(first: 50) { nodes { ${rest} } } } }`);

/**
 * A query that leads to one object of each type. Types that are not listed here are reached through
 * a list.
 */
const PLACES: Readonly<Record<string, (rest: string) => string>> = {
  Query: (rest) => rest,
  User: (rest) => `viewer { ${rest} }`,
  Organization: (rest) => `organization(login: "octo") { ${rest} }`,
  Repository: HELLO,
  IssueType: (rest) => HELLO(`issueTypes(first: 5) { nodes { ${rest} } }`),
  Gist: (rest) => `viewer { gists(first: 5, privacy: ALL) { nodes { ${rest} } } }`,
  Label: (rest) => HELLO(`labels(first: 20) { nodes { ${rest} } }`),
  Milestone: (rest) => HELLO(`milestones(first: 5) { nodes { ${rest} } }`),
  License: (rest) => HELLO(`licenseInfo { ${rest} }`),
  Issue: (rest) => HELLO(`issues(first: 9) { nodes { ${rest} } }`),
  IssueComment: (rest) => ISSUE(`comments(first: 5) { nodes { ${rest} } }`),
  Reaction: (rest) => ISSUE(`reactions(first: 5) { nodes { ${rest} } }`),
  ReactionGroup: (rest) => ISSUE(`reactionGroups { ${rest} }`),
  PullRequest: (rest) => HELLO(`pullRequests(first: 9) { nodes { ${rest} } }`),
  PullRequestChangedFile: (rest) => PULL(`files(first: 5) { nodes { ${rest} } }`),
  PullRequestCommit: (rest) => PULL(`commits(first: 5) { nodes { ${rest} } }`),
  PullRequestReview: (rest) => PULL(`reviews(first: 9) { nodes { ${rest} } }`),
  PullRequestReviewThread: THREADS,
  PullRequestReviewComment: (rest) => THREADS(`comments(first: 5) { nodes { ${rest} } }`),
  ReviewRequest: (rest) => PULL(`reviewRequests(first: 5) { nodes { ${rest} } }`),
  Commit: MAIN,
  GitActor: (rest) => MAIN(`author { ${rest} }`),
  Tree: (rest) => MAIN(`tree { ${rest} }`),
  TreeEntry: (rest) => MAIN(`tree { entries { ${rest} } }`),
  Blob: (rest) => HELLO(`object(expression: "main:README.md") { ... on Blob { ${rest} } }`),
  Ref: (rest) => HELLO(`refs(refPrefix: "refs/heads/", first: 9) { nodes { ${rest} } }`),
  Comparison: (rest) =>
    HELLO(`ref(qualifiedName: "main") { compare(headRef: "fix/empty-name") { ${rest} } }`),
  BranchProtectionRule: (rest) => HELLO(`branchProtectionRules(first: 5) { nodes { ${rest} } }`),
  StatusCheckRollup: ROLLUP,
  Status: (rest) => MAIN(`status { ${rest} }`),
  StatusContext: (rest) => MAIN(`status { contexts { ${rest} } }`),
  CheckRun: CHECK,
  CheckAnnotation: (rest) => CHECK(`annotations(first: 5) { nodes { ${rest} } }`),
  CheckSuite: (rest) => MAIN(`checkSuites(first: 5) { nodes { ${rest} } }`),
  App: (rest) => MAIN(`checkSuites(first: 5) { nodes { app { ${rest} } } }`),
  WorkflowRun: (rest) => MAIN(`checkSuites(first: 5) { nodes { workflowRun { ${rest} } } }`),
  Workflow: (rest) =>
    MAIN(`checkSuites(first: 5) { nodes { workflowRun { workflow { ${rest} } } } }`),
  Release: (rest) => HELLO(`releases(first: 5) { nodes { ${rest} } }`),
  ReleaseAsset: (rest) =>
    HELLO(`release(tagName: "v1.0.0") { releaseAssets(first: 5) { nodes { ${rest} } } }`),
  ProjectV2: PROJECT,
  ProjectV2Field: (rest) => FIELDS(`... on ProjectV2Field { ${rest} }`),
  ProjectV2SingleSelectField: (rest) => FIELDS(`... on ProjectV2SingleSelectField { ${rest} }`),
  ProjectV2IterationField: (rest) => FIELDS(`... on ProjectV2IterationField { ${rest} }`),
  ProjectV2Item: ITEMS,
  DraftIssue: (rest) => ITEMS(`content { ... on DraftIssue { ${rest} } }`),
  Discussion: (rest) => HELLO(`discussions(first: 5) { nodes { ${rest} } }`),
  DiscussionCategory: (rest) => HELLO(`discussionCategories(first: 5) { nodes { ${rest} } }`),
  DiscussionComment: (rest) =>
    HELLO(`discussions(first: 5) { nodes { comments(first: 5) { nodes { ${rest} } } } }`),
  Bot: (rest) =>
    HELLO(
      `suggestedActors(first: 5, capabilities: [CAN_BE_ASSIGNED]) { nodes { ... on Bot { ${rest} } } }`,
    ),
  LinkedBranch: (rest) => ISSUE(`linkedBranches(first: 5) { nodes { ${rest} } }`),
  ProjectV2StatusUpdate: (rest) => PROJECT(`statusUpdates(first: 5) { nodes { ${rest} } }`),
  AutoMergeRequest: (rest) => PULL(`autoMergeRequest { ${rest} }`),
};

function queryPath(type: string): (rest: string) => string {
  if (type.startsWith("ProjectV2ItemField")) return (rest) => VALUES(`... on ${type} { ${rest} }`);
  return PLACES[type] ?? ((rest) => EVENTS(`... on Node { ... on ${type} { ${rest} } }`));
}

/** Values for required arguments, and for arguments without which a field returns nothing. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  "Query.repository": `owner: "octo", name: "hello"`,
  "Query.node": `id: "U_kwDOVXNlcjoxMDAx"`,
  "Query.nodes": `ids: ["U_kwDOVXNlcjoxMDAx"]`,
  "Query.user": `login: "monalisa"`,
  "Query.organization": `login: "octo"`,
  "Query.repositoryOwner": `login: "octo"`,
  "Query.resource": `url: "https://github.com/octo/hello/pull/6"`,
  "Query.search": `query: "greet", type: ISSUE, first: 2`,
  "User.organization": `login: "octo"`,
  "User.gist": `name: "x"`,
  "User.projectV2": "number: 1",
  "User.repository": `name: "x"`,
  "Organization.projectV2": "number: 1",
  "Organization.repository": `name: "hello"`,
  "Organization.team": `slug: "x"`,
  "Repository.issue": "number: 1",
  "Repository.issueOrPullRequest": "number: 6",
  "Repository.pullRequest": "number: 6",
  "Repository.label": `name: "bug"`,
  "Repository.milestone": "number: 1",
  "Repository.ref": `qualifiedName: "v1.0.0"`,
  "Repository.refs": `refPrefix: "refs/heads/", first: 2, orderBy: {field: ALPHABETICAL, direction: DESC}`,
  "Repository.object": `expression: "HEAD:src"`,
  "Repository.release": `tagName: "v1.0.0"`,
  "Repository.discussion": "number: 11",
  "Repository.discussionCategory": `slug: "q-a"`,
  "Repository.issueType": `name: "Bug"`,
  "Repository.suggestedActors": "capabilities: [CAN_BE_ASSIGNED], first: 2",
  "Commit.blame": `path: "src/greet.ts"`,
  "Commit.file": `path: "src/greet.ts"`,
  "Ref.compare": `headRef: "main"`,
  "Status.context": `name: "licence/check"`,
  "CheckRun.isRequired": "pullRequestNumber: 6",
  "StatusContext.isRequired": "pullRequestNumber: 6",
  "ProjectV2.field": `name: "Status"`,
  "ProjectV2Item.fieldValueByName": `name: "Status"`,
};

function findSelection(type: string, field: GraphQLField<unknown, unknown>): string | undefined {
  const named = getNamedType(field.type);
  const isConnection = named.name.endsWith("Connection");
  const given = ARGUMENTS[`${type}.${field.name}`] ?? (isConnection ? "first: 2" : "");
  if (given === "" && field.args.some(isRequiredArgument)) return undefined;
  const args = given === "" ? "" : `(${given})`;
  if (isLeafType(named)) return `${field.name}${args}`;
  const inner = isConnection
    ? "nodes { __typename } edges { cursor } pageInfo { hasNextPage }"
    : "__typename";
  return `${field.name}${args} { ${inner} }`;
}

/** Triggers the events that have not happened yet in the small world. */
async function makeEvents(client: Client): Promise<void> {
  const at = "/repos/octo/hello";
  await client.rest(`PATCH ${at}/issues/1`, { title: "Renamed", milestone: null, state: "closed" });
  await client.rest(`PATCH ${at}/issues/1`, { milestone: 1, state: "open" });
  await client.rest(`PUT ${at}/issues/1/labels`, ["question"]);
  await client.rest(`DELETE ${at}/issues/1/assignees`, { assignees: ["monalisa"] });
  await client.rest(`POST ${at}/issues/1/assignees`, { assignees: ["octocat"] });
  await client.rest(`PUT ${at}/issues/1/lock`, {});
  await client.rest(`DELETE ${at}/issues/1/lock`);
  await client.rest(`POST ${at}/pulls/9/requested_reviewers`, { reviewers: ["hubot"] });
  await client.rest(`DELETE ${at}/pulls/9/requested_reviewers`, { reviewers: ["hubot"] });
  await client.rest(`DELETE ${at}/git/refs/heads/docs/usage`);
  const numbers = { six: 6, seven: 7, nine: 9 };
  const pulls = Object.entries(numbers).map(
    ([name, number]) => `${name}: pullRequest(number: ${number}) { id }`,
  );
  const found = await client.data<{
    repository: Record<string, { id: string }>;
    organization: { projectV2: { id: string } };
  }>(
    `{ ${HELLO(`${pulls.join(" ")} one: issue(number: 1) { id } two: issue(number: 2) { id }
      head: object(expression: "HEAD") { id: oid }`)} ${PROJECT("id")} }`,
  );
  const id = (name: string): string => `"${found.repository[name]!.id}"`;
  await client.data(`mutation {
    enablePullRequestAutoMerge(input: {pullRequestId: ${id("six")}}) { clientMutationId }
    markPullRequestReadyForReview(input: {pullRequestId: ${id("seven")}}) { clientMutationId }
    convertPullRequestToDraft(input: {pullRequestId: ${id("nine")}}) { clientMutationId }
    createLinkedBranch(input: {issueId: ${id("one")}, oid: ${id("head")}}) { clientMutationId }
    createProjectV2StatusUpdate(
      input: {projectId: "${found.organization.projectV2.id}", body: "Late", status: AT_RISK}
    ) { clientMutationId }
    unpinIssue(input: {issueId: ${id("two")}}) { clientMutationId }
  }`);
}

/**
 * Events that never happen in octo/hello, such as the transfer of an issue from another repository.
 */
const NEVER = new Set(["TransferredEvent"]);

describe("served GraphQL fields", () => {
  let client: Client;
  let schema: GraphQLSchema;
  beforeAll(async () => {
    schema = await loadSchema();
    client = await startClient();
    await makeEvents(client);
  });
  afterAll(() => client.emulator.close());

  it.each(Object.keys(TYPES).filter((name) => name !== "Mutation"))(
    "the GitHub emulator gives every served field of the GraphQL type %s a value that GitHub's schema allows",
    async (name) => {
      const type = schema.getType(name);
      expect(isObjectType(type)).toBe(true);
      const fields = Object.values((type as GraphQLObjectType).getFields());
      const served = fields.filter((field) => Object.hasOwn(TYPES[name]!, field.name));
      const selections = served.map((field) => [field.name, findSelection(name, field)] as const);
      expect(selections.filter(([, text]) => text === undefined)).toEqual([]);
      const asked = selections.map(([, text]) => text).join(" ");
      const query = `{ ${queryPath(name)(`__typename ${asked}`)} }`;
      const answer = await client.graphql(query);
      expect(answer).toEqual({ data: expect.anything() as object });
      const isThere = JSON.stringify(answer).includes(`"__typename":"${name}"`);
      expect(isThere).toBe(!NEVER.has(name));
    },
  );
});
