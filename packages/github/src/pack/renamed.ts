import { isRecord } from "@waybill/core/schema";
import type { CardRequest, RouteAnswer } from "@waybill/core/cards";

/** How deep the URL of the object may be in the answer. */
const MAX_DEPTH = 5;
/** The most items of a list to look at. All items are from the same repository. */
const MAX_ITEMS = 3;

/** Matches URLs of the API, and URLs of pages that only repositories have. */
const ADDRESSES = [
  /^https?:\/\/[^/]+(?:\/api\/v3)?\/repos\/([\w.-]+)\/([\w.-]+)(?:\/|$)/u,
  /^https?:\/\/[^/]+\/([\w.-]+)\/([\w.-]+)\/(?:issues|pull|releases|commit|tree|discussions|milestone|actions)\//u,
];
const URL_KEYS = ["repository_url", "url", "html_url"];
/**
 * Members that may refer to another repository, such as the head of a pull request or the parent of
 * a fork.
 */
const OTHERS = ["head", "headRepository", "parent", "source", "owner", "user", "author", "actor"];

function parseRepositoryUrl(url: unknown): string | undefined {
  if (typeof url !== "string") return undefined;
  const found = ADDRESSES.map((address) => address.exec(url)).find((match) => match !== null);
  return found && `${found[1]}/${found[2]}`;
}

/** The repository of an answer, from the first URL in it. */
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

/**
 * The number of the issue that a request reads. A transferred issue has another number in the
 * answer.
 */
function issueNumberIn(request: CardRequest): number | undefined {
  if (request.kind !== "rest") return undefined;
  const [, number] = /^\/repos\/[^/]+\/[^/]+\/issues\/(\d+)$/u.exec(request.path) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Reads a repository, to get its current name. */
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

/**
 * The answer to a REST write may be about a fork or another repository's issue, so only a redirect
 * counts as a rename.
 */
async function nameAfterWrite(
  asked: string,
  { upstreamRequests }: RouteAnswer,
  readName: ReadName,
): Promise<string | undefined> {
  return upstreamRequests > 1 ? askName(asked, readName) : undefined;
}

/**
 * Warns if a repository was renamed, because GitHub follows old names silently. Covers reads,
 * writes and the lookups before a write.
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
