import { isRecord } from "@waybill/core/schema";
import type { CardRequest, RouteAnswer } from "@waybill/core/cards";

/** How far below the answer the address of the thing itself is found. */
const MAX_DEPTH = 5;
/** Of a list the first things say it as well as all of them. */
const MAX_ITEMS = 3;

/** An address of the API, or of a page that only a repository has. */
const ADDRESSES = [
  /^https?:\/\/[^/]+(?:\/api\/v3)?\/repos\/([\w.-]+)\/([\w.-]+)(?:\/|$)/u,
  /^https?:\/\/[^/]+\/([\w.-]+)\/([\w.-]+)\/(?:issues|pull|releases|commit|tree|discussions|milestone|actions)\//u,
];
const URL_KEYS = ["repository_url", "url", "html_url"];
/** What is of another repository: where a pull request comes from, what a fork is a fork of. */
const OTHERS = ["head", "headRepository", "parent", "source", "owner", "user", "author", "actor"];

function repositoryOf(url: unknown): string | undefined {
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
      const found = repositoryOf(value[key]);
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
  if (request.kind !== "graphql") return undefined;
  const { owner, name } = request.variables;
  return typeof owner === "string" && typeof name === "string" ? `${owner}/${name}` : undefined;
}

/** GitHub answers for an old name of a repository without a word; who asks should use the new one. */
export function renamed(request: CardRequest, { response: { data } }: RouteAnswer): string[] {
  const asked = askedFor(request);
  if (asked === undefined) return [];
  const about = isRecord(data) && isRecord(data["repository"]) ? data["repository"] : data;
  const found = repositoryIn(about);
  if (found === undefined || found.toLowerCase() === asked.toLowerCase()) return [];
  return [`${asked} was renamed: it is ${found} now`];
}
