import { notFound } from "../../store/errors.ts";
import * as discussions from "../../store/mutations/discussions.ts";
import type { Mutations } from "./mutation.ts";
import { nodeAt, repositoryAt } from "./nodes.ts";

export const discussionMutations: Mutations = {
  createDiscussion: (input, context) => {
    const repository = repositoryAt(context, input.text("repositoryId"));
    const category = nodeAt(context, input.text("categoryId"), "DiscussionCategory");
    if (category.repository !== repository) {
      throw notFound(`DiscussionCategory node with the global id of '${category.nodeId}'`);
    }
    const facts = { title: input.string("title"), body: input.string("body") };
    const { store, viewer } = context;
    return { discussion: discussions.createDiscussion(store, viewer, category, facts) };
  },
  addDiscussionComment: (input, context) => {
    const discussion = nodeAt(context, input.text("discussionId"), "Discussion");
    const replyId = input.text("replyToId");
    const replyTo = replyId === undefined ? null : nodeAt(context, replyId, "DiscussionComment");
    const facts = { body: input.string("body"), replyTo };
    const { store, viewer } = context;
    return { comment: discussions.addDiscussionComment(store, viewer, discussion, facts) };
  },
  updateDiscussionComment: (input, context) => {
    const comment = nodeAt(context, input.text("commentId"), "DiscussionComment");
    const { store, viewer } = context;
    discussions.updateDiscussionComment(store, viewer, comment, input.string("body"));
    return { comment };
  },
  deleteDiscussionComment: (input, context) => {
    const comment = nodeAt(context, input.text("id"), "DiscussionComment");
    discussions.deleteDiscussionComment(context.store, context.viewer, comment);
    return { comment };
  },
  markDiscussionCommentAsAnswer: (input, context) => {
    const comment = nodeAt(context, input.text("id"), "DiscussionComment");
    discussions.markAnswer(context.store, context.viewer, comment, true);
    return { discussion: comment.discussion };
  },
  unmarkDiscussionCommentAsAnswer: (input, context) => {
    const comment = nodeAt(context, input.text("id"), "DiscussionComment");
    discussions.markAnswer(context.store, context.viewer, comment, false);
    return { discussion: comment.discussion };
  },
};
