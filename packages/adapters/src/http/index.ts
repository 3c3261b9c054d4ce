export { createHttpTransport } from "./create-transport.ts";
export type { HttpTransportOptions } from "./create-transport.ts";
export { documentCache } from "./document-cache.ts";
export type { DocumentCache, KeptDocument } from "./document-cache.ts";
export { EventParser } from "./event-stream.ts";
export type { StreamEvent } from "./event-stream.ts";
export { fetchDocument, remembered } from "./fetch-document.ts";
export type { FetchDocumentOptions, FetchedDocument } from "./fetch-document.ts";
export { keepFile } from "./keep-file.ts";
export { githubLimit, githubLimits, limitedTransport } from "./limited-transport.ts";
export { rememberLimits } from "./source-limits.ts";
export type { SourceLimits } from "./source-limits.ts";
export { nextCursor, nextUrl } from "./link.ts";
export { addressGuard } from "./reach.ts";
export type { AllowPrivate } from "./reach.ts";
export { cleanBytes, redactValues, secretHeaders } from "./redact.ts";
export { restRoute } from "./rest-route.ts";
export type { RestRouteOptions } from "./rest-route.ts";
export { alreadyNoted } from "./send-repeatable.ts";
export { sendSigned } from "./send-signed.ts";
export type { SignedRequest } from "./send-signed.ts";
export { streamSigned } from "./stream-signed.ts";
export { decodeText, isBinary, replacedBytesNote } from "./text.ts";
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
export { createSender, routeHeaders, shownHeaders, signWithToken } from "./web-route.ts";
export type { WebRouteOptions } from "./web-route.ts";
export { buildUrl, encodeQuery, expandPath, expandTemplate } from "./url.ts";
export type { Expand, QueryPair } from "./url.ts";
