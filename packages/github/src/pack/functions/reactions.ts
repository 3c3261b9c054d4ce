import type { CardFunctions } from "@waybill/core/cards";
import { over, present, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

/** The common form of both APIs: who reacted with one emoji, and how many. */
interface Group {
  readonly content: string;
  readonly reactorCount: number;
  readonly reactorLogins: readonly string[];
  readonly viewerHasReacted: boolean;
  readonly reactorsTruncated: boolean;
}

interface GraphqlGroup {
  readonly content: string;
  readonly viewerHasReacted: boolean;
  readonly reactors: {
    readonly totalCount: number;
    readonly nodes: readonly ({ readonly login?: string } | null)[] | null;
  };
}

interface RestReactions {
  readonly rows: readonly {
    readonly content: string;
    readonly user: { readonly login: string } | null;
  }[];
  /** Absent if GitHub returns no counts. */
  readonly counts?: Readonly<Record<string, number>> | null;
  readonly viewer: string;
}

/** REST's names of reactions, in the order of GraphQL's groups. */
const CONTENTS: readonly (readonly [name: string, content: string])[] = [
  ["+1", "THUMBS_UP"],
  ["-1", "THUMBS_DOWN"],
  ["laugh", "LAUGH"],
  ["hooray", "HOORAY"],
  ["confused", "CONFUSED"],
  ["heart", "HEART"],
  ["rocket", "ROCKET"],
  ["eyes", "EYES"],
];

function fromGraphql({ content, viewerHasReacted, reactors }: GraphqlGroup): Group {
  const reactorCount = reactors.totalCount;
  const nodes = present(reactors.nodes);
  const reactorLogins = nodes.flatMap(({ login }) => (login === undefined ? [] : [login]));
  const reactorsTruncated = reactorCount > nodes.length;
  return { content, reactorCount, reactorLogins, viewerHasReacted, reactorsTruncated };
}

function fromRest({ rows, counts, viewer }: RestReactions): Group[] {
  return CONTENTS.map(([name, content]) => {
    const own = rows.filter((row) => row.content === name);
    const reactorLogins = present(own.map(({ user }) => user)).map(({ login }) => login);
    const reactorCount = counts?.[name] ?? own.length;
    const viewerHasReacted = reactorLogins.includes(viewer);
    const reactorsTruncated = reactorCount > own.length;
    return { content, reactorCount, reactorLogins, viewerHasReacted, reactorsTruncated };
  });
}

/** Leaves out emoji without reactions. */
function wanted(groups: readonly Group[], params: Params): Group[] {
  const content = stringParam(params, "content");
  const login = stringParam(params, "reactorLogin")?.toLowerCase();
  const isBy = (one: string): boolean => one.toLowerCase() === login;
  return groups.filter(
    (group) =>
      group.reactorCount > 0 &&
      (content === undefined || content === group.content) &&
      (login === undefined || group.reactorLogins.some(isBy)),
  );
}

interface Subject {
  readonly kind: string;
  readonly id: string;
  readonly url: string;
  readonly author: { readonly login: string } | null;
  readonly reactionGroups: readonly GraphqlGroup[] | null;
  readonly comments?: { readonly nodes: readonly (Subject | null)[] | null };
}

function subjectItem(subject: Subject, params: Params): object[] {
  const groups = wanted(present(subject.reactionGroups).map(fromGraphql), params);
  if (groups.length === 0) return [];
  const { kind: subjectType, id: subjectId, url: subjectUrl, author } = subject;
  return [{ subjectType, subjectId, subjectUrl, authorLogin: author?.login ?? null, groups }];
}

/** A comment, or a review with its comments, with only the members about reactions. */
function subjectItems(
  subjects: readonly (Subject | null)[] | null | undefined,
  params: Params,
): object[] {
  return present(subjects).flatMap((subject) => [
    ...subjectItem(subject, params),
    ...subjectItems(subject.comments?.nodes, params),
  ]);
}

export const reactionFunctions: CardFunctions = {
  reactionGroups: over((groups: readonly GraphqlGroup[] | null, params) =>
    wanted(present(groups).map(fromGraphql), params),
  ),
  restReactionGroups: over((reactions: RestReactions, params) =>
    wanted(fromRest(reactions), params),
  ),
  reactedSubjects: over(subjectItems),
};
