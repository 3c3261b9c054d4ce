import { given } from "../../input.ts";
import type { Input } from "../../input.ts";
import { branchOid } from "../../store/commits.ts";
import { StoreError } from "../../store/errors.ts";
import type { MergeMethod, Repository } from "../../store/model.ts";
import { mergePull, setAutoMerge, updateBranch } from "../../store/mutations/merge.ts";
import * as pulls from "../../store/mutations/pulls.ts";
import type { Context } from "../context.ts";
import type { Mutations } from "./mutation.ts";
import { labelsAt, milestoneAt, knownValue, pullAt, repositoryAt, usersAt } from "./nodes.ts";

function mergeInput(input: Input) {
  const method =
    knownValue<MergeMethod>(input.text("mergeMethod"), "MERGE", "SQUASH", "REBASE") ?? "MERGE";
  const facts = given({
    headline: input.text("commitHeadline"),
    body: input.text("commitBody"),
    expectedHead: input.text("expectedHeadOid"),
  });
  return { method, ...facts };
}

/** GraphQL's error names both branches, while REST's names only the invalid one. */
function assertBranches(
  repository: Repository,
  headRepository: Repository,
  base: string,
  head: string,
): void {
  const missing = [
    ...(branchOid(headRepository, head) === undefined ? ["Head ref must be a branch"] : []),
    ...(branchOid(repository, base) === undefined ? ["Base ref must be a branch"] : []),
  ];
  if (missing.length === 0) return;
  const blank = ["Head sha can't be blank", "Base sha can't be blank"];
  const between = `No commits between ${base} and ${head}`;
  throw new StoreError("UNPROCESSABLE", [...blank, between, ...missing].join(", "));
}

export const pullMutations: Mutations = {
  createPullRequest: (input, context) => {
    const { store, viewer } = context;
    const repository = repositoryAt(context, input.text("repositoryId"));
    const headId = input.text("headRepositoryId");
    const headRepository =
      headId === undefined ? getFork(input, repository, context) : repositoryAt(context, headId);
    const [base, head] = [input.string("baseRefName"), headBranch(input)];
    assertBranches(repository, headRepository ?? repository, base, head);
    const pullRequest = pulls.createPull(store, viewer, repository, {
      title: input.string("title"),
      base,
      head,
      ...given({
        headRepository,
        body: input.text("body"),
        isDraft: input.flag("draft"),
        maintainerCanModify: input.flag("maintainerCanModify"),
      }),
    });
    return { pullRequest };
  },
  updatePullRequest: (input, context) => {
    const pullRequest = pullAt(context, input);
    const edits = given({
      title: input.text("title"),
      body: input.text("body"),
      base: input.text("baseRefName"),
      state: knownValue(input.text("state"), "OPEN", "CLOSED"),
      labels: labelsAt(context, input.texts("labelIds")),
      assignees: usersAt(context, input.texts("assigneeIds")),
      milestone: milestoneAt(context, input),
    });
    pulls.updatePull(context.store, context.viewer, pullRequest, edits);
    return { pullRequest, actor: context.viewer };
  },
  closePullRequest: (input, context) => {
    const pullRequest = pullAt(context, input);
    pulls.closePull(context.store, context.viewer, pullRequest);
    return { pullRequest };
  },
  reopenPullRequest: (input, context) => {
    const pullRequest = pullAt(context, input);
    pulls.reopenPull(context.store, context.viewer, pullRequest);
    return { pullRequest };
  },
  markPullRequestReadyForReview: (input, context) => {
    const pullRequest = pullAt(context, input);
    pulls.setDraft(context.store, context.viewer, pullRequest, false);
    return { pullRequest };
  },
  convertPullRequestToDraft: (input, context) => {
    const pullRequest = pullAt(context, input);
    pulls.setDraft(context.store, context.viewer, pullRequest, true);
    return { pullRequest };
  },
  requestReviews: (input, context) => {
    const pullRequest = pullAt(context, input);
    const users = usersAt(context, input.texts("userIds")) ?? [];
    const union = input.isOn("union");
    pulls.requestReviews(context.store, context.viewer, pullRequest, { users, union });
    const [node] = users;
    return {
      pullRequest,
      actor: context.viewer,
      requestedReviewersEdge: node === undefined ? null : { node, cursor: node.nodeId },
    };
  },
  mergePullRequest: (input, context) => {
    const pullRequest = pullAt(context, input);
    mergePull(context.store, context.viewer, pullRequest, mergeInput(input));
    return { pullRequest, actor: context.viewer };
  },
  enablePullRequestAutoMerge: (input, context) => {
    const pullRequest = pullAt(context, input);
    setAutoMerge(context.store, context.viewer, pullRequest, mergeInput(input));
    return { pullRequest, actor: context.viewer };
  },
  disablePullRequestAutoMerge: (input, context) => {
    const pullRequest = pullAt(context, input);
    setAutoMerge(context.store, context.viewer, pullRequest, null);
    return { pullRequest, actor: context.viewer };
  },
  updatePullRequestBranch: (input, context) => {
    const pullRequest = pullAt(context, input);
    updateBranch(context.store, context.viewer, pullRequest, input.text("expectedHeadOid"));
    return { pullRequest };
  },
};

/** Reads "branch" or "owner:branch". */
function headBranch(input: Input): string {
  const name = input.string("headRefName");
  return name.split(/:(.*)/s)[1] ?? name;
}

function getFork(input: Input, repository: Repository, { store }: Context): Repository | undefined {
  const [login, branch] = input.string("headRefName").split(/:(.*)/s);
  if (branch === undefined) return undefined;
  const family = store.repositories.filter(
    (one) => one === repository || one.parent === repository,
  );
  return family.find(({ owner }) => owner.login.toLowerCase() === login!.toLowerCase());
}
