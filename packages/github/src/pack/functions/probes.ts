import { createHash } from "node:crypto";
import { isRecord } from "@waybill/core/schema";
import type { CardFunctions } from "@waybill/core/cards";
import { over, present, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";
import { probedBranch, probedMerge } from "./probed-pull.ts";
import { probedThread, threadComments } from "./probed-thread.ts";

interface Compared {
  readonly have?: readonly (string | null)[] | null;
  readonly want?: readonly string[];
}

/** Lower-case names, because GitHub ignores their case. */
function names(list: readonly (string | null)[] | null | undefined): Set<string> {
  return new Set(present(list).map((name) => name.toLowerCase()));
}

interface Milestone {
  readonly number: number;
  readonly title: string;
}

/** Whether a milestone has the number or title of the input. */
function isMilestone(milestone: Milestone | null, params: Params): boolean {
  const wanted = params["milestone"] ?? params["milestoneNumber"];
  if (milestone === null || milestone === undefined) return false;
  const isTitle = milestone.title.toLowerCase() === String(wanted).toLowerCase();
  return milestone.number === wanted || isTitle;
}

interface FileChange {
  readonly content: string | null;
  readonly encoding?: "utf-8" | "base64";
}

/** Git's id of a file's content; null for a deleted file. */
function blobOid({ content, encoding }: FileChange): string | null {
  if (content === null) return null;
  const bytes = Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

interface Fork {
  readonly name: string;
  readonly owner: { readonly login: string };
}

function forkMade(
  { viewer, forks }: { viewer: string; forks?: readonly (Fork | null)[] },
  params: Params,
): Fork | null {
  const owner = (stringParam(params, "organization") ?? viewer).toLowerCase();
  const name = stringParam(params, "forkName");
  const isIt = (fork: Fork): boolean =>
    fork.owner.login.toLowerCase() === owner && (name === undefined || fork.name === name);
  return present(forks).find(isIt) ?? null;
}

interface CommittedFile {
  readonly filename: string;
  readonly sha: string;
  readonly status: string;
}

/** Git's id of the first file of the input in a commit; null if deleted, "" if not changed. */
function committedBlob(files: readonly CommittedFile[], params: Params): string | null {
  const [first] = params["files"] as readonly { readonly path: string }[];
  const file = files.find(({ filename }) => filename === first?.path);
  if (file === undefined) return "";
  return file.status === "removed" ? null : file.sha;
}

interface OwnedRepository {
  readonly name: string;
  readonly owner: { readonly login: string; readonly type: string };
}

/** The repository in the inputs. `second` is its readme; null if it has none. */
function createdRepository(
  { first, second }: { first: readonly OwnedRepository[]; second: unknown },
  params: Params,
): object | null {
  const name = stringParam(params, "name")?.toLowerCase();
  const login = stringParam(params, "owner")?.toLowerCase();
  const isOwned = ({ owner }: OwnedRepository): boolean =>
    login === undefined ? owner.type === "User" : owner.login.toLowerCase() === login;
  const found = first.find((one) => one.name.toLowerCase() === name && isOwned(one));
  return found === undefined ? null : { ...found, isEmpty: second === null };
}

/** Whether a URL is below the repository in the input. Case is ignored. */
function isInTarget(url: string, params: Params): boolean {
  return url.toLowerCase().endsWith(`/${stringParam(params, "target")?.toLowerCase()}`);
}

interface ProjectItem {
  readonly project: { readonly number: number; readonly owner: { readonly login: string } };
}

function itemInProject(items: readonly (ProjectItem | null)[], params: Params): ProjectItem | null {
  const isIt = ({ project }: ProjectItem): boolean =>
    project.number === params["projectNumber"] &&
    project.owner.login.toLowerCase() === stringParam(params, "owner")?.toLowerCase();
  return present(items).find(isIt) ?? null;
}

type FieldValue = Readonly<Record<string, unknown>> & {
  readonly field?: { readonly id?: string; readonly databaseId?: number };
};

/** The value of the project field that the input fieldId names; null if it has none. */
function projectFieldValue(values: readonly (FieldValue | null)[], params: Params): unknown {
  const { fieldId } = params;
  const isIt = ({ field }: FieldValue): boolean =>
    field !== undefined && (field.id === fieldId || field.databaseId === fieldId);
  const value = present(values).find(isIt);
  if (value === undefined) return null;
  const { text, number, date, optionId, iterationId } = value;
  return text ?? number ?? date ?? optionId ?? iterationId ?? null;
}

/** The file contents of a gist by file name. Takes an object or a list of files. */
function textsByName(files: unknown): unknown {
  const pairs = Array.isArray(files)
    ? files.filter(isRecord).map(({ name, text }) => [name, text] as const)
    : Object.entries(isRecord(files) ? files : {});
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Whether a child comes directly after or before the sibling in the inputs. */
function isInOrder(children: readonly number[], params: Params): boolean {
  const place = children.indexOf(params["childNumber"] as number);
  if (place === -1) return false;
  const { afterNumber, beforeNumber } = params;
  return afterNumber === undefined
    ? children[place + 1] === beforeNumber
    : children[place - 1] === afterNumber;
}

interface IssueComment {
  readonly node_id: string;
  readonly body?: string;
  readonly created_at: string;
  readonly html_url: string;
  readonly issue_url: string;
  readonly user: { readonly login: string } | null;
}

/** The comments of a repository that belong to the issue or pull request in the inputs. */
function commentsOfIssue(comments: readonly IssueComment[], params: Params): object[] {
  const number = params["issueNumber"] ?? params["prNumber"];
  const own = comments.filter(({ issue_url }) => issue_url.endsWith(`/issues/${String(number)}`));
  return own.map(({ node_id, body = "", created_at, html_url, user }) => ({
    id: node_id,
    body,
    createdAt: created_at,
    url: html_url,
    authorLogin: user?.login,
  }));
}

interface ReviewComment {
  readonly path: string;
  readonly body: string;
}

/** The functions that cards use to find out whether a write with a lost response was applied. */
export const probeFunctions: CardFunctions = {
  hasAll: over(({ have, want = [] }: Compared) => {
    const there = names(have);
    return want.every((name) => there.has(name.toLowerCase()));
  }),
  hasNone: over(({ have, want = [] }: Compared) => {
    const there = names(have);
    return !want.some((name) => there.has(name.toLowerCase()));
  }),
  hasExactly: over(({ have, want = [] }: Compared) => {
    const [there, wanted] = [names(have), names(want)];
    return there.size === wanted.size && [...wanted].every((name) => there.has(name));
  }),
  sortedNames: over((list: readonly (string | null)[]) => [...names(list)].toSorted()),
  isMilestone: over(isMilestone),
  itemTitled: over(
    (list: readonly (Milestone | null)[], params) =>
      present(list).find(({ title }) => title === params["title"]) ?? null,
  ),
  blobOid: over(blobOid),
  commentsOfIssue: over(commentsOfIssue),
  committedBlob: over(committedBlob),
  createdRepository: over(createdRepository),
  probedBranch: over(probedBranch),
  probedMerge: over(probedMerge),
  probedThread: over(probedThread),
  threadComments: over(threadComments),
  forkMade: over(forkMade),
  isInOrder: over(isInOrder),
  isInTarget: over(isInTarget),
  itemInProject: over(itemInProject),
  projectFieldValue: over(projectFieldValue),
  textsByName,
  reviewComments: over((comments: readonly (ReviewComment | null)[]) =>
    present(comments)
      .map(({ path, body }) => `${path}\n${body}`)
      .toSorted(),
  ),
};
