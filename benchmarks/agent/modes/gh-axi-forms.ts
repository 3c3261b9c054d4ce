import { isRecord } from "@waybill/core/schema";

type Row = Readonly<Record<string, unknown>>;

/** A command of gh-axi: the data that it requests from `gh`, and the part that it shows. */
export interface AxiForm {
  /** The command of `gh` that returns the data, if it is another one. It follows a write. */
  readonly asks?: string;
  /** The fields that the command requests from `gh`; absent if it only confirms a write. */
  readonly json?: string;
  readonly label: string;
  /** Columns: a member, or a name and how its value is written. */
  readonly columns: readonly (string | readonly [name: string, of: (row: Row) => unknown])[];
  /** Further columns that `--fields` adds, by the names of `gh`. */
  readonly more?: readonly string[];
  /** The tokens of its hints for a next step. */
  readonly hints: number;
  readonly isList?: true;
}

function innerMember(name: string, inner: string) {
  return ({ [name]: value }: Row): unknown => (isRecord(value) ? (value[inner] ?? null) : null);
}

function lower(name: string, empty = "") {
  return ({ [name]: value }: Row): unknown =>
    typeof value === "string" && value !== "" ? value.toLowerCase() : empty;
}

function yesOrNo(name: string) {
  return ({ [name]: value }: Row): unknown => (value === true ? "yes" : "no");
}

function joinedNames(name: string, inner: string) {
  return ({ [name]: value }: Row): unknown => {
    const list: unknown[] = Array.isArray(value) ? value : [];
    const names = list.map((each) => (isRecord(each) ? String(each[inner]) : ""));
    return names.length === 0 ? "none" : names.join(",");
  };
}

/** Times are shown relative to now. This sample has a typical length. */
function age(): string {
  return "10mo ago";
}

function checksIn({ statusCheckRollup: list }: Row): Row[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Formats checks as `2 passed, 1 failed, 3 total`. */
export function checksSummary(row: Row): string {
  const checks = checksIn(row);
  const count = (conclusion: string): number =>
    checks.filter((check) => check["conclusion"] === conclusion).length;
  return `${count("SUCCESS")} passed, ${count("FAILURE")} failed, ${checks.length} total`;
}

const AUTHOR = ["author", innerMember("author", "login")] as const;
const STATE = ["state", lower("state")] as const;
const CREATED = ["created", age] as const;

/**
 * The forms of gh-axi 0.1.13, from its sources. Hints are counted for octo/hello and a number of one or
 * two digits; their words are not included.
 */
export const AXI_FORMS: Readonly<Record<string, AxiForm>> = {
  "issue list": {
    json: "number,title,state,author,createdAt",
    label: "issues",
    columns: ["number", "title", STATE, AUTHOR, CREATED],
    more: ["body", "closedAt", "labels", "milestone", "updatedAt", "url"],
    hints: 51,
    isList: true,
  },
  "issue view": {
    json: "number,title,state,author,createdAt,body",
    label: "issue",
    columns: ["number", "title", STATE, AUTHOR, CREATED, "body"],
    more: ["comments"],
    hints: 0,
  },
  "issue create": {
    asks: "issue view",
    json: "number,title,state,url",
    label: "issue",
    columns: ["number", "title", STATE, "url"],
    hints: 52,
  },
  "issue edit": {
    asks: "issue view",
    json: "number,title,state,labels,assignees",
    label: "issue",
    columns: [
      "number",
      "title",
      STATE,
      ["labels", joinedNames("labels", "name")],
      ["assignees", joinedNames("assignees", "login")],
    ],
    hints: 26,
  },
  "issue close": {
    asks: "issue view",
    json: "number,state",
    label: "issue",
    columns: ["number", STATE],
    hints: 24,
  },
  "issue comment": { label: "commented", columns: [], hints: 28 },
  "pr list": {
    json: "number,title,state,author,isDraft,reviewDecision",
    label: "pull_requests",
    columns: [
      "number",
      "title",
      STATE,
      AUTHOR,
      ["draft", yesOrNo("isDraft")],
      ["review", lower("reviewDecision", "none")],
    ],
    more: ["body", "createdAt", "labels", "milestone", "mergedAt", "url"],
    hints: 51,
    isList: true,
  },
  "pr view": {
    json: "number,title,state,author,isDraft,mergedAt,statusCheckRollup,body,comments",
    label: "pull_request",
    columns: [
      "number",
      "title",
      STATE,
      AUTHOR,
      ["draft", yesOrNo("isDraft")],
      ["merged", ({ mergedAt }) => mergedAt ?? "no"],
      ["checks", checksSummary],
      "body",
    ],
    hints: 0,
  },
  "pr checks": {
    asks: "pr view",
    json: "statusCheckRollup",
    label: "checks",
    columns: ["name", ["conclusion", lower("conclusion")]],
    hints: 48,
  },
  "pr create": { label: "created", columns: [], hints: 48 },
  "pr merge": { label: "merged", columns: [], hints: 26 },
  "run list": {
    json: "databaseId,displayTitle,status,conclusion,workflowName,headBranch,event,createdAt",
    label: "runs",
    columns: [
      ["id", ({ databaseId }) => databaseId],
      ["title", ({ displayTitle }) => displayTitle],
      ["status", lower("status")],
      ["conclusion", lower("conclusion")],
      ["workflow", ({ workflowName }) => workflowName],
      ["branch", ({ headBranch }) => headBranch],
      "event",
      CREATED,
    ],
    hints: 25,
    isList: true,
  },
  "run view": { label: "run_log", columns: [], hints: 0 },
  "run rerun": { label: "rerun", columns: [], hints: 26 },
  "workflow run": { label: "triggered", columns: [], hints: 24 },
  "release view": {
    json: "tagName,name,publishedAt,author,body",
    label: "release",
    columns: [["tag", ({ tagName }) => tagName], "name", ["published", age], AUTHOR, "body"],
    hints: 0,
  },
  "release create": { label: "created", columns: [], hints: 58 },
  "repo view": {
    json: "name,description,defaultBranchRef,stargazerCount,forkCount,issues,pullRequests,primaryLanguage",
    label: "repo",
    columns: [
      "name",
      "description",
      ["branch", innerMember("defaultBranchRef", "name")],
      ["stars", ({ stargazerCount }) => stargazerCount],
      ["forks", ({ forkCount }) => forkCount],
      ["issues", innerMember("issues", "totalCount")],
      ["prs", innerMember("pullRequests", "totalCount")],
      ["language", innerMember("primaryLanguage", "name")],
    ],
    hints: 43,
  },
  "label list": { json: "name", label: "labels", columns: ["name"], hints: 32, isList: true },
  "label create": { label: "created", columns: [], hints: 24 },
};

/** The rows of an answer of `gh` as a form shows them. */
export function axiRow({ columns }: AxiForm, row: Row): Record<string, unknown> {
  const cells = columns.map((column): [string, unknown] =>
    typeof column === "string" ? [column, row[column] ?? null] : [column[0], column[1](row)],
  );
  return Object.fromEntries(cells);
}
