import type {
  Comment,
  Entity,
  Reactable,
  ReactionContent,
  Repository,
  User,
} from "../../store/model.ts";
import { can } from "../../store/access.ts";
import { authorAssociation } from "../../store/facts.ts";
import { paged } from "../connection.ts";
import type { Paged } from "../connection.ts";
import type { Context, Fields } from "../context.ts";

export function urlPath(url: string): string {
  return new URL(url).pathname + new URL(url).hash;
}

/** The fields that every entity has: ids and times. */
export const entityFields: Fields<Entity> = {
  id: ({ nodeId }) => nodeId,
  databaseId: ({ id }) => id,
  fullDatabaseId: ({ id }) => String(id),
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

const CONTENTS: readonly ReactionContent[] = [
  "THUMBS_UP",
  "THUMBS_DOWN",
  "LAUGH",
  "HOORAY",
  "CONFUSED",
  "HEART",
  "ROCKET",
  "EYES",
];

export interface ReactionGroup {
  readonly subject: Reactable;
  readonly content: ReactionContent;
}

function getReactions({ subject, content }: ReactionGroup) {
  return subject.reactions.filter((one) => one.content === content);
}

export const reactableFields: Fields<Reactable> = {
  reactionGroups: (subject): ReactionGroup[] => CONTENTS.map((content) => ({ subject, content })),
  reactions: (subject, args, { viewer }) => {
    const content = args.text("content");
    const kept = subject.reactions.filter(
      (one) => content === undefined || one.content === content,
    );
    return paged(kept, { viewerHasReacted: kept.some(({ user }) => user === viewer) });
  },
  viewerCanReact: () => true,
};

export const reactionTypes = {
  Reaction: {
    ...entityFields,
    content: ({ content }) => content,
    user: ({ user }) => user,
    reactable: ({ subject }) => subject,
  } satisfies Fields<Reactable["reactions"][number]>,
  ReactionGroup: {
    content: ({ content }) => content,
    createdAt: (group) => getReactions(group)[0]?.createdAt ?? null,
    subject: ({ subject }) => subject,
    users: (group) => reacting(group),
    reactors: (group) => reacting(group),
    viewerHasReacted: (group, _args, { viewer }) =>
      getReactions(group).some(({ user }) => user === viewer),
  } satisfies Fields<ReactionGroup>,
};

function reacting(group: ReactionGroup): Paged {
  const reactions = getReactions(group);
  const at = (user: User): string => reactions.find((one) => one.user === user)!.createdAt;
  return paged(
    reactions.map(({ user }) => user),
    {},
    (user) => ({ reactedAt: at(user) }),
  );
}

/** The fields of everything with an author. The parent decides the viewer's permissions. */
export function commentFields<C extends Comment>(
  repositoryOf: (comment: C) => Repository,
): Fields<C> {
  const mayEdit = (comment: C, { viewer }: Context): boolean =>
    comment.author === viewer || can(viewer, repositoryOf(comment), "WRITE");
  return {
    ...entityFields,
    ...reactableFields,
    author: ({ author }) => author,
    authorAssociation: (comment) => authorAssociation(comment.author, repositoryOf(comment)),
    body: ({ body }) => body,
    editor: ({ lastEditedAt, author }) => (lastEditedAt === null ? null : author),
    lastEditedAt: ({ lastEditedAt }) => lastEditedAt,
    includesCreatedEdit: ({ lastEditedAt }) => lastEditedAt !== null,
    publishedAt: ({ createdAt }) => createdAt,
    createdViaEmail: () => false,
    isMinimized: ({ minimizedReason }) => typeof minimizedReason === "string",
    minimizedReason: ({ minimizedReason }) => minimizedReason ?? null,
    repository: repositoryOf,
    viewerDidAuthor: ({ author }, _args, { viewer }) => author === viewer,
    viewerCanUpdate: (comment, _args, context) => mayEdit(comment, context),
    viewerCanDelete: (comment, _args, context) => mayEdit(comment, context),
    viewerCanMinimize: (comment, _args, { viewer }) => can(viewer, repositoryOf(comment), "WRITE"),
    viewerCannotUpdateReasons: (comment, _args, context) =>
      mayEdit(comment, context) ? [] : ["INSUFFICIENT_ACCESS"],
  };
}
