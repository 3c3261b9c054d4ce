import type { ResultMeta } from "./result.ts";

/** The kinds of system that an answer can come from. */
export const RESPONSE_SOURCES = ["local", "http", "mcp", "cli"] as const;
/** The kind of system that an answer came from. */
export type ResponseSource = (typeof RESPONSE_SOURCES)[number];

export const CONFORMANCES = ["exact", "normalised", "violated"] as const;
/** How the data compares with the output schema: as it came, after edits, or not at all. */
export type Conformance = (typeof CONFORMANCES)[number];

/** `exact`: an integer that a number cannot hold became a text of its digits. */
export const EDITS = ["stripped", "defaulted", "decoded", "exact"] as const;

/** One value that normalisation changed. */
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

/** Facts about a call of a function in this process. */
export interface LocalResponseMeta extends PipelineMeta {
  source: "local";
  operationId: string;
  timestamp: number;
  /** Taken over into the agent's envelope. */
  answer?: AnswerFacts;
}

/** Facts about the HTTP response. */
export interface HTTPResponseMeta extends PipelineMeta {
  source: "http";
  statusCode: number;
  headers: Record<string, string>;
  contentType: string;
  /** The names of headers that the agent's envelope passes on. */
  told?: readonly string[];
}

/** For whom a content block is, and how important it is. */
export interface MCPAnnotations {
  audience?: ("user" | "assistant")[];
  priority?: number;
  lastModified?: string;
}

/** A resource inside a content block. */
export interface MCPResourceContent {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

/** One part of the result of an MCP tool. */
export type MCPContentBlock =
  | { type: "text"; text: string; annotations?: MCPAnnotations }
  | { type: "image"; data: string; mimeType: string; annotations?: MCPAnnotations }
  | { type: "audio"; data: string; mimeType: string; annotations?: MCPAnnotations }
  | { type: "resource"; resource: MCPResourceContent; annotations?: MCPAnnotations }
  | {
      type: "resource_link";
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
      /** In bytes. */
      size?: number;
      annotations?: MCPAnnotations;
    };

/** Facts about the result of an MCP tool. */
export interface MCPResponseMeta extends PipelineMeta {
  source: "mcp";
  /** The tool ran and reported a failure of its own. */
  isError: boolean;
  content: MCPContentBlock[];
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
}

/** Facts about the program that was run. */
export interface CLIResponseMeta extends PipelineMeta {
  source: "cli";
  /** The argument vector with secrets taken out. */
  command: string[];
  exitCode: number;
  durationMs: number;
}

/** Where an answer came from, and facts that only that kind of system has. */
export type ResponseMeta = LocalResponseMeta | HTTPResponseMeta | MCPResponseMeta | CLIResponseMeta;

/** The transport's answer: the data and where it came from. */
export interface ResponseEnvelope<T = unknown> {
  data: T;
  meta: ResponseMeta;
}

/**
 * Wraps the result of a function in this process.
 *
 * @example
 * ```ts
 * import { localEnvelope } from "@waybill/core";
 *
 * console.log(localEnvelope({ sum: 3 }, "math.add").meta.source);
 * ```
 *
 * ```text
 * local
 * ```
 */
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

/**
 * Wraps the body of an HTTP response.
 *
 * @example
 * ```ts
 * import { httpEnvelope } from "@waybill/core";
 *
 * const meta = { statusCode: 200, headers: {}, contentType: "application/json" };
 * console.log(httpEnvelope({ id: 7 }, meta).data);
 * ```
 *
 * ```text
 * { id: 7 }
 * ```
 */
export function httpEnvelope<T>(
  data: T,
  meta: Omit<HTTPResponseMeta, "source">,
): ResponseEnvelope<T> {
  const headers = Object.fromEntries(
    Object.entries(meta.headers).filter(([name]) => !SECRET_HEADERS.has(name.toLowerCase())),
  );
  return { data, meta: { ...meta, source: "http", headers } };
}

/** Wraps the result of an MCP tool. */
export function mcpEnvelope<T>(
  data: T,
  meta: Omit<MCPResponseMeta, "source">,
): ResponseEnvelope<T> {
  return { data, meta: { ...meta, source: "mcp" } };
}

/**
 * Wraps the output of a program.
 *
 * @example
 * ```ts
 * import { cliEnvelope } from "@waybill/core";
 *
 * const meta = { command: ["node", "--version"], exitCode: 0, stderr: "", durationMs: 12 };
 * console.log(cliEnvelope("v22.1.0", meta).meta.source);
 * ```
 *
 * ```text
 * cli
 * ```
 */
export function cliEnvelope<T>(
  data: T,
  meta: Omit<CLIResponseMeta, "source">,
): ResponseEnvelope<T> {
  return { data, meta: { ...meta, source: "cli" } };
}

/**
 * Returns the data of an envelope.
 *
 * @example
 * ```ts
 * import { localEnvelope, unwrap } from "@waybill/core";
 *
 * console.log(unwrap(localEnvelope({ sum: 3 }, "math.add")));
 * ```
 *
 * ```text
 * { sum: 3 }
 * ```
 */
export function unwrap<T>(envelope: ResponseEnvelope<T>): T {
  return envelope.data;
}
