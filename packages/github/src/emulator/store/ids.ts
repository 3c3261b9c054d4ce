import type { Entity } from "./model.ts";

/** The prefixes of GitHub's node ids. */
const PREFIXES: Readonly<Record<string, string>> = {
  User: "U",
  Organization: "O",
  Repository: "R",
  Issue: "I",
  PullRequest: "PR",
  IssueComment: "IC",
  Label: "LA",
  Milestone: "MI",
  IssueType: "IT",
  Reaction: "REA",
  PullRequestReview: "PRR",
  PullRequestReviewComment: "PRRC",
  PullRequestReviewThread: "PRRT",
  ReviewRequest: "RR",
  Workflow: "W",
  WorkflowRun: "WFR",
  CheckSuite: "CS",
  CheckRun: "CR",
  StatusContext: "SC",
  Artifact: "MDg6QXJ0aWZhY3Q",
  Release: "RE",
  ReleaseAsset: "RA",
  ProjectV2: "PVT",
  ProjectV2Item: "PVTI",
  ProjectV2Field: "PVTF",
  ProjectV2SingleSelectField: "PVTSSF",
  ProjectV2IterationField: "PVTIF",
  ProjectV2StatusUpdate: "PVTSU",
  LinkedBranch: "LB",
  DraftIssue: "DI",
  Discussion: "D",
  DiscussionCategory: "DIC",
  DiscussionComment: "DC",
  Gist: "G",
  Notification: "NT",
};

/** Ids count up from a fixed start for each type, so the same world always has the same ids. */
export class Ids {
  readonly #last = new Map<string, number>();

  next(type: string): number {
    const sequence = getSequence(type);
    const id = (this.#last.get(sequence) ?? FIRST_ID) + 1;
    this.#last.set(sequence, id);
    return id;
  }
}

/** REST identifies some objects only by number, so their types share one sequence of ids. */
function getSequence(type: string): string {
  if (type === "User" || type === "Organization") return "Account";
  if (type.startsWith("ProjectV2") && type.endsWith("Field")) return "ProjectV2Field";
  return type.endsWith("Event") ? "Event" : type;
}

const FIRST_ID = 1000;

export function getNodeId(type: Entity["type"], id: number): string {
  return `${PREFIXES[type] ?? "EV"}_kwDO${Buffer.from(`${type}:${id}`).toString("base64url")}`;
}

/** Git objects have ids made of the repository and their git name. */
export type GitKind = "Commit" | "Tree" | "Blob" | "Ref" | "Tag" | "PullRequestCommit";

const GIT_PREFIXES: Readonly<Record<GitKind, string>> = {
  Commit: "C",
  Tree: "T",
  Blob: "B",
  Ref: "REF",
  Tag: "TA",
  PullRequestCommit: "PURC",
};

export function gitNodeId(kind: GitKind, owner: Entity, name: string): string {
  const key = Buffer.from(`${owner.nodeId}:${name}`).toString("base64url");
  return `${GIT_PREFIXES[kind]}_${key}`;
}

export function parseGitNodeId(
  nodeId: string,
): { readonly kind: GitKind; readonly owner: string; readonly name: string } | undefined {
  const [prefix, key] = nodeId.split(/_(.*)/s);
  const kind = (Object.keys(GIT_PREFIXES) as GitKind[]).find((one) => GIT_PREFIXES[one] === prefix);
  if (kind === undefined || key === undefined) return undefined;
  const [owner, name] = Buffer.from(key, "base64url").toString("utf8").split(/:(.*)/s);
  if (owner === undefined || name === undefined) return undefined;
  return { kind, owner, name };
}
