import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { ids, mutate } from "../fixtures/mutate.ts";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

describe("pull requests, files and projects over GraphQL", () => {
  it("the GitHub emulator opens, changes and merges pull requests over GraphQL", async () => {
    const {
      id: repositoryId,
      six,
      seven,
      nine,
    } = await ids(
      client,
      "six: pullRequest(number: 6) { id } seven: pullRequest(number: 7) { id } nine: pullRequest(number: 9) { id }",
    );
    const made = await mutate(
      client,
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
      client,
      "updatePullRequest",
      { pullRequestId: id, title: "U", body: "v" },
      "pullRequest { title body }",
    );
    await mutate(
      client,
      "markPullRequestReadyForReview",
      { pullRequestId: id },
      "pullRequest { isDraft }",
    );
    await mutate(
      client,
      "convertPullRequestToDraft",
      { pullRequestId: id },
      "pullRequest { isDraft }",
    );
    expect(
      await mutate(client, "closePullRequest", { pullRequestId: id }, "pullRequest { state }"),
    ).toEqual({ pullRequest: { state: "CLOSED" } });
    await mutate(client, "reopenPullRequest", { pullRequestId: id }, "pullRequest { state }");
    const { user: person } = await client.data<{ user: { id: string } }>(
      `{ user(login: "hubot") { id } }`,
    );
    expect(
      await mutate(
        client,
        "requestReviews",
        { pullRequestId: nine, userIds: [person.id] },
        "pullRequest { reviewRequests(first: 5) { nodes { requestedReviewer { ... on User { login } } } } }",
      ),
    ).toMatchObject({
      pullRequest: { reviewRequests: { nodes: [{ requestedReviewer: { login: "hubot" } }] } },
    });
    await mutate(
      client,
      "enablePullRequestAutoMerge",
      { pullRequestId: six, mergeMethod: "SQUASH" },
      "pullRequest { autoMergeRequest { mergeMethod } }",
    );
    await mutate(
      client,
      "disablePullRequestAutoMerge",
      { pullRequestId: six },
      "pullRequest { autoMergeRequest { mergeMethod } }",
    );
    await mutate(
      client,
      "updatePullRequestBranch",
      { pullRequestId: nine },
      "pullRequest { headRefOid }",
    );
    expect(
      await mutate(
        client,
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

  it("the GitHub emulator closes the issues that a pull request fixes when the pull request is merged over GraphQL", async () => {
    const { six } = await ids(client, "six: pullRequest(number: 6) { id }");
    await mutate(
      client,
      "mergePullRequest",
      { pullRequestId: six, mergeMethod: "REBASE" },
      "pullRequest { state }",
    );
    const { repository } = await client.data(
      `{ repository(owner: "octo", name: "hello") { issue(number: 1) { state stateReason } } }`,
    );
    expect(repository).toEqual({ issue: { state: "CLOSED", stateReason: "COMPLETED" } });
  });

  it("the GitHub emulator reviews a pull request with threads over GraphQL", async () => {
    const { six } = await ids(client, "six: pullRequest(number: 6) { id }");
    const made = await mutate(
      client,
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
      client,
      "addPullRequestReview",
      { pullRequestId: six },
      "pullRequestReview { id state }",
    );
    const { id } = pending["pullRequestReview"] as { id: string };
    const started = await mutate(
      client,
      "addPullRequestReviewThread",
      { pullRequestReviewId: id, path: "src/greet.ts", line: 4, body: "Here" },
      "thread { id isResolved }",
    );
    const { id: threadId } = started["thread"] as { id: string };
    await mutate(
      client,
      "addPullRequestReviewThreadReply",
      { pullRequestReviewThreadId: threadId, body: "There" },
      "comment { id url }",
    );
    await mutate(
      client,
      "submitPullRequestReview",
      { pullRequestReviewId: id, event: "APPROVE", body: "Fine" },
      "pullRequestReview { state }",
    );
    expect(
      await mutate(
        client,
        "resolveReviewThread",
        { threadId },
        "thread { isResolved resolvedBy { login } }",
      ),
    ).toEqual({ thread: { isResolved: true, resolvedBy: { login: "octocat" } } });
    expect(
      await mutate(client, "unresolveReviewThread", { threadId }, "thread { isResolved }"),
    ).toEqual({
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

  it("the GitHub emulator writes labels, refs, files and repositories over GraphQL", async () => {
    const { id: repositoryId } = await ids(client, "");
    const label = await mutate(
      client,
      "createLabel",
      { repositoryId, name: "new", color: "00ff00" },
      "label { id name }",
    );
    const { id: labelId } = label["label"] as { id: string };
    await mutate(client, "updateLabel", { id: labelId, name: "newer" }, "label { name }");
    await mutate(client, "deleteLabel", { id: labelId }, "");
    const { repository } = await client.data<
      Record<string, Record<string, { target: { oid: string } }>>
    >(
      `{ repository(owner: "octo", name: "hello") { ref(qualifiedName: "main") { target { oid } } } }`,
    );
    const { oid } = repository!["ref"]!.target;
    const ref = await mutate(
      client,
      "createRef",
      { repositoryId, name: "refs/heads/try", oid },
      "ref { id name prefix }",
    );
    const { id: refId } = ref["ref"] as { id: string };
    const contents = Buffer.from("x").toString("base64");
    expect(
      await mutate(
        client,
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
    await mutate(client, "updateRef", { refId, oid, force: true }, "ref { target { oid } }");
    await mutate(client, "deleteRef", { refId }, "");
    await mutate(
      client,
      "createRepository",
      { name: "fresh", visibility: "PRIVATE" },
      "repository { nameWithOwner isPrivate isEmpty }",
    );
    await mutate(
      client,
      "updateRepository",
      { repositoryId, description: "d" },
      "repository { description }",
    );
    await mutate(
      client,
      "addStar",
      { starrableId: repositoryId },
      "starrable { viewerHasStarred }",
    );
  });

  it("the GitHub emulator changes project items over GraphQL", async () => {
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
        client,
        "updateProjectV2ItemFieldValue",
        { ...at, fieldId: field("Notes"), value: { text: "n" } },
        value,
      ),
    ).toEqual({ projectV2Item: { fieldValueByName: { text: "n" } } });
    expect(
      await mutate(
        client,
        "clearProjectV2ItemFieldValue",
        { ...at, fieldId: field("Notes") },
        value,
      ),
    ).toEqual({ projectV2Item: { fieldValueByName: null } });
    const { three } = await ids(client, "three: issue(number: 3) { id }");
    const added = await mutate(
      client,
      "addProjectV2ItemById",
      { projectId: project.id, contentId: three },
      "item { id type }",
    );
    const { id: itemId } = added["item"] as { id: string };
    expect(
      await mutate(
        client,
        "deleteProjectV2Item",
        { projectId: project.id, itemId },
        "deletedItemId",
      ),
    ).toEqual({ deletedItemId: itemId });
    await mutate(
      client,
      "addProjectV2DraftIssue",
      { projectId: project.id, title: "Draft" },
      "projectItem { id }",
    );
  });
});
