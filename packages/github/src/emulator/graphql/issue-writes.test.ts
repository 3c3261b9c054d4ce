import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { ids, mutate } from "../fixtures/mutate.ts";
import type { Found } from "../fixtures/mutate.ts";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

describe("issues over GraphQL", () => {
  it("the GitHub emulator creates, changes, closes, reopens and deletes an issue over GraphQL", async () => {
    const {
      id: repositoryId,
      bug,
      milestone,
    } = await ids(client, `bug: label(name: "bug") { id } milestone(number: 1) { id }`);
    const made = await mutate(
      client,
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
        client,
        "updateIssue",
        { id, title: "Other", milestoneId: null, labelIds: [] },
        "issue { title milestone { title } }",
      ),
    ).toEqual({
      issue: { title: "Other", milestone: null },
    });
    expect(
      await mutate(
        client,
        "closeIssue",
        { issueId: id, stateReason: "NOT_PLANNED" },
        "issue { state stateReason closed }",
      ),
    ).toEqual({
      issue: { state: "CLOSED", stateReason: "NOT_PLANNED", closed: true },
    });
    expect(await mutate(client, "reopenIssue", { issueId: id }, "issue { state }")).toEqual({
      issue: { state: "OPEN" },
    });
    await mutate(client, "deleteIssue", { issueId: id }, "repository { id }");
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

  it("the GitHub emulator comments on, labels, assigns, reacts to, locks, pins and transfers an issue over GraphQL", async () => {
    const at = await ids(
      client,
      `one: issue(number: 1) { id } bug: label(name: "bug") { id } question: label(name: "question") { id } people: assignableUsers(first: 1) { id: totalCount }`,
    );
    const { user: person } = await client.data<{ user: { id: string } }>(
      `{ user(login: "octocat") { id } }`,
    );
    const user = person.id;
    const labels = "labelable { ... on Issue { labels(first: 9) { nodes { name } } } }";
    const comment = await mutate(
      client,
      "addComment",
      { subjectId: at["one"], body: "Hi" },
      "commentEdge { node { id body url } }",
    );
    expect(comment).toMatchObject({ commentEdge: { node: { body: "Hi" } } });
    const { id } = (comment["commentEdge"] as { node: { id: string } }).node;
    expect(
      await mutate(
        client,
        "updateIssueComment",
        { id, body: "Ho" },
        "issueComment { body lastEditedAt }",
      ),
    ).toMatchObject({ issueComment: { body: "Ho" } });
    await mutate(client, "deleteIssueComment", { id }, "");
    expect(
      await mutate(
        client,
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
      client,
      "removeLabelsFromLabelable",
      { labelableId: at["one"], labelIds: [at["bug"]] },
      labels,
    );
    expect(
      await mutate(client, "clearLabelsFromLabelable", { labelableId: at["one"] }, labels),
    ).toEqual({
      labelable: { labels: { nodes: [] } },
    });
    const assignees = "assignable { ... on Issue { assignees(first: 5) { nodes { login } } } }";
    expect(
      await mutate(
        client,
        "addAssigneesToAssignable",
        { assignableId: at["one"], assigneeIds: [user] },
        assignees,
      ),
    ).toEqual({
      assignable: { assignees: { nodes: [{ login: "monalisa" }, { login: "octocat" }] } },
    });
    await mutate(
      client,
      "removeAssigneesFromAssignable",
      { assignableId: at["one"], assigneeIds: [user] },
      assignees,
    );
    await mutate(
      client,
      "addReaction",
      { subjectId: at["one"], content: "HEART" },
      "reaction { content }",
    );
    await mutate(
      client,
      "removeReaction",
      { subjectId: at["one"], content: "HEART" },
      "reaction { content }",
    );
    await mutate(
      client,
      "lockLockable",
      { lockableId: at["one"], lockReason: "SPAM" },
      "lockedRecord { locked activeLockReason }",
    );
    await mutate(client, "unlockLockable", { lockableId: at["one"] }, "unlockedRecord { locked }");
    await mutate(client, "pinIssue", { issueId: at["one"] }, "issue { isPinned }");
    await mutate(client, "unpinIssue", { issueId: at["one"] }, "issue { isPinned }");
    const { repository } = await client.data<Found>(
      `{ repository(owner: "octo", name: "atlas") { id } }`,
    );
    expect(
      await mutate(
        client,
        "transferIssue",
        { issueId: at["one"], repositoryId: repository.id },
        "issue { url }",
      ),
    ).toEqual({
      issue: { url: "https://github.com/octo/atlas/issues/2" },
    });
  });

  it("the GitHub emulator adds and removes sub-issues and dependencies over GraphQL", async () => {
    const at = await ids(
      client,
      "one: issue(number: 1) { id } two: issue(number: 2) { id } three: issue(number: 3) { id } four: issue(number: 4) { id }",
    );
    const children = "issue { subIssues(first: 5) { nodes { number } } }";
    expect(
      await mutate(
        client,
        "addSubIssue",
        { issueId: at["one"], subIssueId: at["three"], replaceParent: true },
        `${children} subIssue { parent { number } }`,
      ),
    ).toEqual({
      issue: { subIssues: { nodes: [{ number: 3 }] } },
      subIssue: { parent: { number: 1 } },
    });
    await mutate(
      client,
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
        client,
        "reprioritizeSubIssue",
        { issueId: at["one"], subIssueId: at["four"], beforeId: at["three"] },
        children,
      ),
    ).toEqual({
      issue: { subIssues: { nodes: [{ number: 4 }, { number: 3 }] } },
    });
    await mutate(
      client,
      "removeSubIssue",
      { issueId: at["one"], subIssueId: at["three"] },
      children,
    );
    const blockers = "issue { blockedBy(first: 5) { nodes { number } } }";
    expect(
      await mutate(
        client,
        "removeBlockedBy",
        { issueId: at["two"], blockingIssueId: at["one"] },
        blockers,
      ),
    ).toEqual({ issue: { blockedBy: { nodes: [] } } });
    await mutate(
      client,
      "addBlockedBy",
      { issueId: at["two"], blockingIssueId: at["three"] },
      blockers,
    );
    const { errors } = await client.graphql(
      `mutation { addBlockedBy(input: {issueId: "${at["two"]!}", blockingIssueId: "${at["two"]!}"}) { issue { id } } }`,
    );
    expect(errors).toMatchObject([{ type: "UNPROCESSABLE", path: ["addBlockedBy"] }]);
  });
});
