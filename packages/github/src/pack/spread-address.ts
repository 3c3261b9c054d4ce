import { isAddress, readAddress } from "./address.ts";
import type { Address, PageKind } from "./address.ts";
import { PUBLIC_HOST } from "./github-host.ts";
import { agree } from "./reading.ts";
import type { Reading } from "./reading.ts";
import { readRemote } from "./remote.ts";
import { refuseInput } from "./refuse-input.ts";

const SUBJECTS: readonly PageKind[] = ["issue", "pull request"];

/**
 * The kinds of page whose URL an input accepts. A URL without an input goes to the first that fits.
 * Pull requests share the numbers of issues, so capabilities for pull requests check the kind
 * themselves.
 */
const PAGES: Readonly<Record<string, readonly PageKind[]>> = {
  prNumber: ["pull request"],
  issueNumber: SUBJECTS,
  jobId: ["job"],
  runId: ["run", "job"],
  milestoneNumber: ["milestone"],
  milestone: ["milestone"],
  projectNumber: ["project"],
  discussionNumber: ["discussion"],
  blockedByIssueNumber: SUBJECTS,
  parentIssueNumber: SUBJECTS,
  childNumber: SUBJECTS,
  afterNumber: SUBJECTS,
  beforeNumber: SUBJECTS,
  workflowId: ["workflow"],
};

/** The inputs for an owner. */
const OWNERS = ["owner", "org", "user", "login"];

/** The inputs that accept a URL instead of a number or a name. */
export const ADDRESSED: readonly string[] = [...Object.keys(PAGES), "commentId"];

/** All inputs that a URL may contain. */
export const IN_ADDRESSES: readonly string[] = [...OWNERS, "name", ...ADDRESSED];

function getSaid(name: string, { number, job, workflow }: Address): string | number | undefined {
  if (name === "workflowId") return workflow;
  return name === "jobId" ? job : number;
}

/**
 * The comment id of a URL. Review comments and other comments have separate ids, so the kind must
 * match.
 */
function getComment(
  { properties }: Reading,
  { comment, reviewComment }: Address,
): number | undefined {
  if (!Object.hasOwn(properties, "commentId")) return undefined;
  return Object.hasOwn(properties, "threadId") ? reviewComment : comment;
}

/** Converts `github.com/octo/hello` and git remotes to a page's URL. */
function withScheme(text: string, host = PUBLIC_HOST): string {
  if (isAddress(text)) return text;
  if (text.replace(/^www\./, "").startsWith(`${host}/`)) return `https://${text}`;
  const remote = readRemote(text);
  return remote === undefined ? text : `https://${remote.host}/${remote.owner}/${remote.name}`;
}

/** Refuses a URL of another host, so that its object is not read or written on this one. */
function addressIn({ id, written, host }: Reading, from: string): Address | undefined {
  const value = written[from];
  const text = typeof value === "string" ? withScheme(value, host) : "";
  if (!isAddress(text)) return undefined;
  const address = readAddress(text);
  if (address === undefined)
    throw refuseInput(
      id,
      from,
      "is not the address of a GitHub page such as https://github.com/owner/name/issues/1",
    );
  if (host === undefined || address.host === host) return address;
  throw refuseInput(
    id,
    from,
    `is an address on ${address.host}, but calls go to ${host}; pass an address there`,
  );
}

function withArticle(kind: PageKind): string {
  return `${kind === "issue" ? "an" : "a"} ${kind}`;
}

function unfit({ id, properties }: Reading, from: string, { kind }: Address): Error {
  const page = withArticle(kind);
  if (from === "commentId") {
    const end = Object.hasOwn(properties, "threadId") ? "#discussion_r" : "#issuecomment-";
    return refuseInput(id, from, `takes an address that ends in ${end} and a number`);
  }
  const wanted = (from === "issueUrl" ? SUBJECTS : PAGES[from])?.map(withArticle).join(" or ");
  if (wanted !== undefined) {
    return refuseInput(id, from, `takes the address of ${wanted}, not of ${page}`);
  }
  return refuseInput(
    id,
    from,
    `is the address of ${page}, which this capability has no input for; pass its inputs by name`,
  );
}

/**
 * The input that a URL is for: the one that contains it, or the first one that accepts its kind.
 */
function addressedRepository(
  { properties }: Reading,
  from: string,
  { kind }: Address,
): string | undefined {
  const names = Object.hasOwn(PAGES, from) ? [from] : Object.keys(PAGES);
  return names.find(
    (name) => Object.hasOwn(properties, name) && PAGES[name]?.includes(kind) === true,
  );
}

/** Whether the URL leads to the kind of object that its input needs. */
function isFit(
  { properties }: Reading,
  from: string,
  { kind, named = {} }: Address,
  place?: string,
  comment?: number,
): boolean {
  if (from === "commentId") return comment !== undefined;
  if (place !== undefined) return true;
  const isWhole = kind === "repository" || kind === "account";
  const isNamed = Object.keys(named).some((name) => Object.hasOwn(properties, name));
  return !Object.hasOwn(PAGES, from) && (comment !== undefined || isWhole || isNamed);
}

/** Reads the repository and the number from a URL in an input. */
export function spreadAddress(reading: Reading, from: string): boolean {
  const { written } = reading;
  const address = addressIn(reading, from);
  if (address === undefined) return false;
  const place = addressedRepository(reading, from, address);
  const comment = getComment(reading, address);
  if (!isFit(reading, from, address, place, comment)) throw unfit(reading, from, address);
  delete written[from];
  for (const owner of OWNERS) agree(reading, from, owner, address.owner);
  agree(reading, from, "name", address.name);
  if (place !== undefined) agree(reading, from, place, getSaid(place, address));
  agree(reading, from, "commentId", comment);
  spreadNames(reading, from, address);
  return true;
}

/** Reads a file, commit, release, label or branch from a URL. */
function spreadNames(reading: Reading, from: string, { named = {} }: Address): void {
  const { written, properties } = reading;
  for (const [name, value] of Object.entries(named)) agree(reading, from, name, value);
  const isList = Object.hasOwn(properties, "labels") && !Object.hasOwn(properties, "label");
  if (isList && named["label"] !== undefined) written["labels"] ??= [named["label"]];
}

function isProject(url: unknown): boolean {
  return typeof url === "string" && readAddress(url)?.kind === "project";
}

/** Reads two URLs, of a project and of an issue for it, as on a command line. */
export function readProjectUrl({ written, properties }: Reading): void {
  const { url: urls } = written;
  if (!Array.isArray(urls) || urls.length !== 2 || !Object.hasOwn(properties, "projectNumber"))
    return;
  const at = urls.findIndex(isProject);
  const other: unknown = urls[1 - at];
  if (at < 0 || isProject(other)) return;
  written["projectNumber"] ??= urls[at];
  written["url"] = other;
}

/** Converts an input that must be a URL to GitHub's form, without query and fragment. */
export function readIssueUrl(reading: Reading): void {
  const address = addressIn(reading, "issueUrl");
  if (address === undefined) return;
  const { host, owner, name, kind, number } = address;
  if (!SUBJECTS.includes(kind)) throw unfit(reading, "issueUrl", address);
  const folder = kind === "issue" ? "issues" : "pull";
  reading.written["issueUrl"] = `https://${host}/${owner}/${name}/${folder}/${number}`;
}
