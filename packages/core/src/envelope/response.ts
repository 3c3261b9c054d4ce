import type { ResultMeta } from "./result.ts";

export const RESPONSE_SOURCES = ["local", "http", "mcp", "cli"] as const;
export type ResponseSource = (typeof RESPONSE_SOURCES)[number];

export const CONFORMANCES = ["exact", "normalised", "violated"] as const;
/** How the data compares with the output schema: as it came, after edits, or not at all. */
export type Conformance = (typeof CONFORMANCES)[number];

/** `exact`: an integer that a number cannot hold became a text of its digits. */
export const EDITS = ["stripped", "defaulted", "decoded", "exact"] as const;

export interface Change {
  readonly path: string;
  readonly edit: (typeof EDITS)[number];
}

/** What the runtime adds to every source's own facts. */
export interface PipelineMeta {
  conformance?: Conformance;
  changes?: readonly Change[];
  warnings?: readonly string[];
  /** Position in a subscription, from 0. */
  sequence?: number;
  /** The upstream's clock when it answered, in milliseconds since the epoch. */
  serverDate?: number;
  /** Cursor of the next page in the upstream's own terms; null when this was the last. */
  nextCursor?: string | null;
}

/** What a handler may say of its own answer: how it goes on, and what to ask next. */
export type AnswerFacts = Partial<Pick<ResultMeta, "pagination" | "truncated" | "limits" | "next">>;

export interface LocalResponseMeta extends PipelineMeta {
  source: "local";
  operationId: string;
  timestamp: number;
  /** Taken over into the agent's envelope. */
  answer?: AnswerFacts;
}

export interface HTTPResponseMeta extends PipelineMeta {
  source: "http";
  statusCode: number;
  headers: Record<string, string>;
  contentType: string;
  /** The names of headers that the agent's envelope passes on. */
  told?: readonly string[];
}

export interface MCPAnnotations {
  audience?: ("user" | "assistant")[];
  priority?: number;
  lastModified?: string;
}

export interface MCPResourceContent {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

export type MCPContentBlock =
  | { type: "text"; text: string; annotations?: MCPAnnotations }
  | { type: "image"; data: string; mimeType: string; annotations?: MCPAnnotations }
  | { type: "audio"; data: string; mimeType: string; annotations?: MCPAnnotations }
  | { type: "resource"; resource: MCPResourceContent; annotations?: MCPAnnotations }
  | {
      type: "resource_link";
      uri: string;
      name: string;
      description?: string;
      mimeType?: string;
    };

export interface MCPResponseMeta extends PipelineMeta {
  source: "mcp";
  /** The tool ran and reported a failure of its own. */
  isError: boolean;
  content: MCPContentBlock[];
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
}

export interface CLIResponseMeta extends PipelineMeta {
  source: "cli";
  /** The argument vector with secrets taken out. */
  command: string[];
  exitCode: number;
  durationMs: number;
}

export type ResponseMeta = LocalResponseMeta | HTTPResponseMeta | MCPResponseMeta | CLIResponseMeta;

/** The transport's answer: the data and where it came from. */
export interface ResponseEnvelope<T = unknown> {
  data: T;
  meta: ResponseMeta;
}

export function localEnvelope<T>(
  data: T,
  operationId: string,
  answer?: AnswerFacts,
): ResponseEnvelope<T> {
  const meta: LocalResponseMeta = { source: "local", operationId, timestamp: Date.now() };
  if (answer !== undefined) meta.answer = answer;
  return { data, meta };
}

const SECRET_HEADERS = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "set-cookie",
  "set-cookie2",
]);

export function httpEnvelope<T>(
  data: T,
  meta: Omit<HTTPResponseMeta, "source">,
): ResponseEnvelope<T> {
  const headers = Object.fromEntries(
    Object.entries(meta.headers).filter(([name]) => !SECRET_HEADERS.has(name.toLowerCase())),
  );
  return { data, meta: { ...meta, source: "http", headers } };
}

export function mcpEnvelope<T>(
  data: T,
  meta: Omit<MCPResponseMeta, "source">,
): ResponseEnvelope<T> {
  return { data, meta: { ...meta, source: "mcp" } };
}

export function cliEnvelope<T>(
  data: T,
  meta: Omit<CLIResponseMeta, "source">,
): ResponseEnvelope<T> {
  return { data, meta: { ...meta, source: "cli" } };
}

export function unwrap<T>(envelope: ResponseEnvelope<T>): T {
  return envelope.data;
}
