import { readNamed } from "./address-names.ts";
import { PUBLIC_HOST } from "./github-host.ts";

/** The kinds of pages on GitHub. */
export type PageKind =
  | "repository"
  | "issue"
  | "pull request"
  | "discussion"
  | "milestone"
  | "run"
  | "job"
  | "workflow"
  | "project"
  | "account";

/** The parts of a GitHub page's URL. */
export interface Address {
  readonly host: string;
  readonly kind: PageKind;
  readonly owner: string;
  /** Name of the repository; absent for a project. */
  readonly name?: string;
  /**
   * Number of the issue, pull request, discussion, milestone, run or project. For a job, the number
   * of its run.
   */
  readonly number?: number;
  readonly job?: number;
  /** The file name of the workflow. */
  readonly workflow?: string;
  /** Id of the linked comment on an issue or a pull request. */
  readonly comment?: number;
  /** Id of the linked comment within a review. */
  readonly reviewComment?: number;
  /** Other inputs in the URL, such as `path` and `ref` of a file. */
  readonly named?: Readonly<Record<string, string | number>>;
}

const NUMBERED: readonly (readonly [PageKind, RegExp])[] = [
  ["issue", /^issues\/(\d+)(?:\/|$)/],
  ["pull request", /^pulls?\/(\d+)(?:\/|$)/],
  ["discussion", /^discussions\/(\d+)(?:\/|$)/],
  ["milestone", /^milestones?\/(\d+)(?:\/|$)/],
  ["job", /^actions\/runs\/(\d+)(?:\/attempts\/\d+)?\/jobs?\/(\d+)(?:\/|$)/],
  ["job", /^actions\/jobs()\/(\d+)(?:\/|$)/],
  ["run", /^actions\/runs\/(\d+)(?:\/|$)/],
];
const WORKFLOW =
  /^(?:actions|blob\/.+\/\.github)\/workflows\/([^/]+)(?:\/(?:runs|dispatches|enable|disable|timing))?\/?$/;
const PROJECT = /^\/(?:orgs|users)\/([^/]+)\/projects\/(\d+)(?:\/|$)/;

type Page = Pick<Address, "kind" | "number" | "job" | "workflow">;

function readPage(path: string): Page {
  const workflow = WORKFLOW.exec(path)?.[1];
  if (workflow !== undefined) return { kind: "workflow", workflow };
  for (const [kind, pattern] of NUMBERED) {
    const [, number, job] = pattern.exec(path) ?? [];
    if (number === undefined) continue;
    const found = number === "" ? {} : { number: Number(number) };
    return { kind, ...found, ...(job !== undefined && { job: Number(job) }) };
  }
  return { kind: "repository" };
}

type Comment = Pick<Address, "comment" | "reviewComment">;

function readComment(path: string, hash: string): Comment {
  const [, where, number] =
    /^#(issuecomment-|discussion_r)(\d+)$/.exec(hash) ??
    /^(issues|pulls)\/comments\/(\d+)$/.exec(path) ??
    [];
  if (where === undefined) return {};
  const isOfReview = where === "discussion_r" || where === "pulls";
  return isOfReview ? { reviewComment: Number(number) } : { comment: Number(number) };
}

/** The URL of a raw file on github.com. */
const RAW_FILE = /^https?:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\//i;

function isApiUrl({ host, pathname }: URL): boolean {
  return host.startsWith("api.") || pathname.startsWith("/api/v3/");
}

/** Reads the filters `branch:main event:push` of the page that lists workflow runs. */
function readRunFilters(query: string): [string, string][] {
  const filters = query.matchAll(/(?<![\w-])([\w-]+):("[^"]*"|\S+)/gu);
  return [...filters].map(([, name = "", value = ""]) => [
    name === "is" ? "status" : name,
    value.replaceAll('"', ""),
  ]);
}

/**
 * The inputs in the query of a URL: all for the API, and the search text for a page. The filters of
 * a page of runs are only for lists, because they must not choose where another operation runs.
 */
export function readAddressQuery(
  text: string,
  isList: boolean,
): readonly (readonly [string, string])[] {
  if (!isAddress(text) || !URL.canParse(text)) return [];
  const url = new URL(text);
  const runs = /\/actions(?:\/|$)/u.test(url.pathname) ? url.searchParams.get("query") : null;
  if (runs !== null && !isApiUrl(url)) return isList ? readRunFilters(runs) : [];
  return [...url.searchParams].filter(([name]) => isApiUrl(url) || name === "q");
}

/** Reads URLs such as `https://github.com/octo/hello/issues/7`; undefined for anything else. */
export function readAddress(text: string): Address | undefined {
  if (!isAddress(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text.replace(RAW_FILE, `https://${PUBLIC_HOST}/$1/raw/`));
  const host = url.host.replace(/^(?:www|api)\./, "");
  // A URL of the API identifies the same object as the URL of its page.
  const isApi = isApiUrl(url);
  const whole = url.pathname.replace(/^\/api\/v3(?=\/)/, "");
  const [, ofProject, project] = PROJECT.exec(whole) ?? [];
  if (ofProject !== undefined) {
    return { host, kind: "project", owner: ofProject, number: Number(project) };
  }
  const account = /^\/(?:orgs|users)\/([^/]+)/.exec(whole)?.[1];
  if (account !== undefined) return { host, kind: "account", owner: account };
  if (isApi && !whole.startsWith("/repos/")) return undefined;
  const pathname = isApi ? whole.replace(/^\/repos(?=\/)/, "") : whole;
  const [owner = "", folder = "", ...rest] = pathname.slice(1).split("/");
  const name = folder.replace(/\.git$/, "");
  if (owner === "") return undefined;
  if (name === "") return isApi ? undefined : { host, kind: "account", owner };
  const path = rest.join("/");
  const named = readNamed(path, url, isApi);
  const more = Object.keys(named).length > 0 ? { named } : {};
  return { host, owner, name, ...readPage(path), ...readComment(path, url.hash), ...more };
}

/** Whether a text looks like a URL, valid or not. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
