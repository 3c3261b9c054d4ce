import type { CardRequest, RestRequest } from "@waybill/core/cards";
import { parseHttpOutput } from "./http-output.ts";
import type { ProgramResult } from "./run-program.ts";

/**
 * With GH_DEBUG, `gh` prints the requests that it sends; with GH_DEBUG=api, it also prints their
 * methods.
 */
export function sentRequests(stderr: string): (string | undefined)[] {
  const requests = stderr.matchAll(/^\* Request to [^\n]*\n(?:> ([A-Z]+) )?/gmu);
  return [...requests].map(([, method]) => method);
}

/**
 * If a write has no body, `gh` may repeat it at the new address, and only the printed method
 * shows that.
 */
export function debugLevel(request: CardRequest): "1" | "api" {
  return request.kind === "rest" && request.body === undefined ? "api" : "1";
}

/** Statuses that ask for the same request at the new address. */
const SAME_REQUEST: readonly number[] = [307, 308];

function parseLocation(location: string | undefined, host: string): URL | undefined {
  const base = `https://${host}`;
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  return url.host === host || url.host === `api.${host}` ? url : undefined;
}

/**
 * The request at its new address, such as a renamed repository. `gh` cannot repeat a request with a
 * body, because it has already read the body.
 */
export function movedRequest(
  request: CardRequest,
  { stdout }: ProgramResult,
  host: string,
): RestRequest | undefined {
  if (request.kind !== "rest") return undefined;
  const http = parseHttpOutput(stdout);
  if (http === undefined || !SAME_REQUEST.includes(http.status)) return undefined;
  const url = parseLocation(http.headers["location"], host);
  if (url === undefined) return undefined;
  const path = url.pathname.replace(/^\/api\/v3(?=\/)/u, "");
  return { ...request, path, query: [...url.searchParams] };
}
