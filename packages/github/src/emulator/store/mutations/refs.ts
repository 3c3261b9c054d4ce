import { getHistory } from "../../git/index.ts";
import type { GitCommit } from "../../git/index.ts";
import { need } from "../access.ts";
import { HEADS, branchOid, commitFiles } from "../commits.ts";
import type { FileEdits } from "../commits.ts";
import { StoreError, invalid } from "../errors.ts";
import type { PullRequest, Repository, User } from "../model.ts";
import type { Store } from "../store.ts";

// The most common of the names that `git check-ref-format` refuses.
// oxlint-disable-next-line no-control-regex
const BAD_NAME = /[\u0000-\u0020~^:?*[\\\u007f]|\.\.|@\{|\/\/|\.lock(\/|$)|\/$|\.$|\/\./;

export function createRef(
  store: Store,
  actor: User,
  repository: Repository,
  { name, oid }: { readonly name: string; readonly oid: string },
): void {
  need(actor, repository, "WRITE");
  if (!/^refs\/[^/]+\/./.test(name) || BAD_NAME.test(name)) {
    refuseRef(`${name} is not a valid ref name.`);
  }
  if (repository.refs.has(name)) refuseRef("Reference already exists");
  if (store.objects.commit(oid) === undefined) refuseRef("Object does not exist");
  repository.refs.set(name, oid);
  store.count("createRef");
}

function refuseRef(message: string): never {
  throw invalid({ resource: "Reference", field: "ref", code: "custom", message }, message);
}

export function updateRef(
  store: Store,
  actor: User,
  repository: Repository,
  { name, oid, force }: { readonly name: string; readonly oid: string; readonly force: boolean },
): void {
  need(actor, repository, "WRITE");
  const old = repository.refs.get(name);
  if (old === undefined) refuseRef("Reference does not exist");
  if (store.objects.commit(oid) === undefined) refuseRef("Object does not exist");
  const isForward = getHistory(store.objects, oid).some((commit) => commit.oid === old);
  if (!force && !isForward) refuseRef("Update is not a fast forward");
  moveRef(store, repository, name, oid);
  store.count("updateRef");
}

export function deleteRef(store: Store, actor: User, repository: Repository, name: string): void {
  need(actor, repository, "WRITE");
  if (!repository.refs.has(name)) refuseRef("Reference does not exist");
  if (name === `${HEADS}${repository.defaultBranch}`) {
    refuseRef("Cannot delete the default branch");
  }
  repository.refs.delete(name);
  const branch = name.startsWith(HEADS) ? name.slice(HEADS.length) : undefined;
  for (const pull of store.repositories.flatMap(({ issues }) => [...issues.values()])) {
    if (pull.type !== "PullRequest" || pull.headRepository !== repository) continue;
    if (pull.headRef !== branch) continue;
    store.record("HeadRefDeletedEvent", actor, pull);
    if (pull.state === "OPEN") closeForGood(store, actor, pull);
  }
  store.count("deleteRef");
}

function closeForGood(store: Store, actor: User, pull: PullRequest): void {
  pull.state = "CLOSED";
  pull.closedAt = store.now();
  pull.closedBy = actor;
  store.record("ClosedEvent", actor, pull);
}

/** Moves a branch to a commit, and updates open pull requests. */
export function moveRef(store: Store, repository: Repository, name: string, oid: string): void {
  repository.refs.set(name, oid);
  repository.pushedAt = store.now();
  const branch = name.slice(HEADS.length);
  for (const pull of store.repositories.flatMap(({ issues }) => [...issues.values()])) {
    if (pull.type !== "PullRequest" || pull.state !== "OPEN") continue;
    if (pull.headRepository === repository && pull.headRef === branch) pull.headOid = oid;
    if (pull.repository === repository && pull.baseRef === branch) pull.baseOid = oid;
  }
}

export interface BranchCommit {
  readonly branch: string;
  readonly message: string;
  readonly edits: FileEdits;
  /** The commit that the branch must currently point to (default: any). */
  readonly expectedHead?: string;
}

export function commitOnBranch(
  store: Store,
  actor: User,
  repository: Repository,
  { branch, message, edits, expectedHead }: BranchCommit,
): GitCommit {
  need(actor, repository, "WRITE");
  const head = branchOid(repository, branch);
  const isFirst = repository.refs.size === 0;
  if (head === undefined && !isFirst)
    throw new StoreError("NOT_FOUND", `Branch ${branch} not found`);
  if (expectedHead !== undefined && expectedHead !== head) {
    const text = `Expected branch to point to "${expectedHead}" but it did not. Pull and try again.`;
    throw new StoreError("CONFLICT", text);
  }
  const commit = commitFiles(store, actor, head ?? null, message, edits);
  moveRef(store, repository, `${HEADS}${branch}`, commit.oid);
  store.count("commitOnBranch");
  return commit;
}
