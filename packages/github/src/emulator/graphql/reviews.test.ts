import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client, GraphqlAnswer } from "../fixtures/client.ts";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

async function readNodeId(field: string): Promise<string> {
  const query = `{ repository(owner: "octo", name: "hello") { thing: ${field} { id } } }`;
  return (await client.data<{ repository: { thing: { id: string } } }>(query)).repository.thing.id;
}

const mutate = (text: string): Promise<Record<string, unknown>> =>
  client.data(`mutation { ${text} }`);

const wrong = (text: string): Promise<GraphqlAnswer> =>
  client.graphql(`mutation { ${text} { clientMutationId } }`);

interface Reviewed {
  readonly addPullRequestReview: { readonly pullRequestReview: { readonly id: string } };
}

describe("reviews over GraphQL", () => {
  it("the GitHub emulator keeps a GraphQL review pending until the review is submitted or deleted", async () => {
    const pull = await readNodeId("pullRequest(number: 6)");
    const start = async (): Promise<string> => {
      const data = await client.data<Reviewed>(
        `mutation { addPullRequestReview(input: {pullRequestId: "${pull}"}) { pullRequestReview { id } } }`,
      );
      return data.addPullRequestReview.pullRequestReview.id;
    };
    const first = await start();
    const { errors } = await client.graphql(
      `mutation { addPullRequestReview(input: {pullRequestId: "${pull}"}) { pullRequestReview { id } } }`,
    );
    expect(errors).toMatchObject([
      { message: "User can only have one pending review per pull request" },
    ]);
    await mutate(
      `addPullRequestReviewComment(input: {pullRequestReviewId: "${first}", path: "src/greet.ts", position: 3, body: "Here"}) { comment { id line } }`,
    );
    await mutate(
      `deletePullRequestReview(input: {pullRequestReviewId: "${first}"}) { pullRequestReview { state } }`,
    );
    await start();
    expect(
      await mutate(
        `submitPullRequestReview(input: {pullRequestId: "${pull}", event: REQUEST_CHANGES, body: "No"}) { pullRequestReview { state } }`,
      ),
    ).toEqual({
      submitPullRequestReview: { pullRequestReview: { state: "CHANGES_REQUESTED" } },
    });
    const own = await client.graphql(
      `mutation { submitPullRequestReview(input: {pullRequestId: "${pull}", event: COMMENT}) { clientMutationId } }`,
    );
    expect(own.errors).toMatchObject([{ type: "NOT_FOUND" }]);
  });

  it("the GitHub emulator dismisses a review and changes its comments over GraphQL", async () => {
    const { repository } = await client.data<{
      repository: {
        pullRequest: {
          reviews: { nodes: { id: string; state: string }[] };
          reviewThreads: { nodes: { comments: { nodes: { id: string }[] } }[] };
        };
      };
    }>(
      `{ repository(owner: "octo", name: "hello") { pullRequest(number: 6) { reviews(first: 9) { nodes { id state } } reviewThreads(first: 1) { nodes { comments(first: 5) { nodes { id } } } } } } }`,
    );
    const { reviews, reviewThreads } = repository.pullRequest;
    const asked = reviews.nodes.find(({ state }) => state === "CHANGES_REQUESTED")!;
    await mutate(
      `dismissPullRequestReview(input: {pullRequestReviewId: "${asked.id}", message: "Done"}) { pullRequestReview { state } }`,
    );
    const [first, second] = reviewThreads.nodes[0]!.comments.nodes;
    expect(
      await mutate(
        `updatePullRequestReviewComment(input: {pullRequestReviewCommentId: "${first!.id}", body: "Edited"}) { pullRequestReviewComment { body } }`,
      ),
    ).toMatchObject({
      updatePullRequestReviewComment: { pullRequestReviewComment: { body: "Edited" } },
    });
    await mutate(
      `addPullRequestReviewComment(input: {inReplyTo: "${first!.id}", body: "Reply"}) { comment { replyTo { id } } }`,
    );
    await mutate(
      `deletePullRequestReviewComment(input: {id: "${second!.id}"}) { pullRequestReview { id } }`,
    );
    const decision = await client.data(
      `{ repository(owner: "octo", name: "hello") { pullRequest(number: 6) { reviewDecision mergeStateStatus } } }`,
    );
    expect(decision).toEqual({
      repository: { pullRequest: { reviewDecision: "APPROVED", mergeStateStatus: "UNSTABLE" } },
    });
  });

  it("the GitHub emulator rejects a review of the author's own pull request and a review without a body over GraphQL", async () => {
    const own = await readNodeId("pullRequest(number: 9)");
    const other = await readNodeId("pullRequest(number: 6)");
    const review = (id: string, rest: string) =>
      client.graphql(
        `mutation { addPullRequestReview(input: {pullRequestId: "${id}", ${rest}}) { clientMutationId } }`,
      );
    expect((await review(own, "event: APPROVE")).errors).toMatchObject([
      { message: "Can not approve your own pull request" },
    ]);
    expect((await review(other, "event: REQUEST_CHANGES")).errors).toMatchObject([
      { message: "Body cannot be blank" },
    ]);
    expect(
      (
        await review(
          other,
          `event: COMMENT, body: "b", threads: [{path: "nope", line: 1, body: "x"}]`,
        )
      ).errors,
    ).toMatchObject([{ message: "Path could not be resolved" }]);
    expect(client.emulator.applied()).toEqual({});
  });
});

describe("other GraphQL writes", () => {
  it("the GitHub emulator creates a sub-issue, and a pull request from a fork, over GraphQL", async () => {
    const parent = await readNodeId("issue(number: 2)");
    const { repository: hello } = await client.data<{ repository: { id: string } }>(
      `{ repository(owner: "octo", name: "hello") { id } }`,
    );
    const made = await mutate(
      `createIssue(input: {repositoryId: "${hello.id}", title: "Part", parentIssueId: "${parent}"}) { issue { parent { number } } }`,
    );
    expect(made).toEqual({ createIssue: { issue: { parent: { number: 2 } } } });
    const pull = await mutate(
      `createPullRequest(input: {repositoryId: "${hello.id}", title: "T", baseRefName: "chore/version", headRefName: "hubot:loud"}) { pullRequest { isCrossRepository headRefName } }`,
    );
    expect(pull).toEqual({
      createPullRequest: { pullRequest: { isCrossRepository: true, headRefName: "loud" } },
    });
  });

  it("the GitHub emulator replies in a discussion and changes an issue's type over GraphQL", async () => {
    const discussion = await readNodeId("discussion(number: 12)");
    const added = await mutate(
      `addDiscussionComment(input: {discussionId: "${discussion}", body: "Hi"}) { comment { id body } }`,
    );
    const { comment } = added["addDiscussionComment"] as { comment: { id: string } };
    await mutate(
      `addDiscussionComment(input: {discussionId: "${discussion}", body: "Ho", replyToId: "${comment.id}"}) { comment { replyTo { id } } }`,
    );
    const [issue, type] = [
      await readNodeId("issue(number: 1)"),
      await readNodeId(`issueType(name: "Bug")`),
    ];
    expect(
      await mutate(
        `updateIssueIssueType(input: {issueId: "${issue}", issueTypeId: "${type}"}) { issue { issueType { name } } }`,
      ),
    ).toEqual({
      updateIssueIssueType: { issue: { issueType: { name: "Bug" } } },
    });
    expect(client.emulator.applied()).toEqual({ addDiscussionComment: 2, updateIssue: 1 });
  });

  it("the GitHub emulator returns NOT_FOUND for the node id of an object of another type", async () => {
    const [issue, label] = [
      await readNodeId("issue(number: 1)"),
      await readNodeId(`label(name: "bug")`),
    ];
    const closed = await wrong(`closeIssue(input: {issueId: "${label}"})`);
    expect(closed.errors).toMatchObject([
      { type: "NOT_FOUND", message: expect.stringContaining("Issue node") as string },
    ]);
    const ref = await wrong(`deleteRef(input: {refId: "${issue}"})`);
    expect(ref.errors).toMatchObject([{ type: "NOT_FOUND" }]);
  });
});
