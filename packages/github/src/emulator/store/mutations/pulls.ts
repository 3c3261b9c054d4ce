import { commitsBetween } from "../../git/index.ts";
import { need, needUnlessAuthor } from "../access.ts";
import { branchOid } from "../commits.ts";
import { StoreError, forbidden, invalid } from "../errors.ts";
import type { PullRequest, Repository, ReviewRequest, User } from "../model.ts";
import type { Store } from "../store.ts";
import { drop, editSubject } from "./conversations.ts";
import type { Edits } from "./conversations.ts";
import { referTo } from "./references.ts";
import { checkBody, checkTitle } from "./text.ts";

export interface NewPull {
  readonly title: string;
  readonly body?: string;
  readonly head: string;
  readonly headRepository?: Repository;
  readonly base: string;
  readonly isDraft?: boolean;
  readonly maintainerCanModify?: boolean;
}

export function createPull(
  store: Store,
  author: User,
  repository: Repository,
  input: NewPull,
): PullRequest {
  need(author, repository, "READ");
  if (repository.isArchived) throw forbidden("Repository was archived so is read-only.");
  const { base, head, headRepository = repository } = input;
  const title = checkTitle("PullRequest", input.title);
  const body = checkBody("PullRequest", input.body ?? "");
  const ends = getEnds(store, repository, headRepository, { base, head });
  const pull = store.create<PullRequest>("PullRequest", {
    author,
    repository,
    title,
    body,
    number: repository.nextNumber++,
    labels: [],
    assignees: [],
    milestone: null,
    comments: [],
    timeline: [],
    reactions: [],
    state: "OPEN",
    closedAt: null,
    closedBy: null,
    lastEditedAt: null,
    locked: false,
    lockReason: null,
    isDraft: input.isDraft ?? false,
    headRepository,
    headRef: head,
    baseRef: base,
    ...ends,
    maintainerCanModify: input.maintainerCanModify ?? headRepository !== repository,
    reviews: [],
    threads: [],
    reviewRequests: [],
    connectedIssues: [],
    autoMerge: null,
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
  });
  repository.issues.set(pull.number, pull);
  referTo(store, author, pull, body);
  store.count("createPull");
  return pull;
}

function getEnds(
  store: Store,
  repository: Repository,
  headRepository: Repository,
  { base, head }: { readonly base: string; readonly head: string },
): Pick<PullRequest, "baseOid" | "headOid"> {
  const baseOid = branchOid(repository, base);
  const headOid = branchOid(headRepository, head);
  if (baseOid === undefined)
    throw invalid({ resource: "PullRequest", field: "base", code: "invalid" });
  if (headOid === undefined)
    throw invalid({ resource: "PullRequest", field: "head", code: "invalid" });
  if (commitsBetween(store.objects, baseOid, headOid).length === 0) {
    custom(`No commits between ${base} and ${head}`);
  }
  const twin = [...repository.issues.values()].find(
    (one) =>
      one.type === "PullRequest" &&
      one.state === "OPEN" &&
      one.headRepository === headRepository &&
      one.headRef === head &&
      one.baseRef === base,
  );
  if (twin !== undefined) {
    custom(`A pull request already exists for ${headRepository.owner.login}:${head}.`);
  }
  return { baseOid, headOid };
}

function custom(message: string): never {
  throw invalid({ resource: "PullRequest", field: "base", code: "custom", message });
}

export interface PullEdits extends Edits {
  readonly base?: string;
  readonly state?: "OPEN" | "CLOSED";
}

export function updatePull(store: Store, actor: User, pull: PullRequest, edits: PullEdits): void {
  needUnlessAuthor(actor, pull, pull.repository, "TRIAGE");
  if (edits.base !== undefined && edits.base !== pull.baseRef) rebase(pull, edits.base);
  editSubject(store, actor, pull, edits);
  if (edits.state === "CLOSED") markClosed(store, actor, pull);
  if (edits.state === "OPEN") markOpen(store, actor, pull);
  store.count("updatePull");
}

function rebase(pull: PullRequest, base: string): void {
  const oid = branchOid(pull.repository, base);
  if (oid === undefined) throw invalid({ resource: "PullRequest", field: "base", code: "invalid" });
  pull.baseRef = base;
  pull.baseOid = oid;
}

function markClosed(store: Store, actor: User, pull: PullRequest): void {
  if (pull.state !== "OPEN") return;
  pull.state = "CLOSED";
  pull.closedAt = store.now();
  pull.closedBy = actor;
  store.record("ClosedEvent", actor, pull);
}

function markOpen(store: Store, actor: User, pull: PullRequest): void {
  if (pull.state === "OPEN") return;
  if (pull.state === "MERGED")
    throw new StoreError("UNPROCESSABLE", "Could not open the pull request.");
  const headOid = branchOid(pull.headRepository, pull.headRef);
  if (headOid === undefined) {
    custom(`state cannot be changed. The ${pull.headRef} branch has been deleted.`);
  }
  Object.assign(pull, { state: "OPEN", closedAt: null, closedBy: null, headOid });
  store.record("ReopenedEvent", actor, pull);
}

export function closePull(store: Store, actor: User, pull: PullRequest): void {
  needUnlessAuthor(actor, pull, pull.repository, "TRIAGE");
  if (pull.state === "MERGED") {
    throw new StoreError("UNPROCESSABLE", "Could not close the pull request.");
  }
  markClosed(store, actor, pull);
  store.count("closePull");
}

export function reopenPull(store: Store, actor: User, pull: PullRequest): void {
  needUnlessAuthor(actor, pull, pull.repository, "TRIAGE");
  markOpen(store, actor, pull);
  store.count("reopenPull");
}

export function setDraft(store: Store, actor: User, pull: PullRequest, isDraft: boolean): void {
  needUnlessAuthor(actor, pull, pull.repository, "WRITE");
  if (pull.isDraft !== isDraft) {
    pull.isDraft = isDraft;
    store.record(isDraft ? "ConvertToDraftEvent" : "ReadyForReviewEvent", actor, pull);
  }
  store.count(isDraft ? "convertToDraft" : "markReady");
}

export function requestReviews(
  store: Store,
  actor: User,
  pull: PullRequest,
  { users, union }: { readonly users: readonly User[]; readonly union: boolean },
): void {
  needUnlessAuthor(actor, pull, pull.repository, "WRITE");
  if (users.includes(pull.author)) {
    const message = "Review cannot be requested from pull request author.";
    throw new StoreError("UNPROCESSABLE", message);
  }
  if (!union) dropRequests(store, actor, pull, (reviewer) => !users.includes(reviewer));
  for (const reviewer of users) {
    if (pull.reviewRequests.some((one) => one.reviewer === reviewer)) continue;
    const facts = { pullRequest: pull, reviewer };
    pull.reviewRequests.push(store.create<ReviewRequest>("ReviewRequest", facts));
    store.record("ReviewRequestedEvent", actor, pull, { user: reviewer });
  }
  store.count("requestReviews");
}

export function dropRequests(
  store: Store,
  actor: User,
  pull: PullRequest,
  isUnwanted: (reviewer: User) => boolean,
): void {
  for (const request of pull.reviewRequests.filter(({ reviewer }) => isUnwanted(reviewer))) {
    drop(pull.reviewRequests, request);
    store.forget(request);
    store.record("ReviewRequestRemovedEvent", actor, pull, { user: request.reviewer });
  }
}

export function removeReviewRequests(
  store: Store,
  actor: User,
  pull: PullRequest,
  users: readonly User[],
): void {
  needUnlessAuthor(actor, pull, pull.repository, "WRITE");
  dropRequests(store, actor, pull, (reviewer) => users.includes(reviewer));
  store.count("removeReviewRequests");
}
