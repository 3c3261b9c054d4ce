// Persisted documents: a request names a document by its id.
import { createHash } from "node:crypto";
import { isCallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { GraphqlRequest } from "@waybill/core/cards";
import type { HttpResponse } from "../http/index.ts";
import { readBody } from "./graphql-answer.ts";

/**
 * How a request names a persisted document. `apollo` sends a hash, and also the document if the
 * endpoint does not know it yet. `document-id` never sends the document.
 */
export const PERSISTED = ["apollo", "document-id"] as const;
export type Persisted = (typeof PERSISTED)[number];

export type Asked = Pick<GraphqlRequest, "operationName" | "document" | "variables" | "documentId">;

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The body of a request, with the id of its document or the document itself. */
export function requestBody(
  { operationName, document: query, variables, documentId }: Asked,
  persisted: Persisted | undefined,
): object {
  if (persisted === undefined) return { operationName, query, variables };
  if (persisted === "document-id") {
    return { documentId: documentId ?? `sha256:${hash(query)}`, operationName, variables };
  }
  const sha256Hash = documentId ?? hash(query);
  return { operationName, variables, extensions: { persistedQuery: { version: 1, sha256Hash } } };
}

const UNKNOWN_DOCUMENT =
  /PersistedQueryNot(?:Found|Supported)|PERSISTED_QUERY_NOT_(?:FOUND|SUPPORTED)/u;

/** Whether the endpoint does not know the document. Then nothing was run. */
function isUnknownDocument(response: HttpResponse): boolean {
  const { data, errors } = readBody(response);
  return !isRecord(data) && UNKNOWN_DOCUMENT.test(JSON.stringify(errors));
}

/** Whether an HTTP error says that the endpoint does not know the document. */
function isRefusal(error: unknown): boolean {
  if (!isCallError(error) || error.details.outcome !== "not_applied") return false;
  return UNKNOWN_DOCUMENT.test(JSON.stringify([error.message, error.details]));
}

/**
 * Sends the hash of a document, and then the document if the endpoint does not know it. Such an
 * endpoint has run nothing, so this is safe for a write.
 */
export async function sendHashFirst(
  asked: Asked,
  send: (body: object, isSecond: boolean) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const short = requestBody(asked, "apollo");
  try {
    const response = await send(short, false);
    if (!isUnknownDocument(response)) return response;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const response = await send({ query: asked.document, ...short }, true);
  return { ...response, requests: response.requests + 1 };
}
