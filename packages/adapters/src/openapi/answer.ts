import { fail, httpEnvelope } from "@waybill/core";
import { exactIntegersMeta, parseExactJson } from "@waybill/core/schema";
import type { HandleStore, ResponseEnvelope } from "@waybill/core";
import type { RouteAnswer } from "@waybill/core/cards";
import type { ExactJson } from "@waybill/core/schema";
import { keepFile } from "../http/index.ts";
import type { HttpResponse } from "../http/index.ts";
import { kindOf } from "./media-types.ts";
import { nextPage } from "./paging.ts";
import type { Paging } from "./paging.ts";

export interface AnswerContext {
  readonly id: string;
  readonly store: HandleStore | undefined;
  readonly paging: Paging | undefined;
  /** What was asked, encoded, without credentials. */
  readonly query: readonly string[];
  /** Said with every answer. */
  readonly warning: string | undefined;
}

interface Decoded extends Pick<ResponseEnvelope["meta"], "changes"> {
  readonly data: unknown;
  readonly warnings?: readonly string[];
}

function garbage({ status }: HttpResponse): Error {
  return fail("SERVER", `The upstream answered ${status} with JSON that cannot be read`, {
    status,
    phase: "answered",
    outcome: "applied",
  });
}

/** The charset that the answer names, where it is one that can be read. */
function textOf({ body, headers }: HttpResponse): string {
  const charset = /charset="?([\w-]+)/iu.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function parsed(response: HttpResponse): ExactJson | undefined {
  try {
    return parseExactJson(textOf(response));
  } catch {
    return undefined;
  }
}

function exactly({ value, integers }: ExactJson): Decoded {
  return { data: value, ...exactIntegersMeta(integers) };
}

function jsonOf(response: HttpResponse): Decoded {
  const json = parsed(response);
  if (json === undefined) throw garbage(response);
  return exactly(json);
}

async function decode(response: HttpResponse, context: AnswerContext): Promise<Decoded> {
  const { body, headers } = response;
  const mediaType = headers["content-type"];
  if (body.length === 0) return { data: null };
  // An answer without a type is JSON if it reads as such, and otherwise bytes.
  const json = mediaType === undefined ? parsed(response) : undefined;
  if (json !== undefined) return exactly(json);
  switch (mediaType === undefined ? "binary" : kindOf(mediaType)) {
    case "json":
      return jsonOf(response);
    case "text":
    case "form":
    case "events":
      return { data: textOf(response) };
    default:
      return keepFile(body, headers, context.store, context.id);
  }
}

/** A success as it really came, whatever the description promised. */
export async function routeAnswer(
  response: HttpResponse,
  context: AnswerContext,
): Promise<RouteAnswer> {
  const { data, warnings = [], changes } = await decode(response, context);
  const { status: statusCode, headers, rateLimitRemaining, serverDate } = response;
  const contentType = headers["content-type"] ?? "";
  const envelope = httpEnvelope(data, { statusCode, headers: { ...headers }, contentType });
  const page = { data, link: headers["link"], query: context.query };
  const nextCursor = context.paging && nextPage(context.paging, page);
  const said = context.warning === undefined ? warnings : [...warnings, context.warning];
  const facts = { ...(said.length > 0 && { warnings: said }), ...(changes && { changes }) };
  return {
    response: { data, meta: { ...envelope.meta, ...facts } },
    upstreamRequests: response.requests,
    rawBytes: response.body.length,
    ...(rateLimitRemaining !== undefined && { rateLimitRemaining }),
    ...(serverDate !== undefined && { serverDate }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
