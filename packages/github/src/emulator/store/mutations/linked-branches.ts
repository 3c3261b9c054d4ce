import { HEADS } from "../commits.ts";
import type { Issue, LinkedBranch, Repository, User } from "../model.ts";
import type { Store } from "../store.ts";
import { createRef } from "./refs.ts";

export interface NewLinkedBranch {
  readonly repository: Repository;
  readonly oid: string;
  readonly name: string;
}

/** Creates a branch for an issue. */
export function createLinkedBranch(
  store: Store,
  actor: User,
  issue: Issue,
  { repository, oid, name }: NewLinkedBranch,
): LinkedBranch {
  const ref = `${HEADS}${name}`;
  createRef(store, actor, repository, { name: ref, oid });
  const branch = store.create<LinkedBranch>("LinkedBranch", { issue, repository, ref });
  issue.linkedBranches.push(branch);
  store.touch(issue);
  store.count("createLinkedBranch");
  return branch;
}
