/** The inputs and outputs of a capability of ghx. */
export interface GhxCard {
  readonly inputs: readonly string[];
  /** Members of the answer, or of each of its items. */
  readonly outputs: readonly string[];
  readonly isList: boolean;
}

/**
 * Capabilities of ghx 0.8.0 (@ghx-dev/core) that the scenarios ask for, with the names in its cards:
 * inputs besides owner and name, then outputs. A `*` begins those of a list's items.
 */
const CARDS: Readonly<Record<string, readonly [inputs: string, outputs: string]>> = {
  "issue.assignees.add": ["issueNumber assignees", "issueNumber added"],
  "issue.close": ["issueNumber", "id number state closed"],
  "issue.comments.create": ["issueNumber body", "id body url"],
  "issue.comments.list": ["issueNumber first after", "* id body authorLogin url createdAt"],
  "issue.create": ["title body", "id number title state url"],
  "issue.labels.add": ["issueNumber labels", "id labels"],
  "issue.list": ["state first after", "* id number title state url"],
  "issue.relations.view": ["issueNumber", "issue parent children blockedBy"],
  "issue.view": ["issueNumber", "id number title state url body labels"],
  "pr.checks.list": ["prNumber state", "* name state workflow link annotations runId summary"],
  "pr.create": ["title body head base draft", "number url title state draft"],
  "pr.diff.files": ["prNumber first after", "* path additions deletions"],
  "pr.list": ["state first after", "* id number title state url"],
  "pr.merge": ["prNumber method deleteBranch", "prNumber method queued deleteBranch"],
  "pr.reviews.list": [
    "prNumber first after",
    "* id authorLogin body state submittedAt url commitOid",
  ],
  "pr.reviews.submit": ["prNumber event body comments", "id state url body"],
  "pr.threads.list": [
    "prNumber first after unresolvedOnly",
    "* id path line startLine diffSide subjectType isResolved isOutdated viewerCanReply viewerCanResolve viewerCanUnresolve resolvedByLogin comments",
  ],
  "pr.threads.reply": ["threadId body", "id isResolved commentId commentUrl"],
  "pr.threads.resolve": ["threadId", "id isResolved"],
  "pr.view": ["prNumber", "id number title state url body labels"],
  "project_v2.fields.list": ["owner projectNumber first", "* id name dataType options"],
  "project_v2.items.field.update": ["owner projectNumber itemId fieldId valueText", "itemId"],
  "project_v2.items.list": [
    "owner projectNumber first",
    "* id contentType contentNumber contentTitle",
  ],
  "release.create": [
    "tagName title notes targetCommitish prerelease",
    "id tagName name isDraft isPrerelease url targetCommitish createdAt publishedAt",
  ],
  "release.list": [
    "first after",
    "* id tagName name isDraft isPrerelease url targetCommitish createdAt publishedAt",
  ],
  "release.view": [
    "tagName",
    "id tagName name isDraft isPrerelease url targetCommitish createdAt publishedAt",
  ],
  "repo.labels.list": ["first after", "* id name description color isDefault"],
  "repo.view": ["", "id name nameWithOwner isPrivate stargazerCount forkCount url defaultBranch"],
  "workflow.dispatch": ["workflowId ref inputs", "workflowId ref dispatched"],
  "workflow.job.logs.view": ["jobId", "jobId truncated summary"],
  "workflow.run.rerun.failed": ["runId", "runId queued"],
  "workflow.run.view": [
    "runId",
    "id workflowName status conclusion headBranch headSha event createdAt updatedAt startedAt url attempt jobs",
  ],
  "workflow.runs.list": [
    "first after branch event status",
    "* id workflowName status conclusion headBranch url",
  ],
};

function splitNames(text: string): string[] {
  return text.split(" ").filter((word) => word !== "" && word !== "*");
}

export function ghxCard(capability: string): GhxCard | undefined {
  const card = CARDS[capability];
  if (card === undefined) return undefined;
  const [inputs, outputs] = card;
  return {
    inputs: splitNames(inputs),
    outputs: splitNames(outputs),
    isList: outputs.startsWith("*"),
  };
}

/** The tokens of its skill, whose words are not included. */
export const GHX_SKILL_TOKENS = 3_421;
