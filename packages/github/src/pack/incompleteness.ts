import { isRecord } from "@waybill/core/schema";
import type { CardRequest, RouteAnswer } from "@waybill/core/cards";

export function headerIn({ response, headers }: RouteAnswer, name: string): string | undefined {
  const { meta } = response;
  const value = (headers ?? (meta.source === "http" ? meta.headers : {}))[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * Reads the ids in "partial-results; organizations=21955855,20582480". Results of these
 * organizations need SSO.
 */
function hiddenBySso(header = ""): string[] {
  if (!header.startsWith("partial-results")) return [];
  const ids = /organizations=([\d,]+)/.exec(header)?.[1] ?? "";
  const which = ids === "" ? "some organizations" : `the organizations ${ids}`;
  return [
    `Results of ${which} are left out: authorize the token for SSO at https://github.com/settings/tokens`,
  ];
}

function cutSearch(data: unknown): string[] {
  const isCut = isRecord(data) && data["incomplete_results"] === true;
  return isCut ? ["GitHub's search timed out: results are missing. Use a narrower query"] : [];
}

/** Whether REST cut off a tree, which happens above 100,000 entries. */
function cutTree(data: unknown): string[] {
  const isCut = isRecord(data) && Array.isArray(data["tree"]) && data["truncated"] === true;
  return isCut ? ["GitHub cut the list of files. List one folder at a time"] : [];
}

/** Whether an object anywhere in the answer has this member with the value true. */
function isAnywhere(data: unknown, name: string): boolean {
  if (Array.isArray(data)) return data.some((each) => isAnywhere(each, name));
  if (!isRecord(data)) return false;
  return data[name] === true || Object.values(data).some((each) => isAnywhere(each, name));
}

/**
 * Whether GraphQL cut off a file, which happens above 512 kB. Most documents do not request files.
 */
function cutText({ response: { data } }: RouteAnswer, request: CardRequest): string[] {
  const mayBeCut = request.kind === "graphql" && request.document.includes("isTruncated");
  const isCut = mayBeCut && isAnywhere(data, "isTruncated");
  return isCut
    ? ["GitHub cut the text of a file. To read all of it, call file.view by the rest route"]
    : [];
}

/** A warning for each part that GitHub left out of an answer of its REST API. */
export function missingParts(
  data: unknown,
  headers: Readonly<Record<string, string | undefined>>,
): string[] {
  return [...hiddenBySso(headers["x-github-sso"]), ...cutSearch(data), ...cutTree(data)];
}

/** A warning for each part that GitHub left out of an answer, on any route. */
export function incompleteness(answer: RouteAnswer, request: CardRequest): string[] {
  const headers = { "x-github-sso": headerIn(answer, "x-github-sso") };
  return [...missingParts(answer.response.data, headers), ...cutText(answer, request)];
}
