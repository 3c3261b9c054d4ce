import { notFound } from "../../store/errors.ts";
import type { AnyEntity, Reactable, ReactionContent } from "../../store/model.ts";
import { addComment, deleteComment, updateComment } from "../../store/mutations/conversations.ts";
import { minimize } from "../../store/mutations/minimize.ts";
import { addReaction, getReaction, removeReaction } from "../../store/mutations/reactions.ts";
import type { Input } from "../../input.ts";
import type { Context } from "../context.ts";
import { reactableFields } from "../types/common.ts";
import type { Mutations } from "./mutation.ts";
import { nodeAt, knownValue, subjectAt } from "./nodes.ts";

const REACTABLE: readonly Extract<AnyEntity, Reactable>["type"][] = [
  "Issue",
  "PullRequest",
  "IssueComment",
  "PullRequestReview",
  "PullRequestReviewComment",
  "Release",
  "Discussion",
  "DiscussionComment",
];

const MINIMIZABLE = [
  "IssueComment",
  "PullRequestReview",
  "PullRequestReviewComment",
  "DiscussionComment",
] as const;

function reactableAt(context: Context, input: Input): Reactable {
  return nodeAt(context, input.text("subjectId"), ...REACTABLE);
}

function reactionInput(input: Input): ReactionContent {
  const content = knownValue<ReactionContent>(
    input.text("content"),
    ...([
      "THUMBS_UP",
      "THUMBS_DOWN",
      "LAUGH",
      "HOORAY",
      "CONFUSED",
      "HEART",
      "ROCKET",
      "EYES",
    ] as const),
  );
  if (content === undefined) throw notFound("a reaction");
  return content;
}

export const commentMutations: Mutations = {
  addComment: (input, context) => {
    const subject = subjectAt(context, input.text("subjectId"));
    const node = addComment(context.store, context.viewer, subject, input.string("body"));
    const edge = { node, cursor: node.nodeId };
    return { commentEdge: edge, timelineEdge: edge, subject };
  },
  updateIssueComment: (input, context) => {
    const issueComment = nodeAt(context, input.text("id"), "IssueComment");
    updateComment(context.store, context.viewer, issueComment, input.string("body"));
    return { issueComment };
  },
  deleteIssueComment: (input, context) => {
    deleteComment(context.store, context.viewer, nodeAt(context, input.text("id"), "IssueComment"));
    return {};
  },
  addReaction: (input, context) => {
    const subject = reactableAt(context, input);
    const { reaction } = addReaction(context.store, context.viewer, subject, reactionInput(input));
    return {
      reaction,
      subject,
      reactionGroups: reactableFields["reactionGroups"]!(subject, input, context),
    };
  },
  removeReaction: (input, context) => {
    const subject = reactableAt(context, input);
    const reaction = getReaction(context.viewer, subject, reactionInput(input));
    if (reaction === undefined) throw notFound("a Reaction of the viewer");
    removeReaction(context.store, reaction);
    return {
      reaction,
      subject,
      reactionGroups: reactableFields["reactionGroups"]!(subject, input, context),
    };
  },
  minimizeComment: (input, context) => {
    const minimizedComment = nodeAt(context, input.text("subjectId"), ...MINIMIZABLE);
    minimize(context.store, context.viewer, minimizedComment, input.string("classifier"));
    return { minimizedComment };
  },
  unminimizeComment: (input, context) => {
    const unminimizedComment = nodeAt(context, input.text("subjectId"), ...MINIMIZABLE);
    minimize(context.store, context.viewer, unminimizedComment, undefined);
    return { unminimizedComment };
  },
};
