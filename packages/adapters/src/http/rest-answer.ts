import { fail, httpEnvelope } from "@waybill/core";
import { exactIntegersMeta } from "@waybill/core/schema";
import type { RouteAnswer } from "@waybill/core/cards";
import type { ExactJson } from "@waybill/core/schema";
import { parseJson } from "./body.ts";
import { nextCursor } from "./link.ts";
import { replacedBytesNote } from "./text.ts";
import type { HttpResponse } from "./transport.ts";

/**
 * Whether a body may come from another server on the way, such as a sign-in page. Any other body
 * is the upstream's own answer.
 */
function garbage({ status }: HttpResponse, isPage: boolean): Error {
  const what = isPage ? "a web page" : "something that is not JSON";
  return fail(
    "SERVER",
    `The upstream answered ${status} with ${what}. Check the address of the source`,
    {
      status,
      phase: "answered",
      ...(isPage ? { outcome: "unknown" } : { outcome: "applied", final: true }),
    },
  );
}

function plainJson(value: unknown): ExactJson {
  return { value, integers: [] };
}

/**
 * Reads the value of a 2xx body: null if it is empty, text if text was requested, otherwise
 * JSON.
 */
function responseValue(response: HttpResponse, accept: string): ExactJson {
  if (response.body.length === 0) return plainJson(null);
  const type = response.headers["content-type"] ?? "";
  const isPage = /\bhtml\b/iu.test(type) && !/\bhtml\b/iu.test(accept);
  if (isPage) throw garbage(response, true);
  const isTextWanted =
    accept !== "" && (/\btext\//iu.test(accept) || !/json|\*\/\*/iu.test(accept));
  if (!/[/+]json\b/iu.test(type) && isTextWanted) {
    return plainJson(new TextDecoder().decode(response.body));
  }
  const json = parseJson(response.body);
  if (json === undefined) throw garbage(response, false);
  return json;
}

/** A list without a `Link` header is the last page. */
function findCursor(data: unknown, link: string | undefined): string | null | undefined {
  return nextCursor(link) ?? (link !== undefined || Array.isArray(data) ? null : undefined);
}

export function restAnswer(response: HttpResponse, accept: string): RouteAnswer {
  const { value: data, integers } = responseValue(response, accept);
  const { status: statusCode, headers, rateLimitRemaining, serverDate } = response;
  const cursor = findCursor(data, headers["link"]);
  const contentType = headers["content-type"] ?? "";
  const { meta } = httpEnvelope(data, { statusCode, headers: { ...headers }, contentType });
  const exact = exactIntegersMeta(integers);
  const warnings = [...(exact.warnings ?? []), ...replacedBytesNote(response.body, contentType)];
  const facts = { ...exact, ...(warnings.length > 0 && { warnings }) };
  return {
    response: { data, meta: { ...meta, ...facts } },
    upstreamRequests: response.requests,
    rawBytes: response.body.length,
    ...(rateLimitRemaining !== undefined && { rateLimitRemaining }),
    ...(serverDate !== undefined && { serverDate }),
    ...(cursor !== undefined && { nextCursor: cursor }),
  };
}
