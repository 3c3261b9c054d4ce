import { present, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

interface Comment {
  readonly id: string;
  readonly fullDatabaseId: string | null;
  readonly body: string;
  readonly createdAt: string;
  readonly url: string;
  readonly author: { readonly login: string } | null;
}

interface Thread {
  readonly id: string;
  readonly isResolved: boolean;
  readonly comments: { readonly nodes?: readonly (Comment | null)[] | null };
}

/** The thread in the inputs, given by its id or by one of its comments. */
export function probedThread(threads: readonly (Thread | null)[], params: Params): Thread | null {
  const id = stringParam(params, "threadId");
  const isNamed = ({ fullDatabaseId }: Comment): boolean =>
    fullDatabaseId === String(params["commentId"]);
  const isIt = (thread: Thread): boolean =>
    id === undefined ? present(thread.comments.nodes).some(isNamed) : thread.id === id;
  return present(threads).find(isIt) ?? null;
}

/** The comments of that thread, newest first. */
export function threadComments(threads: readonly (Thread | null)[], params: Params): object[] {
  const thread = probedThread(threads, params);
  if (thread === null) return [];
  return present(thread.comments.nodes)
    .map(({ id, body, createdAt, url, author }) => ({
      id,
      body,
      createdAt,
      url,
      author: author?.login ?? null,
      threadId: thread.id,
      isResolved: thread.isResolved,
    }))
    .toReversed();
}
