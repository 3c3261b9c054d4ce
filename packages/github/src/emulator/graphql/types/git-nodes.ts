import type { GitCommit } from "../../git/index.ts";
import { HEADS, resolveCommit } from "../../store/commits.ts";
import { gitNodeId } from "../../store/ids.ts";
import type { Repository } from "../../store/model.ts";
import type { Store } from "../../store/store.ts";

// Git objects are not entities of the store. They are created on request, with the repository that
// they are seen in.
export interface InRepository<T extends string> {
  readonly type: T;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly oid: string;
}

export interface CommitNode extends InRepository<"Commit"> {
  readonly commit: GitCommit;
}

export type TreeNode = InRepository<"Tree">;
export type BlobNode = InRepository<"Blob">;

export interface RefNode extends InRepository<"Ref"> {
  /** The full name of the ref, such as refs/heads/main. */
  readonly name: string;
}

export function commitNode(
  { objects }: Store,
  repository: Repository,
  oid: string,
): CommitNode | null {
  const commit = objects.commit(oid);
  if (commit === undefined) return null;
  return { type: "Commit", nodeId: gitNodeId("Commit", repository, oid), repository, oid, commit };
}

export function refNode(repository: Repository, name: string): RefNode | null {
  const oid = repository.refs.get(name);
  if (oid === undefined) return null;
  return { type: "Ref", nodeId: gitNodeId("Ref", repository, name), repository, oid, name };
}

export function branchNode(repository: Repository, branch: string): RefNode | null {
  return refNode(repository, `${HEADS}${branch}`);
}

export function objectNode(
  store: Store,
  repository: Repository,
  oid: string,
): CommitNode | TreeNode | BlobNode | null {
  if (store.objects.tree(oid) !== undefined) {
    return { type: "Tree", nodeId: gitNodeId("Tree", repository, oid), repository, oid };
  }
  if (store.objects.blob(oid) !== undefined) {
    return { type: "Blob", nodeId: gitNodeId("Blob", repository, oid), repository, oid };
  }
  return commitNode(store, repository, oid);
}

/**
 * Resolves an expression such as "main", "main:src/greet.ts", "HEAD:" or an id, as `git rev-parse`
 * does.
 */
export function objectAt(store: Store, repository: Repository, expression: string) {
  const [name = "", path] = expression.split(/:(.*)/s);
  const commit = resolveCommit(store, repository, name);
  if (commit === undefined) return path === undefined ? objectNode(store, repository, name) : null;
  if (path === undefined) return commitNode(store, repository, commit.oid);
  const oid = oidAt(store, commit.tree, path);
  return oid === undefined ? null : objectNode(store, repository, oid);
}

export function oidAt(store: Store, tree: string, path: string): string | undefined {
  return path
    .split("/")
    .filter((part) => part !== "")
    .reduce<string | undefined>(
      (oid, name) => store.objects.tree(oid ?? "")?.find((one) => one.name === name)?.oid,
      tree,
    );
}

export function rollupNode(repository: Repository, oid: string) {
  const nodeId = gitNodeId("Commit", repository, `rollup:${oid}`);
  return { type: "StatusCheckRollup", nodeId, repository, oid } as const;
}
