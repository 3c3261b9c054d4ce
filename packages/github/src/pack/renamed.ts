import { isRecord } from "@waybill/core/schema";
import type { CardRequest, RouteAnswer } from "@waybill/core/cards";

/** How far below the answer the address of the thing itself is found. */
const MAX_DEPTH = 5;
/** The first items of a list name the repository as well as all of them do. */
const MAX_ITEMS = 3;

/** An address of the API, or of a page that only a repository has. */
const ADDRESSES = [
  /^https?:\/\/[^/]+(?:\/api\/v3)?\/repos\/([\w.-]+)\/([\w.-]+)(?:\/|$)/u,
  /^https?:\/\/[^/]+\/([\w.-]+)\/([\w.-]+)\/(?:issues|pull|releases|commit|tree|discussions|milestone|actions)\//u,
];
const URL_KEYS = ["repository_url", "url", "html_url"];
/** These keys may lead to another repository, such as the head of a pull request or the parent of a fork. */
const OTHERS = ["head", "headRepository", "parent", "source", "owner", "user", "author", "actor"];

function parseRepositoryUrl(url: unknown): string | undefined {
  if (typeof url !== "string") return undefined;
  const found = ADDRESSES.map((address) => address.exec(url)).find((match) => match !== null);
  return found && `${found[1]}/${found[2]}`;
}

/** The repository that an answer is about, by the first address in it. */
function repositoryIn(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value) && isRecord(value)) {
    const own = depth === 0 ? (value["full_name"] ?? value["nameWithOwner"]) : undefined;
    if (typeof own === "string") return own;
    for (const key of URL_KEYS) {
      const found = parseRepositoryUrl(value[key]);
      if (found !== undefined) return found;
    }
  }
  const inside: unknown[] = Array.isArray(value)
    ? value.slice(0, MAX_ITEMS)
    : Object.entries(value).flatMap(([key, inner]) => (OTHERS.includes(key) ? [] : [inner]));
  for (const inner of inside) {
    const found = repositoryIn(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The repository that a request names. */
function askedFor(request: CardRequest): string | undefined {
  if (request.kind === "rest") {
    const [, owner, name] = /^\/repos\/([\w.-]+)\/([\w.-]+)(?:\/|$)/u.exec(request.path) ?? [];
    return owner === undefined ? undefined : `${owner}/${name}`;
  }
  if (request.kind === "command") {
    const [thing, verb, ...words] = request.argv;
    if (thing !== "repo" || verb !== "view") return undefined;
    return words.find((word) => /^[\w.-]+\/[\w.-]+$/u.test(word));
  }
  const { owner, name } = request.variables;
  return typeof owner === "string" && typeof name === "string" ? `${owner}/${name}` : undefined;
}

/** The issue that a request reads. One that was transferred has another number in the answer. */
function issueNumberIn(request: CardRequest): number | undefined {
  if (request.kind !== "rest") return undefined;
  const [, number] = /^\/repos\/[^/]+\/[^/]+\/issues\/(\d+)$/u.exec(request.path) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Reads a repository, which says what it is called now. */
type ReadName = (path: string) => Promise<unknown>;

export function nameReader(ask: (request: CardRequest) => Promise<RouteAnswer>): ReadName {
  return async (path) => {
    const answer = await ask({ kind: "rest", method: "GET", path, query: [], headers: {} });
    return answer.response.data;
  };
}

async function askName(asked: string, readName: ReadName): Promise<string | undefined> {
  const data = await readName(`/repos/${asked}`).catch(() => undefined);
  return repositoryIn(data);
}

/** The answer to a write by REST may be about a fork or an issue elsewhere; a redirect is the sign. */
async function nameAfterWrite(
  asked: string,
  { upstreamRequests }: RouteAnswer,
  readName: ReadName,
): Promise<string | undefined> {
  return upstreamRequests > 1 ? askName(asked, readName) : undefined;
}

/**
 * GitHub follows an old name of a repository silently; who uses it should know the new one. This is
 * told for reads, for writes and for what a write looks up before.
 */
export async function renamed(
  request: CardRequest,
  answer: RouteAnswer,
  readName: ReadName,
): Promise<string[]> {
  const asked = askedFor(request);
  if (asked === undefined) return [];
  const { data } = answer.response;
  const about = isRecord(data) && isRecord(data["repository"]) ? data["repository"] : data;
  const isWrite = request.kind === "rest" && request.method !== "GET";
  const found = isWrite ? await nameAfterWrite(asked, answer, readName) : repositoryIn(about);
  if (found === undefined || found.toLowerCase() === asked.toLowerCase()) return [];
  const number = issueNumberIn(request);
  const isOther = isRecord(data) && number !== undefined && data["number"] !== number;
  if (isOther)
    return [`${asked}#${number} was transferred: it is ${found}#${String(data["number"])} now`];
  return [`${asked} was renamed: it is ${found} now`];
}
