import { gitNodeId } from "../../store/ids.ts";
import type { PullRequest } from "../../store/model.ts";
import type { Store } from "../../store/store.ts";
import { commitNode } from "./git-nodes.ts";
import type { CommitNode } from "./git-nodes.ts";

export interface PullCommitNode {
  readonly type: "PullRequestCommit";
  readonly nodeId: string;
  readonly pull: PullRequest;
  readonly commit: CommitNode | null;
}

export function pullCommitNode(store: Store, pull: PullRequest, oid: string): PullCommitNode {
  const nodeId = gitNodeId("PullRequestCommit", pull, oid);
  return {
    type: "PullRequestCommit",
    nodeId,
    pull,
    commit: commitNode(store, pull.repository, oid),
  };
}
