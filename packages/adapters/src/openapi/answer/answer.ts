import { fail, httpEnvelope, isCallError } from "@waybill/core";
import { exactIntegersMeta, parseExactJson } from "@waybill/core/schema";
import type { HandleStore, ResponseEnvelope } from "@waybill/core";
import type { RouteAnswer } from "@waybill/core/cards";
import type { ExactJson } from "@waybill/core/schema";
import { decodeText, isBinary, keepFile, replacedBytesNote } from "../../http/index.ts";
import type { HttpResponse } from "../../http/index.ts";
import { bodyKind } from "../operation/media-types.ts";
import { nextPage } from "./next-page.ts";
import type { Paging } from "./paging.ts";

/** Returns warnings for the reader of an answer. Usually there are none. */
export type WarningsFor = (response: HttpResponse, data: unknown) => readonly string[];

export interface AnswerContext {
  readonly id: string;
  readonly store: HandleStore | undefined;
  readonly paging: Paging | undefined;
  /** The encoded query, without credentials. */
  readonly query: readonly string[];
  /** Whether the API accepts the ETag of an earlier answer. */
  readonly takesEtag: boolean;
  readonly warningsFor: WarningsFor | undefined;
}

interface Decoded extends Pick<ResponseEnvelope["meta"], "changes"> {
  readonly data: unknown;
  readonly warnings?: readonly string[];
}

function unreadableDetails({ status }: HttpResponse) {
  return { status, phase: "answered", outcome: "applied", final: true } as const;
}

/**
 * Marks the error as final. The request is not sent again, because it would get the same answer.
 */
function unreadableAnswer(response: HttpResponse, message: string): Error {
  return fail("SERVER", message, unreadableDetails(response));
}

function decodeBody({ body, headers }: HttpResponse): string {
  return decodeText(body, headers["content-type"]);
}

function parseJsonText(response: HttpResponse): ExactJson | undefined {
  try {
    return parseExactJson(decodeBody(response));
  } catch (error) {
    if (isCallError(error)) throw error.with(unreadableDetails(response));
    return undefined;
  }
}

function exactly({ value, integers }: ExactJson, { body, headers }: HttpResponse): Decoded {
  const { warnings = [], ...exact } = exactIntegersMeta(integers);
  const notes = replacedBytesNote(body, headers["content-type"]);
  return { data: value, ...exact, warnings: [...warnings, ...notes] };
}

function decodeJson(response: HttpResponse): Decoded {
  const json = parseJsonText(response);
  if (json !== undefined) return exactly(json, response);
  const { status } = response;
  throw unreadableAnswer(
    response,
    `The upstream answered ${status} with invalid JSON. Ask the owner of the API to correct it`,
  );
}

/** The character before each value of a JSON sequence (RFC 7464). */
const SEPARATOR = "\u001E";

/** Parses one JSON value per line as a list. An error for an invalid line has the line number. */
function readJsonLines(response: HttpResponse): Decoded {
  const lines = decodeBody(response).replaceAll(SEPARATOR, "\n").split("\n");
  const values: unknown[] = [];
  const integers: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      const json = parseExactJson(line);
      integers.push(...json.integers.map((path) => `/${values.length}${path}`));
      values.push(json.value);
    } catch {
      const message = `The upstream answered with lines of JSON, but line ${index + 1} is not JSON. Ask the owner of the API to correct it`;
      throw unreadableAnswer(response, message);
    }
  }
  return exactly({ value: values, integers }, response);
}

async function readText(response: HttpResponse, context: AnswerContext): Promise<Decoded> {
  const { body, headers } = response;
  const type = headers["content-type"];
  if (!isBinary(body, type)) return { data: decodeBody(response) };
  const { data, warnings } = await keepFile(body, headers, context.store, context.id);
  const note = `The upstream declares the answer as ${type}, but it is binary, so it is stored as a file`;
  return { data, warnings: [note, ...warnings] };
}

async function decode(response: HttpResponse, context: AnswerContext): Promise<Decoded> {
  const { body, headers } = response;
  const mediaType = headers["content-type"];
  if (body.length === 0) return { data: null };
  // An answer without a media type is JSON if it can be parsed, and otherwise bytes.
  const json = mediaType === undefined ? parseJsonText(response) : undefined;
  if (json !== undefined) return exactly(json, response);
  switch (mediaType === undefined ? "binary" : bodyKind(mediaType)) {
    case "json":
      return decodeJson(response);
    case "lines":
      return readJsonLines(response);
    case "text":
    case "form":
    case "events":
      return readText(response, context);
    default:
      return keepFile(body, headers, context.store, context.id);
  }
}

/** An accepted request may not be finished yet. Its location header says where to look. */
function acceptedNote({ status, headers, url }: HttpResponse): string[] {
  if (status !== 202) return [];
  const { location, "operation-location": operation, "retry-after": wait } = headers;
  const place = location ?? operation ?? headers["azure-asyncoperation"];
  const where =
    place === undefined || !URL.canParse(place, url) ? "" : ` Look at ${new URL(place, url).href}`;
  const after = wait === undefined || where === "" ? "" : ` after ${wait} s`;
  return [`The request was accepted (202) and may not be finished.${where}${after}`];
}

/** Passes on only useful headers, because headers cost tokens. */
function reportedHeaders(
  { status, headers }: HttpResponse,
  { takesEtag }: AnswerContext,
  isPaged: boolean,
): string[] {
  const wanted = ["location", "content-location", "operation-location", "retry-after"];
  if (takesEtag || status === 201) wanted.push("etag");
  if (!isPaged) wanted.push("link");
  return wanted.filter((name) => headers[name] !== undefined);
}

/** Reads a successful response by its real content, even if that differs from the description. */
export async function routeAnswer(
  response: HttpResponse,
  context: AnswerContext,
): Promise<RouteAnswer> {
  const { data, warnings = [], changes } = await decode(response, context);
  const { status: statusCode, headers, rateLimitRemaining, serverDate } = response;
  const contentType = headers["content-type"] ?? "";
  const envelope = httpEnvelope(data, { statusCode, headers: { ...headers }, contentType });
  const page = { data, headers, query: context.query };
  const nextCursor = context.paging && nextPage(context.paging, page);
  const own = context.warningsFor?.(response, data) ?? [];
  const said = [...warnings, ...acceptedNote(response), ...own];
  const told = reportedHeaders(response, context, nextCursor !== undefined);
  const facts = {
    ...(said.length > 0 && { warnings: said }),
    ...(changes && { changes }),
    ...(told.length > 0 && { told }),
  };
  return {
    response: { data, meta: { ...envelope.meta, ...facts } },
    upstreamRequests: response.requests,
    rawBytes: response.body.length,
    ...(rateLimitRemaining !== undefined && { rateLimitRemaining }),
    ...(serverDate !== undefined && { serverDate }),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
