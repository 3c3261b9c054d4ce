import { isRecord } from "@waybill/core/schema";
import type { RouteAnswer } from "@waybill/core/cards";

export function headerIn({ response, headers }: RouteAnswer, name: string): string | undefined {
  const { meta } = response;
  const value = (headers ?? (meta.source === "http" ? meta.headers : {}))[name];
  return typeof value === "string" ? value : undefined;
}

/** "partial-results; organizations=21955855,20582480": their members only see it after SSO. */
function hiddenBySso(answer: RouteAnswer): string[] {
  const header = headerIn(answer, "x-github-sso") ?? "";
  if (!header.startsWith("partial-results")) return [];
  const ids = /organizations=([\d,]+)/.exec(header)?.[1] ?? "";
  const which = ids === "" ? "some organizations" : `the organizations ${ids}`;
  return [
    `Results of ${which} are left out: authorize the token for SSO at https://github.com/settings/tokens`,
  ];
}

function cutSearch({ response: { data } }: RouteAnswer): string[] {
  const isCut = isRecord(data) && data["incomplete_results"] === true;
  return isCut ? ["GitHub's search timed out: results are missing. Use a narrower query"] : [];
}

/** Where GitHub answered with less than there is, and says so beside the data. */
export function incompleteness(answer: RouteAnswer): string[] {
  return [...hiddenBySso(answer), ...cutSearch(answer)];
}
