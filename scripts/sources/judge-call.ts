import { compareRequests } from "../corpus/compare.ts";
import type { Comparison } from "../corpus/compare.ts";
import { UNEXPLAINED, reasonFor } from "../corpus/reasons.ts";
import type { Raw, RawOperation } from "../corpus/raw-operations.ts";
import type { Recorded } from "./recorder.ts";

/** Headers of the connection, and those that Waybill adds to each request. */
const ADDED =
  /^(?:host|connection|content-length|accept-encoding|accept-language|sec-fetch-mode|user-agent|accept|traceparent|transfer-encoding)$/u;

/** A credential of the test run. It is removed from a request before the request is compared. */
export const TOKEN = "outside:secret";
const ENCODED = Buffer.from(TOKEN).toString("base64");

function isCredential(value: string): boolean {
  return [TOKEN, encodeURIComponent(TOKEN), ENCODED].some((text) => value.includes(text));
}

function withoutCredentials(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const pairs = search.slice(1).split("&");
  const kept = pairs.filter((pair) => pair !== "" && !isCredential(pair));
  return `${origin}${pathname}${kept.length > 0 ? `?${kept.join("&")}` : ""}`;
}

/** A request as it was sent, converted to a form that can be compared. */
function readRecorded({ method, url, headers, body }: Recorded): Comparison["ours"] {
  const own = Object.entries(headers).filter(
    ([name, value]) => !ADDED.test(name) && !isCredential(value),
  );
  const bare = withoutCredentials(url);
  return {
    method,
    url: bare,
    path: new URL(bare).pathname,
    query: [],
    headers: Object.fromEntries(own),
    cookies: [],
    body: body.length > 0 ? new Uint8Array(body) : undefined,
  };
}

/** "same", or why `swagger-client` sends another request. */
export function compareRecorded(raw: RawOperation, input: Raw, recorded: Recorded): string {
  // The comparison uses a minimal OpenAPI 3 description, in which parameters have a schema.
  if (raw.parameters.some((parameter) => parameter["in"] === "body" || "type" in parameter))
    return "not compared: parameters of Swagger 2.0";
  const found = compareRequests(raw, input, readRecorded(recorded));
  if (found instanceof Error) return `swagger-client: ${found.message}`;
  if (found.differences.length === 0) return "same";
  const reason = reasonFor(found);
  if (reason !== UNEXPLAINED) return reason;
  const { ours, theirs, differences } = found;
  const body = Buffer.from(ours.body ?? "").toString("utf8");
  const both = `${ours.url} ${JSON.stringify(ours.headers)} ${body}, theirs ${JSON.stringify(theirs)}`;
  return `${UNEXPLAINED}: ${differences.join()} of ${both}`;
}
