import { isRecord } from "@waybill/core/schema";
import type { RouteAnswer } from "@waybill/core/cards";

export function headerIn({ response, headers }: RouteAnswer, name: string): string | undefined {
  const { meta } = response;
  const value = (headers ?? (meta.source === "http" ? meta.headers : {}))[name];
  return typeof value === "string" ? value : undefined;
}

/** The ids in "partial-results; organizations=21955855,20582480". Their results need SSO. */
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

/** A tree of more than 100,000 entries, by REST. */
function cutTree(data: unknown): string[] {
  const isCut = isRecord(data) && Array.isArray(data["tree"]) && data["truncated"] === true;
  return isCut ? ["GitHub cut the list of files. List one folder at a time"] : [];
}

/** A file of more than 512 kB, by GraphQL. */
function cutText({ response: { data } }: RouteAnswer): string[] {
  const repository = isRecord(data) ? data["repository"] : undefined;
  const object = isRecord(repository) ? repository["object"] : undefined;
  const isCut = isRecord(object) && object["isTruncated"] === true;
  return isCut ? ["GitHub cut the text of this file: use the rest route to read all of it"] : [];
}

/** A warning for each part that GitHub left out of an answer of its REST API. */
export function missingParts(
  data: unknown,
  headers: Readonly<Record<string, string | undefined>>,
): string[] {
  return [...hiddenBySso(headers["x-github-sso"]), ...cutSearch(data), ...cutTree(data)];
}

/** A warning for each part that GitHub left out of an answer, on any route. */
export function incompleteness(answer: RouteAnswer): string[] {
  const headers = { "x-github-sso": headerIn(answer, "x-github-sso") };
  return [...missingParts(answer.response.data, headers), ...cutText(answer)];
}
