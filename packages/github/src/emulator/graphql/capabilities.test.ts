import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";

const REPO = `repository(owner: "octo", name: "hello")`;
const PAGE = "pageInfo { hasNextPage endCursor }";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

/** Queries with all the fields that the card of the same name needs. No field may be missing. */
const READS: Readonly<Record<string, string>> = {
  "repo.view": `${REPO} { id name nameWithOwner description isPrivate stargazerCount forkCount url defaultBranchRef { name } }`,
  "repo.labels.list": `${REPO} { labels(first: 3) { nodes { id name description color isDefault } ${PAGE} } }`,
  "repo.issue_types.list": `${REPO} { issueTypes(first: 5) { nodes { id name color isEnabled } ${PAGE} } }`,
  "issue.view": `${REPO} { issue(number: 1) { id number title state url body author { login } labels(first: 20) { nodes { name } } assignees(first: 5) { nodes { login } } milestone { number } createdAt closedAt } }`,
  "issue.list": `${REPO} { issues(first: 2, states: [OPEN], orderBy: {field: CREATED_AT, direction: DESC}) { nodes { id number title state url } ${PAGE} } }`,
  "issue.comments.list": `${REPO} { issue(number: 1) { comments(first: 1) { nodes { id body author { login } url createdAt } ${PAGE} } } }`,
  "issue.relations.prs.list": `${REPO} { issue(number: 1) { closedByPullRequestsReferences(first: 5, userLinkedOnly: true, includeClosedPrs: true) { nodes { id number title state url } } timelineItems(first: 20, itemTypes: [CONNECTED_EVENT, DISCONNECTED_EVENT]) { nodes { __typename ... on ConnectedEvent { subject { ... on PullRequest { number } } } } } } }`,
  "issue.relations.view": `${REPO} { issue(number: 2) { id number parent { id number } subIssues(first: 50) { nodes { id number } } blockedBy(first: 50) { nodes { id number } } subIssuesSummary { total completed percentCompleted } } }`,
  "pr.view": `${REPO} { pullRequest(number: 6) { id number title state url body isDraft author { login } headRefName headRefOid baseRefName baseRefOid labels(first: 20) { nodes { name } } additions deletions changedFiles } }`,
  "pr.list": `${REPO} { pullRequests(first: 2, states: [OPEN]) { nodes { id number title state url } ${PAGE} } }`,
  "pr.threads.list": `${REPO} { pullRequest(number: 6) { reviewThreads(first: 10) { nodes { id path line startLine diffSide subjectType isResolved isOutdated viewerCanReply viewerCanResolve viewerCanUnresolve resolvedBy { login } comments(first: 20) { nodes { id author { login } body createdAt url } } } ${PAGE} } } }`,
  "pr.reviews.list": `${REPO} { pullRequest(number: 6) { reviews(first: 10) { nodes { id author { login } body state submittedAt url commit { oid } } ${PAGE} } } }`,
  "pr.reactions.list": `${REPO} { pullRequest(number: 6) { id url reactionGroups { content viewerHasReacted reactors(first: 10) { totalCount nodes { ... on User { login } } } } } }`,
  "pr.comments.reactions.list": `${REPO} { pullRequest(number: 6) { comments(first: 10) { nodes { id url author { login } reactionGroups { content reactors(first: 3) { totalCount } } } } reviewThreads(first: 5) { nodes { comments(first: 5) { nodes { id url reactionGroups { content reactors(first: 3) { totalCount } } } } } } } }`,
  "pr.diff.files": `${REPO} { pullRequest(number: 6) { files(first: 1) { nodes { path additions deletions changeType } ${PAGE} } } }`,
  "pr.checks.list": `${REPO} { pullRequest(number: 6) { commits(last: 1) { nodes { commit { statusCheckRollup { state contexts(first: 50) { totalCount nodes { __typename ... on CheckRun { name status conclusion detailsUrl isRequired(pullRequestNumber: 6) checkSuite { workflowRun { workflow { name } } } annotations(first: 5) { nodes { path message annotationLevel location { start { line } } } } } ... on StatusContext { context state targetUrl } } } } } } } } }`,
  "pr.merge.status": `${REPO} { pullRequest(number: 6) { mergeable mergeStateStatus reviewDecision isDraft state viewerCanMergeAsAdmin } }`,
  "project_v2.org.view": `organization(login: "octo") { projectV2(number: 1) { id title shortDescription public closed url } }`,
  "project_v2.user.view": `user(login: "octocat") { projectV2(number: 1) { id title shortDescription public closed url } }`,
  "project_v2.fields.list": `organization(login: "octo") { projectV2(number: 1) { fields(first: 20) { nodes { __typename ... on ProjectV2FieldCommon { id name dataType } ... on ProjectV2SingleSelectField { options { id name } } ... on ProjectV2IterationField { configuration { iterations { id title startDate duration } } } } ${PAGE} } } }`,
  "project_v2.items.list": `organization(login: "octo") { projectV2(number: 1) { items(first: 10) { nodes { id type content { __typename ... on Issue { number title } ... on PullRequest { number title } ... on DraftIssue { title } } fieldValues(first: 20) { nodes { __typename ... on ProjectV2ItemFieldTextValue { text } ... on ProjectV2ItemFieldNumberValue { number } ... on ProjectV2ItemFieldDateValue { date } ... on ProjectV2ItemFieldSingleSelectValue { name optionId } ... on ProjectV2ItemFieldIterationValue { title iterationId } } } } ${PAGE} } } }`,
  "release.list": `${REPO} { releases(first: 5, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { id databaseId tagName name isDraft isPrerelease isLatest url createdAt publishedAt tagCommit { oid } } ${PAGE} } }`,
  "release.view": `${REPO} { release(tagName: "v1.0.0") { id tagName name description releaseAssets(first: 5) { nodes { name size downloadUrl } } } }`,
  "search.issues": `search(query: "repo:octo/hello is:issue is:open greet", type: ISSUE, first: 5) { issueCount nodes { ... on Issue { number title } } ${PAGE} }`,
  "search.repos": `search(query: "hello in:name", type: REPOSITORY, first: 5) { repositoryCount nodes { ... on Repository { nameWithOwner } } }`,
  "file.view": `${REPO} { object(expression: "main:src/greet.ts") { ... on Blob { text byteSize isBinary oid } } }`,
  "file.list": `${REPO} { object(expression: "main:") { ... on Tree { entries { name type mode size oid } } } }`,
  "commit.list": `${REPO} { defaultBranchRef { target { ... on Commit { history(first: 3) { nodes { oid messageHeadline author { name user { login } } committedDate } ${PAGE} } } } } }`,
  "commit.view": `${REPO} { object(expression: "v1.1.0") { ... on Commit { oid message additions deletions changedFilesIfAvailable parents(first: 2) { nodes { oid } } } } }`,
  "commit.compare": `${REPO} { ref(qualifiedName: "refs/heads/main") { compare(headRef: "fix/empty-name") { aheadBy behindBy status commits(first: 5) { nodes { oid } } } } }`,
  "branch.list": `${REPO} { refs(refPrefix: "refs/heads/", first: 20) { nodes { name target { oid } branchProtectionRule { pattern } } ${PAGE} } }`,
  "tag.list": `${REPO} { refs(refPrefix: "refs/tags/", first: 20) { nodes { name target { oid } } } }`,
  "pr.commits.list": `${REPO} { pullRequest(number: 6) { commits(first: 10) { nodes { commit { oid messageHeadline } } ${PAGE} } } }`,
  "milestone.list": `${REPO} { milestones(first: 5, states: [OPEN]) { nodes { number title state dueOn description progressPercentage } } }`,
  "repo.list": `repositoryOwner(login: "octo") { repositories(first: 5, orderBy: {field: PUSHED_AT, direction: DESC}) { nodes { nameWithOwner isPrivate isArchived isFork } ${PAGE} } }`,
  "release.assets.list": `${REPO} { release(tagName: "v1.0.0") { releaseAssets(first: 5) { nodes { id name size contentType downloadCount url } } } }`,
  "user.me": `viewer { login name email bio company location createdAt organizations(first: 5) { nodes { login } } }`,
  "user.view": `user(login: "monalisa") { id databaseId login name company url avatarUrl followers(first: 1) { totalCount } }`,
  "discussion.list": `${REPO} { discussions(first: 5) { nodes { number title category { name isAnswerable } isAnswered author { login } comments(first: 1) { totalCount } } ${PAGE} } }`,
  "discussion.view": `${REPO} { discussion(number: 11) { title body answer { body } comments(first: 5) { nodes { body replies(first: 5) { nodes { body } } } } } }`,
  "gist.list": `viewer { gists(first: 5, privacy: ALL) { nodes { name description isPublic files { name text size } } } }`,
};

describe("GraphQL of the emulator", () => {
  it.each(Object.entries(READS))(
    "the GitHub emulator answers the GraphQL query that Waybill sends for %s",
    async (_name, query) => {
      const data = await client.data(`{ ${query} }`);
      expect(Object.values(data)).toEqual([expect.anything()]);
      expect(client.emulator.applied()).toEqual({});
    },
  );

  it("the GitHub emulator returns the merge state of a pull request over GraphQL", async () => {
    const { repository } = await client.data(`{ ${READS["pr.merge.status"]!} }`);
    expect(repository).toEqual({
      pullRequest: {
        mergeable: "MERGEABLE",
        mergeStateStatus: "BLOCKED",
        reviewDecision: "CHANGES_REQUESTED",
        isDraft: false,
        state: "OPEN",
        viewerCanMergeAsAdmin: true,
      },
    });
  });
});
