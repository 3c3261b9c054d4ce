/**
 * GitHub's official MCP server, version 1.10.1: o200k tokens of its tools' definitions (name,
 * description and input schema as compact JSON), counted from the snapshots in its repository. The
 * counts are published; the definitions themselves are not included.
 */
const DEFAULT_TOOLSETS = { tokens: 10_217, instructions: 377 } as const;

/** Optional toolsets, and the tokens that each one adds. */
const MORE_TOOLSETS: Readonly<Record<string, number>> = {
  actions: 1_271,
  discussions: 896,
  gists: 369,
  git: 177,
  labels: 305,
  notifications: 824,
  projects: 2_512,
};

/** The optional toolset that contains each used tool; tools of default toolsets are not listed. */
const TOOLSET_OF: Readonly<Record<string, string>> = {
  actions_get: "actions",
  actions_list: "actions",
  actions_run_trigger: "actions",
  get_job_logs: "actions",
  get_discussion: "discussions",
  list_discussions: "discussions",
  list_gists: "gists",
  create_gist: "gists",
  get_repository_tree: "git",
  list_label: "labels",
  label_write: "labels",
  list_notifications: "notifications",
  projects_get: "projects",
  projects_list: "projects",
  projects_write: "projects",
};

const DEFAULT_TOOLS: readonly string[] = [
  "add_comment_to_pending_review",
  "add_issue_comment",
  "add_reply_to_pull_request_comment",
  "create_branch",
  "create_or_update_file",
  "create_pull_request",
  "get_commit",
  "get_file_contents",
  "get_latest_release",
  "get_me",
  "get_release_by_tag",
  "issue_read",
  "issue_write",
  "list_branches",
  "list_commits",
  "list_issues",
  "list_pull_requests",
  "list_releases",
  "list_tags",
  "merge_pull_request",
  "pull_request_read",
  "pull_request_review_write",
  "push_files",
  "search_code",
  "search_issues",
  "search_pull_requests",
  "search_repositories",
  "sub_issue_write",
  "update_pull_request",
];

export function isTool(name: string): boolean {
  return DEFAULT_TOOLS.includes(name) || Object.hasOwn(TOOLSET_OF, name);
}

/**
 * The average tokens of a tool's definition: the published total divided by the number of tools.
 */
export const MEAN_DEFINITION = Math.round(DEFAULT_TOOLSETS.tokens / 45);
export const INSTRUCTIONS = DEFAULT_TOOLSETS.instructions;

/** The start text of a session with the default toolsets and the other ones that are needed. */
export function definitionCounts(tools: readonly string[]): [what: string, tokens: number][] {
  const { tokens, instructions } = DEFAULT_TOOLSETS;
  const more = new Set(tools.flatMap((tool) => TOOLSET_OF[tool] ?? []));
  return [
    ["45 tools of the default toolsets", tokens],
    ["instructions of the server", instructions],
    ...[...more].map((name): [string, number] => [`toolset ${name}`, MORE_TOOLSETS[name] ?? 0]),
  ];
}
