/** An issue or pull request as checks see it, from GitHub's own store. */
interface Conversation {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly milestone: string | null;
  readonly locked: boolean;
  readonly comments: readonly { readonly author: string; readonly body: string }[];
}

export interface TrialIssue extends Conversation {
  readonly stateReason: string | null;
}

export interface TrialPull extends Conversation {
  readonly isDraft: boolean;
  readonly headRefName: string;
  readonly baseRefName: string;
  readonly merged: boolean;
  readonly files: readonly string[];
  readonly ahead: number;
  readonly behind: number;
  readonly reviews: readonly { readonly author: string; readonly state: string }[];
  readonly reviewRequests: readonly string[];
  readonly threads: readonly {
    readonly path: string;
    readonly isResolved: boolean;
    readonly comments: readonly string[];
  }[];
}

export interface TrialRepository {
  readonly description: string | null;
  readonly labels: readonly string[];
  readonly labelColors: Readonly<Record<string, string>>;
  readonly milestones: readonly { readonly title: string; readonly state: string }[];
  readonly issues: Readonly<Record<string, TrialIssue>>;
  readonly pulls: Readonly<Record<string, TrialPull>>;
  readonly runs: readonly {
    readonly id: number;
    readonly branch: string;
    readonly attempt: number;
    readonly event: string;
    readonly workflow: string;
  }[];
  readonly releases: readonly {
    readonly tagName: string;
    readonly name: string | null;
    readonly body: string;
    readonly isDraft: boolean;
    readonly isPrerelease: boolean;
  }[];
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  readonly commits: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, string>>;
}

type RepositoryName = "hello" | "atlas" | "ferry";
export type TrialWorld = Readonly<Record<RepositoryName, TrialRepository>>;

const REPOSITORIES: readonly RepositoryName[] = ["hello", "atlas", "ferry"];

/** Members that also change because of another task's merge or commit. */
const FOLLOWS = new Set(["ahead", "behind", "files", "texts", "messages"]);

function withoutFollowing(conversation: Conversation): string {
  return JSON.stringify(conversation, (key, value: unknown) =>
    FOLLOWS.has(key) ? undefined : value,
  );
}

function changedConversations(
  name: RepositoryName,
  before: Readonly<Record<string, Conversation>>,
  after: Readonly<Record<string, Conversation>>,
): string[] {
  const numbers = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const text = (all: Readonly<Record<string, Conversation>>, number: string): string => {
    const found = all[number];
    return found === undefined ? "" : withoutFollowing(found);
  };
  return numbers
    .filter((number) => text(before, number) !== text(after, number))
    .map((number) => `${name}#${number}`);
}

const PARTS = ["labelColors", "milestones", "runs", "releases", "branches", "files"] as const;

/** The differences between two states of the world, such as `ferry#12` or `atlas:branches`. */
export function changesBetween(before: TrialWorld, after: TrialWorld): string[] {
  return REPOSITORIES.flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    const parts = PARTS.filter((part) => JSON.stringify(old[part]) !== JSON.stringify(now[part]));
    return [
      ...changedConversations(name, old.issues, now.issues),
      ...changedConversations(name, old.pulls, now.pulls),
      ...parts.map((part) => `${name}:${part}`),
    ];
  });
}
