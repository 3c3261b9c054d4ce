export { createHttpTransport } from "./create-transport.ts";
export type { HttpTransportOptions } from "./create-transport.ts";
export { documentCache } from "./document-cache.ts";
export type { DocumentCache, KeptDocument } from "./document-cache.ts";
export { fetchDocument, remembered } from "./fetch-document.ts";
export type { FetchDocumentOptions, FetchedDocument } from "./fetch-document.ts";
export { keepFile } from "./keep-file.ts";
export { nextCursor, nextUrl } from "./link.ts";
export { publicAddresses } from "./public-addresses.ts";
export { redactValues, withoutSecret } from "./redact.ts";
export { restRoute } from "./rest-route.ts";
export type { RestRouteOptions } from "./rest-route.ts";
export { sendRepeatable } from "./send-repeatable.ts";
export { readToken } from "./token.ts";
export type { TokenSource } from "./token.ts";
export type {
  HttpAttempt,
  HttpLimits,
  HttpRequest,
  HttpResponse,
  HttpStream,
  HttpTransport,
  Phase,
} from "./transport.ts";
export { routeHeaders, sendFrom, shownHeaders } from "./web-route.ts";
export type { WebRouteOptions } from "./web-route.ts";
export { buildUrl, encodeQuery, expandPath, expandTemplate } from "./url.ts";
export type { Expand, QueryPair } from "./url.ts";
