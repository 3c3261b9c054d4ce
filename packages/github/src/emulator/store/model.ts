// One file, because GitHub's objects refer to each other: a repository has issues, and an issue has
// a repository. Several files would import each other in a cycle.

/**
 * The common members of all stored objects: GitHub's two ids and the times (ISO, UTC, whole
 * seconds).
 */
export interface Entity<T extends string = string> {
  readonly type: T;
  readonly id: number;
  readonly nodeId: string;
  createdAt: string;
  updatedAt: string;
}

export type ReactionContent =
  | "THUMBS_UP"
  | "THUMBS_DOWN"
  | "LAUGH"
  | "HOORAY"
  | "CONFUSED"
  | "HEART"
  | "ROCKET"
  | "EYES";

export interface Reaction extends Entity<"Reaction"> {
  readonly user: User;
  readonly content: ReactionContent;
  readonly subject: Reactable;
}

export interface User extends Entity<"User"> {
  login: string;
  name: string | null;
  email: string;
  bio: string | null;
  company: string | null;
  location: string | null;
  websiteUrl: string | null;
  /** An app that issues can be assigned to; GraphQL shows it as a Bot. */
  readonly isBot?: true;
}

export interface Organization extends Entity<"Organization"> {
  login: string;
  name: string | null;
  description: string | null;
  readonly members: User[];
  readonly issueTypes: IssueType[];
}

export type Account = User | Organization;

export interface IssueType extends Entity<"IssueType"> {
  readonly owner: Organization;
  name: string;
  description: string | null;
  color: string;
  isEnabled: boolean;
}

export interface Reactable extends Entity {
  readonly reactions: Reaction[];
}

/** An object with a text and an author, such as an issue or a comment. */
export interface Comment<T extends string = string> extends Entity<T>, Reactable {
  readonly type: T;
  readonly author: User;
  body: string;
  lastEditedAt: string | null;
  /** The reason why the comment is hidden. */
  minimizedReason?: string | null;
}

export const PERMISSIONS = ["READ", "TRIAGE", "WRITE", "MAINTAIN", "ADMIN"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The conditions for merging a pull request into a branch, except for admins. */
interface Protection {
  requiredApprovals: number;
  requiredChecks: string[];
}

/** The settings of a repository that an owner can change. */
export interface RepositorySettings {
  hasIssues: boolean;
  hasWiki: boolean;
  hasProjects: boolean;
  hasDiscussions: boolean;
  mergeCommitAllowed: boolean;
  squashMergeAllowed: boolean;
  rebaseMergeAllowed: boolean;
  autoMergeAllowed: boolean;
  deleteBranchOnMerge: boolean;
}

export interface License {
  readonly key: string;
  readonly name: string;
  readonly spdxId: string;
}

export interface Repository extends Entity<"Repository"> {
  owner: Account;
  name: string;
  description: string | null;
  homepage: string | null;
  isPrivate: boolean;
  isArchived: boolean;
  isTemplate: boolean;
  readonly parent: Repository | null;
  readonly language: string | null;
  readonly license: License | null;
  topics: string[];
  defaultBranch: string;
  pushedAt: string | null;
  readonly settings: RepositorySettings;
  readonly collaborators: Map<User, Permission>;
  readonly stargazers: User[];
  readonly watchers: User[];
  /** Commits by full ref name, such as refs/heads/main. */
  readonly refs: Map<string, string>;
  /** Protection rules by branch name. */
  readonly protections: Map<string, Protection>;
  readonly labels: Label[];
  readonly milestones: Milestone[];
  /** Issues and pull requests share one sequence of numbers. */
  readonly issues: Map<number, Issue | PullRequest>;
  /** Issues that were transferred to other repositories, by the number that they had here. */
  readonly transferred: Map<number, Issue>;
  nextNumber: number;
  readonly pinnedIssues: Issue[];
  readonly releases: Release[];
  readonly workflows: Workflow[];
  readonly runs: WorkflowRun[];
  readonly checkSuites: CheckSuite[];
  readonly statuses: CommitStatus[];
  readonly discussionCategories: DiscussionCategory[];
  readonly discussions: Map<number, Discussion>;
  /** Secrets by their names, which are in upper case. */
  readonly secrets: Map<string, RepositorySetting>;
  readonly variables: Map<string, RepositorySetting>;
  secretKey: RepositoryKey | undefined;
}

/** An encrypted secret, or a variable. */
export interface RepositorySetting {
  readonly name: string;
  readonly value: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The key pair that encrypts secrets, in base64. */
export interface RepositoryKey {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface Label extends Entity<"Label"> {
  readonly repository: Repository;
  name: string;
  color: string;
  description: string | null;
  isDefault: boolean;
}

export interface Milestone extends Entity<"Milestone"> {
  readonly repository: Repository;
  readonly number: number;
  readonly creator: User;
  title: string;
  description: string | null;
  state: "OPEN" | "CLOSED";
  dueOn: string | null;
  closedAt: string | null;
}

export interface IssueComment extends Comment<"IssueComment"> {
  readonly subject: Issue | PullRequest;
}

export type LockReason = "OFF_TOPIC" | "TOO_HEATED" | "RESOLVED" | "SPAM";

/** The members that issues and pull requests share. */
interface Conversation<T extends string> extends Comment<T> {
  readonly repository: Repository;
  readonly number: number;
  title: string;
  readonly labels: Label[];
  readonly assignees: User[];
  milestone: Milestone | null;
  readonly comments: IssueComment[];
  readonly timeline: TimelineEvent[];
  locked: boolean;
  lockReason: LockReason | null;
  closedAt: string | null;
  closedBy: User | null;
}

export type StateReason = "COMPLETED" | "NOT_PLANNED" | "DUPLICATE" | "REOPENED";

export interface Issue extends Conversation<"Issue"> {
  state: "OPEN" | "CLOSED";
  stateReason: StateReason | null;
  issueType: IssueType | null;
  parent: Issue | null;
  readonly subIssues: Issue[];
  readonly blockedBy: Issue[];
  /** Pull requests that a user linked to the issue by hand. */
  readonly connected: PullRequest[];
  readonly linkedBranches: LinkedBranch[];
}

/** A branch that was created for an issue. */
export interface LinkedBranch extends Entity<"LinkedBranch"> {
  readonly issue: Issue;
  readonly repository: Repository;
  /** The full name of the ref. */
  readonly ref: string;
}

/** The REST name of each GraphQL event. */
export const EVENT_NAMES = {
  LabeledEvent: "labeled",
  UnlabeledEvent: "unlabeled",
  AssignedEvent: "assigned",
  UnassignedEvent: "unassigned",
  MilestonedEvent: "milestoned",
  DemilestonedEvent: "demilestoned",
  RenamedTitleEvent: "renamed",
  ClosedEvent: "closed",
  ReopenedEvent: "reopened",
  MergedEvent: "merged",
  LockedEvent: "locked",
  UnlockedEvent: "unlocked",
  PinnedEvent: "pinned",
  UnpinnedEvent: "unpinned",
  TransferredEvent: "transferred",
  ConnectedEvent: "connected",
  CrossReferencedEvent: "cross-referenced",
  SubIssueAddedEvent: "sub_issue_added",
  SubIssueRemovedEvent: "sub_issue_removed",
  ParentIssueAddedEvent: "parent_issue_added",
  ParentIssueRemovedEvent: "parent_issue_removed",
  BlockedByAddedEvent: "blocked_by_added",
  BlockedByRemovedEvent: "blocked_by_removed",
  ReadyForReviewEvent: "ready_for_review",
  ConvertToDraftEvent: "convert_to_draft",
  ReviewRequestedEvent: "review_requested",
  ReviewRequestRemovedEvent: "review_request_removed",
  HeadRefDeletedEvent: "head_ref_deleted",
} as const;

export type EventType = keyof typeof EVENT_NAMES;

/** The details of an event besides its issue or pull request. */
export interface EventDetails {
  readonly label?: Label;
  readonly user?: User;
  readonly milestone?: Milestone;
  readonly titles?: readonly [previous: string, current: string];
  readonly other?: Issue | PullRequest;
  readonly commit?: string;
}

export interface TimelineEvent extends Entity<EventType> {
  readonly actor: User;
  readonly subject: Issue | PullRequest;
  readonly facts: EventDetails;
}

export type ReviewState = "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED";
export type Side = "LEFT" | "RIGHT";
export type MergeMethod = "MERGE" | "SQUASH" | "REBASE";

export interface Review extends Comment<"PullRequestReview"> {
  readonly pullRequest: PullRequest;
  readonly commit: string;
  state: ReviewState;
  submittedAt: string | null;
}

export interface ReviewComment extends Comment<"PullRequestReviewComment"> {
  readonly thread: ReviewThread;
  readonly review: Review;
  readonly replyTo: ReviewComment | null;
  readonly diffHunk: string;
  readonly originalCommit: string;
}

export interface ReviewThread extends Entity<"PullRequestReviewThread"> {
  readonly pullRequest: PullRequest;
  readonly path: string;
  /** The line when the thread was started. An outdated thread has no line in the current diff. */
  readonly originalLine: number | null;
  readonly originalStartLine: number | null;
  readonly side: Side;
  readonly startSide: Side | null;
  readonly subjectType: "LINE" | "FILE";
  readonly comments: ReviewComment[];
  resolvedBy: User | null;
}

export interface ReviewRequest extends Entity<"ReviewRequest"> {
  readonly pullRequest: PullRequest;
  readonly reviewer: User;
}

export interface AutoMerge {
  readonly enabledBy: User;
  readonly enabledAt: string;
  readonly method: MergeMethod;
  readonly headline: string | null;
  readonly body: string | null;
}

export interface PullRequest extends Conversation<"PullRequest"> {
  state: "OPEN" | "CLOSED" | "MERGED";
  isDraft: boolean;
  readonly headRepository: Repository;
  readonly headRef: string;
  baseRef: string;
  /** The head commit, which follows the head branch while the pull request is open. */
  headOid: string;
  /** The base commit, which follows the base branch while the pull request is open. */
  baseOid: string;
  readonly maintainerCanModify: boolean;
  readonly reviews: Review[];
  readonly threads: ReviewThread[];
  readonly reviewRequests: ReviewRequest[];
  readonly connectedIssues: Issue[];
  autoMerge: AutoMerge | null;
  mergedAt: string | null;
  mergedBy: User | null;
  mergeCommit: string | null;
}

type RunStatus = "QUEUED" | "IN_PROGRESS" | "COMPLETED" | "WAITING" | "PENDING";
export type Conclusion =
  | "SUCCESS"
  | "FAILURE"
  | "NEUTRAL"
  | "CANCELLED"
  | "SKIPPED"
  | "TIMED_OUT"
  | "ACTION_REQUIRED";

/** The progress of a check or run. It has a conclusion once it is completed. */
export interface Progress {
  status: RunStatus;
  conclusion: Conclusion | null;
  startedAt: string;
  completedAt: string | null;
}

export interface Workflow extends Entity<"Workflow"> {
  readonly repository: Repository;
  readonly name: string;
  readonly path: string;
  state: "active" | "disabled_manually";
}

export interface Step extends Progress {
  readonly name: string;
  readonly number: number;
  readonly log: string;
}

export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly level: "FAILURE" | "WARNING" | "NOTICE";
  readonly message: string;
}

/** A check run: a job of a workflow, or a check of another app. */
export interface CheckRun extends Entity<"CheckRun">, Progress {
  readonly suite: CheckSuite;
  readonly name: string;
  readonly steps: Step[];
  readonly annotations: Annotation[];
  readonly attempt: number;
  readonly detailsUrl: string | null;
  readonly summary: string | null;
}

export interface App {
  readonly id: number;
  readonly nodeId: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: string;
}

export interface CheckSuite extends Entity<"CheckSuite"> {
  readonly repository: Repository;
  readonly headSha: string;
  readonly headBranch: string;
  readonly app: App;
  run: WorkflowRun | null;
  readonly checkRuns: CheckRun[];
}

export interface Artifact extends Entity<"Artifact"> {
  readonly run: WorkflowRun;
  readonly name: string;
  readonly content: Buffer;
  readonly expiresAt: string;
}

export interface WorkflowRun extends Entity<"WorkflowRun"> {
  readonly workflow: Workflow;
  readonly repository: Repository;
  readonly number: number;
  readonly event: string;
  readonly title: string;
  readonly headBranch: string;
  readonly headSha: string;
  readonly actor: User;
  readonly suite: CheckSuite;
  readonly artifacts: Artifact[];
  readonly inputs: Readonly<Record<string, string>>;
  attempt: number;
  startedAt: string;
  /** The user who started the last attempt. */
  triggeredBy: User;
}

export interface CommitStatus extends Entity<"StatusContext"> {
  readonly repository: Repository;
  readonly sha: string;
  readonly context: string;
  readonly state: "SUCCESS" | "FAILURE" | "PENDING" | "ERROR";
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: User;
}

export interface ReleaseAsset extends Entity<"ReleaseAsset"> {
  readonly release: Release;
  name: string;
  label: string | null;
  readonly contentType: string;
  readonly content: Buffer;
  readonly uploader: User;
  downloadCount: number;
}

export interface Release extends Entity<"Release">, Reactable {
  readonly type: "Release";
  readonly repository: Repository;
  readonly author: User;
  tagName: string;
  targetCommitish: string;
  name: string | null;
  body: string | null;
  isDraft: boolean;
  isPrerelease: boolean;
  publishedAt: string | null;
  readonly assets: ReleaseAsset[];
}

export interface SelectOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface Iteration {
  readonly id: string;
  readonly title: string;
  readonly startDate: string;
  readonly duration: number;
}

export type FieldType =
  | "TITLE"
  | "ASSIGNEES"
  | "LABELS"
  | "MILESTONE"
  | "REPOSITORY"
  | "TEXT"
  | "NUMBER"
  | "DATE"
  | "SINGLE_SELECT"
  | "ITERATION";

type FieldKind = "ProjectV2Field" | "ProjectV2SingleSelectField" | "ProjectV2IterationField";

export interface ProjectField extends Entity<FieldKind> {
  readonly project: Project;
  readonly name: string;
  readonly dataType: FieldType;
  readonly options: readonly SelectOption[];
  readonly iterations: readonly Iteration[];
}

/**
 * A value that a user entered: text, number, date (YYYY-MM-DD), or the id of an option or
 * iteration.
 */
export type FieldValue = string | number;

export interface DraftIssue extends Entity<"DraftIssue"> {
  readonly creator: User;
  title: string;
  body: string;
}

export interface ProjectItem extends Entity<"ProjectV2Item"> {
  readonly project: Project;
  readonly content: Issue | PullRequest | DraftIssue;
  readonly creator: User;
  isArchived: boolean;
  readonly values: Map<ProjectField, FieldValue>;
}

export interface Project extends Entity<"ProjectV2"> {
  readonly owner: Account;
  readonly creator: User;
  readonly number: number;
  title: string;
  shortDescription: string | null;
  readme: string | null;
  isPublic: boolean;
  isClosed: boolean;
  readonly fields: ProjectField[];
  readonly items: ProjectItem[];
  readonly statusUpdates: ProjectStatusUpdate[];
}

export type ProjectStatus = "AT_RISK" | "COMPLETE" | "INACTIVE" | "OFF_TRACK" | "ON_TRACK";

export interface ProjectStatusUpdate extends Entity<"ProjectV2StatusUpdate"> {
  readonly project: Project;
  readonly creator: User;
  readonly body: string | null;
  readonly status: ProjectStatus | null;
  readonly startDate: string | null;
  readonly targetDate: string | null;
}

export interface DiscussionCategory extends Entity<"DiscussionCategory"> {
  readonly repository: Repository;
  readonly name: string;
  readonly slug: string;
  readonly emoji: string;
  readonly description: string | null;
  readonly isAnswerable: boolean;
}

export interface DiscussionComment extends Comment<"DiscussionComment"> {
  readonly discussion: Discussion;
  readonly replyTo: DiscussionComment | null;
}

export interface Discussion extends Comment<"Discussion"> {
  readonly repository: Repository;
  readonly number: number;
  readonly category: DiscussionCategory;
  title: string;
  readonly labels: Label[];
  readonly comments: DiscussionComment[];
  answer: DiscussionComment | null;
  answerChosenBy: User | null;
  locked: boolean;
  closedAt: string | null;
}

/** Text files that belong to a user and not to a repository. */
export interface Gist extends Entity<"Gist"> {
  /** The id of a gist is a hash instead of a number. */
  readonly name: string;
  readonly owner: User;
  description: string | null;
  readonly isPublic: boolean;
  /** The text of each file, by file name. */
  readonly files: Map<string, string>;
}

export interface Notification extends Entity<"Notification"> {
  readonly user: User;
  readonly subject: Issue | PullRequest;
  readonly reason: "mention" | "review_requested" | "assign" | "subscribed" | "author";
  isUnread: boolean;
  lastReadAt: string | null;
}

/** All types of objects that have a node id of their own. */
export type AnyEntity =
  | User
  | Organization
  | IssueType
  | Reaction
  | Repository
  | Label
  | Milestone
  | Issue
  | PullRequest
  | IssueComment
  | TimelineEvent
  | Review
  | ReviewComment
  | ReviewThread
  | ReviewRequest
  | Workflow
  | WorkflowRun
  | CheckSuite
  | CheckRun
  | CommitStatus
  | Artifact
  | Release
  | ReleaseAsset
  | Project
  | ProjectField
  | ProjectItem
  | ProjectStatusUpdate
  | LinkedBranch
  | DraftIssue
  | Discussion
  | DiscussionCategory
  | DiscussionComment
  | Gist
  | Notification;
