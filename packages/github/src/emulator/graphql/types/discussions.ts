import { can } from "../../store/access.ts";
import type { Discussion, DiscussionCategory, DiscussionComment } from "../../store/model.ts";
import { repoHtml } from "../../urls.ts";
import type { Context, Fields, TypeFields } from "../context.ts";
import { commentFields, entityFields, urlPath } from "./common.ts";

function discussionUrl({ urls }: Context, { repository, number }: Discussion): string {
  return `${repoHtml(urls, repository)}/discussions/${number}`;
}

function commentUrl(context: Context, { discussion, id }: DiscussionComment): string {
  return `${discussionUrl(context, discussion)}#discussioncomment-${id}`;
}

const discussionFields: Fields<Discussion> = {
  ...commentFields<Discussion>(({ repository }) => repository),
  number: ({ number }) => number,
  title: ({ title }) => title,
  category: ({ category }) => category,
  labels: ({ labels }) => labels,
  comments: ({ comments }) => comments.filter(({ replyTo }) => replyTo === null),
  answer: ({ answer }) => answer,
  isAnswered: ({ answer, category }) => (category.isAnswerable ? answer !== null : null),
  answerChosenBy: ({ answerChosenBy }) => answerChosenBy,
  answerChosenAt: ({ answer }) => answer?.updatedAt ?? null,
  closed: ({ closedAt }) => closedAt !== null,
  closedAt: ({ closedAt }) => closedAt,
  stateReason: () => null,
  locked: ({ locked }) => locked,
  activeLockReason: () => null,
  poll: () => null,
  upvoteCount: () => 1,
  viewerHasUpvoted: ({ author }, _args, { viewer }) => author === viewer,
  viewerCanUpvote: () => true,
  viewerCanSubscribe: () => true,
  viewerSubscription: ({ author }, _args, { viewer }) =>
    author === viewer ? "SUBSCRIBED" : "UNSUBSCRIBED",
  viewerCanClose: ({ repository }, _args, { viewer }) => can(viewer, repository, "TRIAGE"),
  viewerCanReopen: ({ repository }, _args, { viewer }) => can(viewer, repository, "TRIAGE"),
  url: (discussion, _args, context) => discussionUrl(context, discussion),
  resourcePath: (discussion, _args, context) => urlPath(discussionUrl(context, discussion)),
};

const commentTypeFields: Fields<DiscussionComment> = {
  ...commentFields<DiscussionComment>(({ discussion }) => discussion.repository),
  discussion: ({ discussion }) => discussion,
  replyTo: ({ replyTo }) => replyTo,
  replies: (comment) => comment.discussion.comments.filter(({ replyTo }) => replyTo === comment),
  isAnswer: (comment) => comment.discussion.answer === comment,
  deletedAt: () => null,
  upvoteCount: () => 1,
  viewerHasUpvoted: ({ author }, _args, { viewer }) => author === viewer,
  viewerCanUpvote: () => true,
  viewerCanMarkAsAnswer: ({ discussion }, _args, { viewer }) =>
    discussion.category.isAnswerable &&
    discussion.answer === null &&
    can(viewer, discussion.repository, "TRIAGE"),
  viewerCanUnmarkAsAnswer: (comment, _args, { viewer }) =>
    comment.discussion.answer === comment && can(viewer, comment.discussion.repository, "TRIAGE"),
  url: (comment, _args, context) => commentUrl(context, comment),
  resourcePath: (comment, _args, context) => urlPath(commentUrl(context, comment)),
};

const categoryFields: Fields<DiscussionCategory> = {
  ...entityFields,
  name: ({ name }) => name,
  slug: ({ slug }) => slug,
  emoji: ({ emoji }) => emoji,
  description: ({ description }) => description,
  isAnswerable: ({ isAnswerable }) => isAnswerable,
  repository: ({ repository }) => repository,
};

export const discussionTypes: TypeFields = {
  Discussion: discussionFields,
  DiscussionComment: commentTypeFields,
  DiscussionCategory: categoryFields,
};
