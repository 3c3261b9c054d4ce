import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { TOKENS } from "../world/index.ts";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

interface Found {
  readonly repository: Readonly<
    Record<string, { readonly id: string } & Record<string, unknown>>
  > & { readonly id: string };
}

/** Node ids of octo/hello, by alias. */
async function ids(fields: string): Promise<Record<string, string>> {
  const { repository } = await client.data<Found>(
    `{ repository(owner: "octo", name: "hello") { id ${fields} } }`,
  );
  const pairs = Object.entries(repository).map(([key, value]) => [
    key,
    typeof value === "string" ? value : value.id,
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Runs one mutation with its input, and gives its payload. */
async function mutate(
  name: string,
  input: Readonly<Record<string, unknown>>,
  select: string,
): Promise<Record<string, unknown>> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
  const query = `mutation M($input: ${type}) { ${name}(input: $input) { clientMutationId ${select} } }`;
  const data = await client.data<Record<string, Record<string, unknown>>>(query, {
    input: { ...input, clientMutationId: "c" },
  });
  const { clientMutationId, ...payload } = data[name]!;
  expect(clientMutationId).toBe("c");
  return payload;
}

describe("GraphQL mutations", () => {
  it("make, change, close, reopen and delete an issue", async () => {
    const {
      id: repositoryId,
      bug,
      milestone,
    } = await ids(`bug: label(name: "bug") { id } milestone(number: 1) { id }`);
    const made = await mutate(
      "createIssue",
      { repositoryId, title: "New", body: "b\r\n👋", labelIds: [bug], milestoneId: milestone },
      "issue { id number title body state labels(first: 5) { nodes { name } } milestone { title } }",
    );
    expect(made).toMatchObject({
      issue: {
        number: 13,
        body: "b\r\n👋",
        labels: { nodes: [{ name: "bug" }] },
        milestone: { title: "v1.2" },
      },
    });
    const { id } = made["issue"] as { id: string };
    expect(
      await mutate(
        "updateIssue",
        { id, title: "Other", milestoneId: null, labelIds: [] },
        "issue { title milestone { title } }",
      ),
    ).toEqual({
      issue: { title: "Other", milestone: null },
    });
    expect(
      await mutate(
        "closeIssue",
        { issueId: id, stateReason: "NOT_PLANNED" },
        "issue { state stateReason closed }",
      ),
    ).toEqual({
      issue: { state: "CLOSED", stateReason: "NOT_PLANNED", closed: true },
    });
    expect(await mutate("reopenIssue", { issueId: id }, "issue { state }")).toEqual({
      issue: { state: "OPEN" },
    });
    await mutate("deleteIssue", { issueId: id }, "repository { id }");
    const { errors } = await client.graphql(`{ node(id: "${id}") { id } }`);
    expect(errors).toMatchObject([
      { type: "NOT_FOUND", message: `Could not resolve to a node with the global id of '${id}'.` },
    ]);
    expect(client.emulator.applied()).toEqual({
      createIssue: 1,
      updateIssue: 1,
      closeIssue: 1,
      reopenIssue: 1,
      deleteIssue: 1,
    });
  });

  it("comment, label, assign, react, lock, pin and transfer", async () => {
    const at = await ids(
      `one: issue(number: 1) { id } bug: label(name: "bug") { id } question: label(name: "question") { id } people: assignableUsers(first: 1) { id: totalCount }`,
    );
    const { user: person } = await client.data<{ user: { id: string } }>(
      `{ user(login: "octocat") { id } }`,
    );
    const user = person.id;
    const labels = "labelable { ... on Issue { labels(first: 9) { nodes { name } } } }";
    const comment = await mutate(
      "addComment",
      { subjectId: at["one"], body: "Hi" },
      "commentEdge { node { id body url } }",
    );
    expect(comment).toMatchObject({ commentEdge: { node: { body: "Hi" } } });
    const { id } = (comment["commentEdge"] as { node: { id: string } }).node;
    expect(
      await mutate("updateIssueComment", { id, body: "Ho" }, "issueComment { body lastEditedAt }"),
    ).toMatchObject({ issueComment: { body: "Ho" } });
    await mutate("deleteIssueComment", { id }, "");
    expect(
      await mutate(
        "addLabelsToLabelable",
        { labelableId: at["one"], labelIds: [at["question"]] },
        labels,
      ),
    ).toEqual({
      labelable: {
        labels: { nodes: [{ name: "bug" }, { name: "question" }, { name: "priority: high" }] },
      },
    });
    await mutate(
      "removeLabelsFromLabelable",
      { labelableId: at["one"], labelIds: [at["bug"]] },
      labels,
    );
    expect(await mutate("clearLabelsFromLabelable", { labelableId: at["one"] }, labels)).toEqual({
      labelable: { labels: { nodes: [] } },
    });
    const assignees = "assignable { ... on Issue { assignees(first: 5) { nodes { login } } } }";
    expect(
      await mutate(
        "addAssigneesToAssignable",
        { assignableId: at["one"], assigneeIds: [user] },
        assignees,
      ),
    ).toEqual({
      assignable: { assignees: { nodes: [{ login: "monalisa" }, { login: "octocat" }] } },
    });
    await mutate(
      "removeAssigneesFromAssignable",
      { assignableId: at["one"], assigneeIds: [user] },
      assignees,
    );
    await mutate("addReaction", { subjectId: at["one"], content: "HEART" }, "reaction { content }");
    await mutate(
      "removeReaction",
      { subjectId: at["one"], content: "HEART" },
      "reaction { content }",
    );
    await mutate(
      "lockLockable",
      { lockableId: at["one"], lockReason: "SPAM" },
      "lockedRecord { locked activeLockReason }",
    );
    await mutate("unlockLockable", { lockableId: at["one"] }, "unlockedRecord { locked }");
    await mutate("pinIssue", { issueId: at["one"] }, "issue { isPinned }");
    await mutate("unpinIssue", { issueId: at["one"] }, "issue { isPinned }");
    const { repository } = await client.data<Found>(
      `{ repository(owner: "octo", name: "atlas") { id } }`,
    );
    expect(
      await mutate(
        "transferIssue",
        { issueId: at["one"], repositoryId: repository.id },
        "issue { url }",
      ),
    ).toEqual({
      issue: { url: "https://github.com/octo/atlas/issues/2" },
    });
  });

  it("relate issues", async () => {
    const at = await ids(
      "one: issue(number: 1) { id } two: issue(number: 2) { id } three: issue(number: 3) { id } four: issue(number: 4) { id }",
    );
    const children = "issue { subIssues(first: 5) { nodes { number } } }";
    expect(
      await mutate(
        "addSubIssue",
        { issueId: at["one"], subIssueId: at["three"], replaceParent: true },
        `${children} subIssue { parent { number } }`,
      ),
    ).toEqual({
      issue: { subIssues: { nodes: [{ number: 3 }] } },
      subIssue: { parent: { number: 1 } },
    });
    await mutate(
      "addSubIssue",
      {
        issueId: at["one"],
        subIssueUrl: "https://github.com/octo/hello/issues/4",
        replaceParent: true,
      },
      children,
    );
    expect(
      await mutate(
        "reprioritizeSubIssue",
        { issueId: at["one"], subIssueId: at["four"], beforeId: at["three"] },
        children,
      ),
    ).toEqual({
      issue: { subIssues: { nodes: [{ number: 4 }, { number: 3 }] } },
    });
    await mutate("removeSubIssue", { issueId: at["one"], subIssueId: at["three"] }, children);
    const blockers = "issue { blockedBy(first: 5) { nodes { number } } }";
    expect(
      await mutate("removeBlockedBy", { issueId: at["two"], blockingIssueId: at["one"] }, blockers),
    ).toEqual({ issue: { blockedBy: { nodes: [] } } });
    await mutate("addBlockedBy", { issueId: at["two"], blockingIssueId: at["three"] }, blockers);
    const { errors } = await client.graphql(
      `mutation { addBlockedBy(input: {issueId: "${at["two"]!}", blockingIssueId: "${at["two"]!}"}) { issue { id } } }`,
    );
    expect(errors).toMatchObject([{ type: "UNPROCESSABLE", path: ["addBlockedBy"] }]);
  });

  it("open, change and merge pull requests", async () => {
    const {
      id: repositoryId,
      six,
      seven,
      nine,
    } = await ids(
      "six: pullRequest(number: 6) { id } seven: pullRequest(number: 7) { id } nine: pullRequest(number: 9) { id }",
    );
    const made = await mutate(
      "createPullRequest",
      {
        repositoryId,
        title: "T",
        baseRefName: "chore/version",
        headRefName: "fix/empty-name",
        draft: true,
      },
      "pullRequest { id number isDraft commits(first: 9) { totalCount } }",
    );
    const { id } = made["pullRequest"] as { id: string };
    await mutate(
      "updatePullRequest",
      { pullRequestId: id, title: "U", body: "v" },
      "pullRequest { title body }",
    );
    await mutate("markPullRequestReadyForReview", { pullRequestId: id }, "pullRequest { isDraft }");
    await mutate("convertPullRequestToDraft", { pullRequestId: id }, "pullRequest { isDraft }");
    expect(
      await mutate("closePullRequest", { pullRequestId: id }, "pullRequest { state }"),
    ).toEqual({ pullRequest: { state: "CLOSED" } });
    await mutate("reopenPullRequest", { pullRequestId: id }, "pullRequest { state }");
    const { user: person } = await client.data<{ user: { id: string } }>(
      `{ user(login: "hubot") { id } }`,
    );
    expect(
      await mutate(
        "requestReviews",
        { pullRequestId: nine, userIds: [person.id] },
        "pullRequest { reviewRequests(first: 5) { nodes { requestedReviewer { ... on User { login } } } } }",
      ),
    ).toMatchObject({
      pullRequest: { reviewRequests: { nodes: [{ requestedReviewer: { login: "hubot" } }] } },
    });
    await mutate(
      "enablePullRequestAutoMerge",
      { pullRequestId: six, mergeMethod: "SQUASH" },
      "pullRequest { autoMergeRequest { mergeMethod } }",
    );
    await mutate(
      "disablePullRequestAutoMerge",
      { pullRequestId: six },
      "pullRequest { autoMergeRequest { mergeMethod } }",
    );
    await mutate("updatePullRequestBranch", { pullRequestId: nine }, "pullRequest { headRefOid }");
    expect(
      await mutate(
        "mergePullRequest",
        { pullRequestId: nine, mergeMethod: "MERGE" },
        "pullRequest { merged state mergeCommit { messageHeadline } }",
      ),
    ).toEqual({
      pullRequest: {
        merged: true,
        state: "MERGED",
        mergeCommit: { messageHeadline: "Merge pull request #9 from octo/chore/version" },
      },
    });
    const { errors } = await client.graphql(
      `mutation { mergePullRequest(input: {pullRequestId: "${seven!}"}) { actor { login } } }`,
    );
    expect(errors).toMatchObject([
      { type: "UNPROCESSABLE", message: "Pull Request is still a draft" },
    ]);
    expect(client.emulator.applied()).toMatchObject({
      createPull: 1,
      mergePull: 1,
      updateBranch: 1,
    });
  });

  it("closes the issues that a merged pull request fixes", async () => {
    const { six } = await ids("six: pullRequest(number: 6) { id }");
    await mutate(
      "mergePullRequest",
      { pullRequestId: six, mergeMethod: "REBASE" },
      "pullRequest { state }",
    );
    const { repository } = await client.data(
      `{ repository(owner: "octo", name: "hello") { issue(number: 1) { state stateReason } } }`,
    );
    expect(repository).toEqual({ issue: { state: "CLOSED", stateReason: "COMPLETED" } });
  });

  it("review, with threads", async () => {
    const { six } = await ids("six: pullRequest(number: 6) { id }");
    const made = await mutate(
      "addPullRequestReview",
      {
        pullRequestId: six,
        event: "COMMENT",
        body: "b",
        threads: [{ path: "src/greet.ts", line: 3, side: "RIGHT", body: "Hm" }],
      },
      "pullRequestReview { id state url comments(first: 5) { nodes { body path line } } }",
    );
    expect(made).toMatchObject({
      pullRequestReview: {
        state: "COMMENTED",
        comments: { nodes: [{ body: "Hm", path: "src/greet.ts", line: 3 }] },
      },
    });
    const { errors } = await client.graphql(
      `mutation { addPullRequestReview(input: {pullRequestId: "${six!}", event: COMMENT, body: "b", threads: [{path: "src/greet.ts", line: 99, body: "x"}]}) { pullRequestReview { id } } }`,
    );
    expect(errors).toMatchObject([{ message: "Line could not be resolved" }]);
    const pending = await mutate(
      "addPullRequestReview",
      { pullRequestId: six },
      "pullRequestReview { id state }",
    );
    const { id } = pending["pullRequestReview"] as { id: string };
    const started = await mutate(
      "addPullRequestReviewThread",
      { pullRequestReviewId: id, path: "src/greet.ts", line: 4, body: "Here" },
      "thread { id isResolved }",
    );
    const { id: threadId } = started["thread"] as { id: string };
    await mutate(
      "addPullRequestReviewThreadReply",
      { pullRequestReviewThreadId: threadId, body: "There" },
      "comment { id url }",
    );
    await mutate(
      "submitPullRequestReview",
      { pullRequestReviewId: id, event: "APPROVE", body: "Fine" },
      "pullRequestReview { state }",
    );
    expect(
      await mutate(
        "resolveReviewThread",
        { threadId },
        "thread { isResolved resolvedBy { login } }",
      ),
    ).toEqual({ thread: { isResolved: true, resolvedBy: { login: "octocat" } } });
    expect(await mutate("unresolveReviewThread", { threadId }, "thread { isResolved }")).toEqual({
      thread: { isResolved: false },
    });
    expect(client.emulator.applied()).toEqual({
      addReview: 2,
      addThread: 1,
      replyToThread: 1,
      submitReview: 1,
      resolveThread: 1,
      unresolveThread: 1,
    });
  });

  it("write labels, refs, files and repositories", async () => {
    const { id: repositoryId } = await ids("");
    const label = await mutate(
      "createLabel",
      { repositoryId, name: "new", color: "00ff00" },
      "label { id name }",
    );
    const { id: labelId } = label["label"] as { id: string };
    await mutate("updateLabel", { id: labelId, name: "newer" }, "label { name }");
    await mutate("deleteLabel", { id: labelId }, "");
    const { repository } = await client.data<
      Record<string, Record<string, { target: { oid: string } }>>
    >(
      `{ repository(owner: "octo", name: "hello") { ref(qualifiedName: "main") { target { oid } } } }`,
    );
    const { oid } = repository!["ref"]!.target;
    const ref = await mutate(
      "createRef",
      { repositoryId, name: "refs/heads/try", oid },
      "ref { id name prefix }",
    );
    const { id: refId } = ref["ref"] as { id: string };
    const contents = Buffer.from("x").toString("base64");
    expect(
      await mutate(
        "createCommitOnBranch",
        {
          branch: { repositoryNameWithOwner: "octo/hello", branchName: "try" },
          expectedHeadOid: oid,
          message: { headline: "Two files" },
          fileChanges: {
            additions: [
              { path: "a.txt", contents },
              { path: "b/c.txt", contents },
            ],
            deletions: [{ path: "LICENSE" }],
          },
        },
        "commit { changedFilesIfAvailable messageHeadline }",
      ),
    ).toEqual({ commit: { changedFilesIfAvailable: 3, messageHeadline: "Two files" } });
    await mutate("updateRef", { refId, oid, force: true }, "ref { target { oid } }");
    await mutate("deleteRef", { refId }, "");
    await mutate(
      "createRepository",
      { name: "fresh", visibility: "PRIVATE" },
      "repository { nameWithOwner isPrivate isEmpty }",
    );
    await mutate(
      "updateRepository",
      { repositoryId, description: "d" },
      "repository { description }",
    );
    await mutate("addStar", { starrableId: repositoryId }, "starrable { viewerHasStarred }");
  });

  it("change project items", async () => {
    const { organization } = await client.data<
      Record<
        string,
        Record<
          string,
          {
            id: string;
            items: { nodes: { id: string }[] };
            fields: { nodes: { id: string; name: string }[] };
          }
        >
      >
    >(
      `{ organization(login: "octo") { projectV2(number: 1) { id items(first: 9) { nodes { id } } fields(first: 20) { nodes { ... on ProjectV2FieldCommon { id name } } } } } }`,
    );
    const project = organization!["projectV2"]!;
    const field = (name: string): string =>
      project.fields.nodes.find((one) => one.name === name)!.id;
    const at = { projectId: project.id, itemId: project.items.nodes[0]!.id };
    const value = `projectV2Item { fieldValueByName(name: "Notes") { ... on ProjectV2ItemFieldTextValue { text } } }`;
    expect(
      await mutate(
        "updateProjectV2ItemFieldValue",
        { ...at, fieldId: field("Notes"), value: { text: "n" } },
        value,
      ),
    ).toEqual({ projectV2Item: { fieldValueByName: { text: "n" } } });
    expect(
      await mutate("clearProjectV2ItemFieldValue", { ...at, fieldId: field("Notes") }, value),
    ).toEqual({ projectV2Item: { fieldValueByName: null } });
    const { three } = await ids("three: issue(number: 3) { id }");
    const added = await mutate(
      "addProjectV2ItemById",
      { projectId: project.id, contentId: three },
      "item { id type }",
    );
    const { id: itemId } = added["item"] as { id: string };
    expect(
      await mutate("deleteProjectV2Item", { projectId: project.id, itemId }, "deletedItemId"),
    ).toEqual({ deletedItemId: itemId });
    await mutate(
      "addProjectV2DraftIssue",
      { projectId: project.id, title: "Draft" },
      "projectItem { id }",
    );
  });
});

interface Labels {
  readonly nodes: readonly { readonly name: string }[];
  readonly pageInfo: Readonly<Record<string, string | boolean>>;
}

async function labelPage(args: string): Promise<Labels> {
  const fields = "nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
  const query = `{ repository(owner: "octo", name: "hello") { labels(${args}) { ${fields} } } }`;
  return (await client.data<{ repository: { labels: Labels } }>(query)).repository.labels;
}

describe("GraphQL refusals", () => {
  it("name their type and place", async () => {
    const cases = [
      [
        `{ repository(owner: "octo", name: "nope") { id } }`,
        "NOT_FOUND",
        "Could not resolve to a Repository with the name 'octo/nope'.",
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issue(number: 6) { id } } }`,
        "NOT_FOUND",
        "Could not resolve to an Issue with the number of 6.",
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issues { nodes { id } } } }`,
        "MISSING_PAGINATION_BOUNDARIES",
        /first/,
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issues(first: 101) { nodes { id } } } }`,
        "EXCESSIVE_PAGINATION",
        /101/,
      ],
      [
        `{ repository(owner: "octo", name: "hello") { issues(first: 1, after: "x") { nodes { id } } } }`,
        "INVALID_CURSOR_ARGUMENTS",
        /valid cursor/,
      ],
      [
        `{ viewer { monthlyEstimatedSponsorsIncomeInCents } }`,
        "NOT_SERVED",
        /User.monthlyEstimatedSponsorsIncomeInCents/,
      ],
    ] as const;
    for (const [query, type, message] of cases) {
      const { errors } = await client.graphql(query);
      expect(errors).toMatchObject([{ type, message: expect.stringMatching(message) as string }]);
    }
  });

  it("say which scope is missing", async () => {
    const { id: repositoryId } = await ids("");
    const query = `mutation { createIssue(input: {repositoryId: "${repositoryId!}", title: "T"}) { issue { id } } }`;
    const { errors } = await client.graphql(query, {}, { token: TOKENS.readOnly });
    expect(errors).toMatchObject([{ type: "INSUFFICIENT_SCOPES" }]);
    expect(client.emulator.applied()).toEqual({});
  });

  it("leave the rest of the answer as it is", async () => {
    const { data, errors } = await client.graphql(
      `{ a: repository(owner: "octo", name: "hello") { name } b: repository(owner: "octo", name: "nope") { name } }`,
    );
    expect(data).toEqual({ a: { name: "hello" }, b: null });
    expect(errors).toMatchObject([{ type: "NOT_FOUND", path: ["b"] }]);
  });

  it("walks through a list page by page, in both directions", async () => {
    const names: string[] = [];
    let after = "";
    for (let next = true; next;) {
      const { nodes, pageInfo } = await labelPage(`first: 4${after}`);
      names.push(...nodes.map(({ name }) => name));
      next = pageInfo["hasNextPage"] === true;
      after = `, after: "${String(pageInfo["endCursor"])}"`;
    }
    expect(names).toHaveLength(10);
    expect(new Set(names).size).toBe(10);
    const { nodes } = await labelPage("last: 2");
    expect(nodes.map(({ name }) => name)).toEqual(names.slice(-2));
  });
});
