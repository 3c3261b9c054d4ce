import { isRecord } from "@waybill/core/schema";

/**
 * `true` keeps a member, an object keeps some of its members, and a string replaces it by one of
 * them.
 */
type Shape = { readonly [name: string]: true | string | Shape };

const USER: Shape = { login: true, id: true, html_url: true, avatar_url: true };

/**
 * The fields of GitHub's REST answers that the server keeps when it reduces them: issues, comments,
 * pull requests, files, reviews, branches, runs, repositories, check runs and others. Uncertain
 * fields are left out, which favours the server.
 */
const SHAPES: Readonly<Record<string, Shape>> = {
  issue: {
    number: true,
    title: true,
    body: true,
    state: true,
    state_reason: true,
    locked: true,
    html_url: true,
    user: USER,
    author_association: true,
    labels: "name",
    assignees: "login",
    milestone: "title",
    comments: true,
    created_at: true,
    updated_at: true,
    closed_at: true,
  },
  comment: {
    id: true,
    body: true,
    html_url: true,
    user: USER,
    author_association: true,
    created_at: true,
    updated_at: true,
  },
  pull: {
    number: true,
    title: true,
    body: true,
    state: true,
    draft: true,
    merged: true,
    mergeable_state: true,
    html_url: true,
    user: USER,
    labels: "name",
    assignees: "login",
    requested_reviewers: "login",
    head: { ref: true, sha: true, repo: { full_name: true } },
    base: { ref: true, sha: true, repo: { full_name: true } },
    additions: true,
    deletions: true,
    changed_files: true,
    commits: true,
    comments: true,
    created_at: true,
    updated_at: true,
    merged_at: true,
  },
  file: {
    filename: true,
    status: true,
    additions: true,
    deletions: true,
    changes: true,
    patch: true,
  },
  review: {
    id: true,
    state: true,
    body: true,
    html_url: true,
    user: USER,
    commit_id: true,
    submitted_at: true,
  },
  branch: { name: true, commit: { sha: true }, protected: true },
  run: {
    id: true,
    name: true,
    head_branch: true,
    head_sha: true,
    run_number: true,
    event: true,
    status: true,
    conclusion: true,
    html_url: true,
    display_title: true,
    created_at: true,
    updated_at: true,
  },
  check_run: { id: true, name: true, status: true, conclusion: true, html_url: true },
  repository: {
    id: true,
    name: true,
    full_name: true,
    description: true,
    html_url: true,
    language: true,
    stargazers_count: true,
    forks_count: true,
    open_issues_count: true,
    private: true,
    fork: true,
    archived: true,
    default_branch: true,
    topics: true,
    updated_at: true,
    created_at: true,
  },
  me: { login: true, id: true, html_url: true, avatar_url: true },
  label: { id: true, name: true, color: true, description: true },
  commit_message: { commit: { message: true } },
  number_title: { number: true, title: true },
  number_body: { number: true, body: true },
  number_comments: { number: true, comments: true },
  number_assignees: { number: true, assignees: "login" },
  labels: { labels: "name" },
  number_title_draft: { number: true, title: true, draft: true },
  release_flags: { tag_name: true, draft: true, prerelease: true },
  path: { path: true },
  ref: { ref: true, object: { sha: true } },
  committed: { content: { path: true, sha: true }, commit: { sha: true, html_url: true } },
  done: { id: true, html_url: true },
  merged: { sha: true, merged: true, message: true },
};

/** Members that hold the list in an answer of the form { total_count, items }. */
const LISTS = ["items", "workflow_runs", "check_runs"] as const;

function reduced(value: unknown, shape: true | string | Shape): unknown {
  if (shape === true || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => reduced(item, shape));
  if (!isRecord(value)) return value;
  if (typeof shape === "string") return value[shape];
  const list = LISTS.find((name) => Array.isArray(value[name]));
  if (list !== undefined && shape[list] === undefined) {
    return { total_count: value["total_count"], [list]: reduced(value[list], shape) };
  }
  const members = Object.entries(shape).map(([name, inner]) => [name, reduced(value[name], inner)]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** Answers that are not reduced: unchanged answers, and the text of a file. */
const WHOLE = ["raw", "text", "file_text"] as const;

export function isShape(name: string): boolean {
  return WHOLE.some((each) => each === name) || Object.hasOwn(SHAPES, name);
}

const ISSUE_LISTS = [
  "number_title",
  "number_body",
  "number_comments",
  "number_assignees",
  "labels",
];

/** REST includes pull requests in the list of issues; the server does not. */
function withoutPulls(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.filter((item) => !(isRecord(item) && "pull_request" in item));
}

function fileText(value: unknown): string {
  const content = isRecord(value) ? value["content"] : undefined;
  return Buffer.from(typeof content === "string" ? content : "", "base64").toString("utf8");
}

/** An answer of GitHub as the server would return it; `raw` is unchanged. */
export function shapedAnswer(body: string, shape: string): string {
  if (shape === "text") return body;
  const value: unknown = body === "" ? null : JSON.parse(body);
  if (shape === "file_text") return fileText(value);
  if (ISSUE_LISTS.includes(shape)) {
    return JSON.stringify(reduced(withoutPulls(value), SHAPES[shape] ?? true));
  }
  return JSON.stringify(shape === "raw" ? value : reduced(value, SHAPES[shape] ?? true));
}
