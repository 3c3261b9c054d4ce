/** What a page on GitHub shows. */
export type PageKind =
  | "repository"
  | "issue"
  | "pull request"
  | "discussion"
  | "milestone"
  | "run"
  | "job"
  | "workflow"
  | "project";

/** What the address of a page on GitHub names. */
export interface Address {
  readonly host: string;
  readonly kind: PageKind;
  readonly owner: string;
  /** Of the repository; a project has none. */
  readonly name?: string;
  /** Of the issue, pull request, discussion, milestone, run or project; a job has that of its run. */
  readonly number?: number;
  readonly job?: number;
  /** The file of the workflow. */
  readonly workflow?: string;
  /** Of the comment that it leads to on an issue or a pull request. */
  readonly comment?: number;
  /** Of the comment that it leads to within a review. */
  readonly reviewComment?: number;
}

const NUMBERED: readonly (readonly [PageKind, RegExp])[] = [
  ["issue", /^issues\/(\d+)(?:\/|$)/],
  ["pull request", /^pulls?\/(\d+)(?:\/|$)/],
  ["discussion", /^discussions\/(\d+)(?:\/|$)/],
  ["milestone", /^milestones?\/(\d+)(?:\/|$)/],
  ["job", /^actions\/runs\/(\d+)(?:\/attempts\/\d+)?\/jobs?\/(\d+)(?:\/|$)/],
  ["run", /^actions\/runs\/(\d+)(?:\/|$)/],
];
const WORKFLOW = /^(?:actions|blob\/.+\/\.github)\/workflows\/([^/]+)\/?$/;
const PROJECT = /^\/(?:orgs|users)\/([^/]+)\/projects\/(\d+)(?:\/|$)/;

type Page = Pick<Address, "kind" | "number" | "job" | "workflow">;

function readPage(path: string): Page {
  const workflow = WORKFLOW.exec(path)?.[1];
  if (workflow !== undefined) return { kind: "workflow", workflow };
  for (const [kind, pattern] of NUMBERED) {
    const [, number, job] = pattern.exec(path) ?? [];
    if (number === undefined) continue;
    return { kind, number: Number(number), ...(job !== undefined && { job: Number(job) }) };
  }
  return { kind: "repository" };
}

function readComment(hash: string): Pick<Address, "comment" | "reviewComment"> {
  const [, where, number] = /^#(issuecomment-|discussion_r)(\d+)$/.exec(hash) ?? [];
  if (where === undefined) return {};
  return where === "discussion_r" ? { reviewComment: Number(number) } : { comment: Number(number) };
}

/** Reads `https://github.com/octo/hello/issues/7` and its like; undefined for anything else. */
export function readAddress(text: string): Address | undefined {
  if (!isAddress(text) || !URL.canParse(text)) return undefined;
  const { host: named, pathname: whole, hash } = new URL(text);
  const host = named.replace(/^(?:www|api)\./, "");
  // An address of the API names the same things as that of the page.
  const pathname = named.startsWith("api.")
    ? whole.replace(/^\/repos(?=\/)/, "")
    : whole.replace(/^\/api\/v3\/repos(?=\/)/, "");
  const [, ofProject, project] = PROJECT.exec(pathname) ?? [];
  if (ofProject !== undefined) {
    return { host, kind: "project", owner: ofProject, number: Number(project) };
  }
  const [owner = "", folder = "", ...rest] = pathname.slice(1).split("/");
  const name = folder.replace(/\.git$/, "");
  if (owner === "" || name === "") return undefined;
  return { host, owner, name, ...readPage(rest.join("/")), ...readComment(hash) };
}

/** Whether a text is meant as an address, readable or not. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
