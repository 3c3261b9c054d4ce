import { isRecord } from "@waybill/core";
import type { RouteAnswer } from "@waybill/core";

function headersOf({ response, headers }: RouteAnswer): Readonly<Record<string, unknown>> {
  const { meta } = response;
  return headers ?? (meta.source === "http" ? meta.headers : {});
}

/** "partial-results; organizations=21955855,20582480": their members only see it after SSO. */
function hiddenBySso(answer: RouteAnswer): string[] {
  const header = headersOf(answer)["x-github-sso"];
  if (typeof header !== "string" || !header.startsWith("partial-results")) return [];
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
