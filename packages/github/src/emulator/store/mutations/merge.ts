import { mergeFiles } from "../../git/index.ts";
import type { Files } from "../../git/index.ts";
import { can, need } from "../access.ts";
import { HEADS, getActor } from "../commits.ts";
import { StoreError } from "../errors.ts";
import type { MergeMethod, PullRequest, User } from "../model.ts";
import { blockers, isBehind, pullCommits } from "../pull-facts.ts";
import type { Store } from "../store.ts";
import { markClosed } from "./issues.ts";
import { deleteRef, moveRef } from "./refs.ts";
import { closingIssues } from "./relations.ts";

export interface MergeInput {
  readonly method: MergeMethod;
  readonly headline?: string;
  readonly body?: string;
  readonly expectedHead?: string;
}

function refuseMerge(message: string): never {
  throw new StoreError("NOT_MERGEABLE", message);
}

export function mergePull(store: Store, actor: User, pull: PullRequest, input: MergeInput): string {
  need(actor, pull.repository, "WRITE");
  checkMerge(actor, pull, input);
  const files = mergeFiles(store.objects, pull.baseOid, pull.headOid);
  if (files === undefined) refuseMerge("Pull Request is not mergeable");
  const base = pull.baseOid;
  const oid = writeMerge(store, actor, pull, input, files);
  finish(store, actor, pull, oid);
  moveRef(store, pull.repository, `${HEADS}${pull.baseRef}`, oid);
  // The diff of a merged pull request no longer changes.
  pull.baseOid = base;
  if (pull.repository.settings.deleteBranchOnMerge) deleteHead(store, actor, pull);
  store.count("mergePull");
  return oid;
}

function checkMerge(actor: User, pull: PullRequest, { expectedHead, method }: MergeInput): void {
  const { settings } = pull.repository;
  if (pull.state === "MERGED") refuseMerge("Pull Request is not mergeable");
  if (pull.state === "CLOSED") refuseMerge("Pull Request is not mergeable");
  if (pull.isDraft) refuseMerge("Pull Request is still a draft");
  if (expectedHead !== undefined && expectedHead !== pull.headOid) {
    throw new StoreError("CONFLICT", "Head branch was modified. Review and try the merge again.");
  }
  if (method === "MERGE" && !settings.mergeCommitAllowed)
    refuseMerge("Merge commits are not allowed on this repository.");
  if (method === "SQUASH" && !settings.squashMergeAllowed)
    refuseMerge("Squash merges are not allowed on this repository.");
  if (method === "REBASE" && !settings.rebaseMergeAllowed)
    refuseMerge("Rebase merges are not allowed on this repository.");
  const [blocker] = blockers(pull);
  if (blocker !== undefined && !can(actor, pull.repository, "ADMIN")) refuseMerge(blocker);
}

function writeMerge(
  store: Store,
  actor: User,
  pull: PullRequest,
  { method, headline, body }: MergeInput,
  files: Files,
): string {
  const { objects } = store;
  const tree = objects.writeTree(files);
  const author = getActor(store, actor);
  const own = { tree, author, committer: author };
  if (method === "SQUASH") {
    const message = join(headline ?? `${pull.title} (#${pull.number})`, body ?? "");
    return objects.writeCommit({ ...own, parents: [pull.baseOid], message }).oid;
  }
  if (method === "REBASE") return replay(store, pull, tree);
  const from = `${pull.headRepository.owner.login}/${pull.headRef}`;
  const message = join(
    headline ?? `Merge pull request #${pull.number} from ${from}`,
    body ?? pull.title,
  );
  return objects.writeCommit({ ...own, parents: [pull.baseOid, pull.headOid], message }).oid;
}

function join(headline: string, body: string): string {
  return body === "" ? headline : `${headline}\n\n${body}`;
}

/** Creates each commit again on top of the base (rebase). The last commit has the merged files. */
function replay(store: Store, pull: PullRequest, tree: string): string {
  const commits = pullCommits(store, pull);
  let parent = pull.baseOid;
  for (const [index, commit] of commits.entries()) {
    const isLast = index === commits.length - 1;
    const own = isLast ? tree : commit.tree;
    parent = store.objects.writeCommit({ ...commit, tree: own, parents: [parent] }).oid;
  }
  return parent;
}

function finish(store: Store, actor: User, pull: PullRequest, oid: string): void {
  const now = store.now();
  Object.assign(pull, { state: "MERGED", mergedAt: now, closedAt: now, autoMerge: null });
  Object.assign(pull, { mergedBy: actor, closedBy: actor, mergeCommit: oid });
  store.record("MergedEvent", actor, pull, { commit: oid });
  store.record("ClosedEvent", actor, pull);
  for (const issue of closingIssues(pull)) markClosed(store, actor, issue, "COMPLETED");
}

function deleteHead(store: Store, actor: User, pull: PullRequest): void {
  const name = `${HEADS}${pull.headRef}`;
  if (pull.headRepository.refs.has(name)) deleteRef(store, actor, pull.headRepository, name);
}

/** Merges the base branch into the head branch. */
export function updateBranch(
  store: Store,
  actor: User,
  pull: PullRequest,
  expectedHead?: string,
): void {
  // With `maintainerCanModify`, maintainers may push to the fork's branch without access to the
  // fork.
  const place = pull.maintainerCanModify ? pull.repository : pull.headRepository;
  need(actor, place, "WRITE");
  if (expectedHead !== undefined && expectedHead !== pull.headOid) {
    throw new StoreError("UNPROCESSABLE", "expected head sha didn’t match current head ref.");
  }
  if (!isBehind(store, pull)) {
    throw new StoreError("UNPROCESSABLE", "There are no new commits on the base branch.");
  }
  const files = mergeFiles(store.objects, pull.headOid, pull.baseOid);
  if (files === undefined)
    throw new StoreError("UNPROCESSABLE", "merge conflict between base and head");
  const actorStamp = getActor(store, actor);
  const { oid } = store.objects.writeCommit({
    tree: store.objects.writeTree(files),
    parents: [pull.headOid, pull.baseOid],
    message: `Merge branch '${pull.baseRef}' into ${pull.headRef}`,
    author: actorStamp,
    committer: actorStamp,
  });
  moveRef(store, pull.headRepository, `${HEADS}${pull.headRef}`, oid);
  store.count("updateBranch");
}

export function setAutoMerge(
  store: Store,
  actor: User,
  pull: PullRequest,
  input: (MergeInput & { readonly method: MergeMethod }) | null,
): void {
  need(actor, pull.repository, "WRITE");
  if (input !== null && !pull.repository.settings.autoMergeAllowed) {
    throw new StoreError(
      "UNPROCESSABLE",
      "Pull request Auto merge is not allowed for this repository",
    );
  }
  if (input !== null && blockers(pull).length === 0 && !pull.isDraft) {
    throw new StoreError("UNPROCESSABLE", "Pull request is in clean status");
  }
  const { method = "MERGE", headline = null, body = null } = input ?? {};
  const facts = { enabledBy: actor, enabledAt: store.now(), method, headline, body };
  pull.autoMerge = input === null ? null : facts;
  store.touch(pull);
  store.count(input === null ? "disableAutoMerge" : "enableAutoMerge");
}
