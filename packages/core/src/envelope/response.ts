import type { ResultMeta } from "./result.ts";

/** The kinds of system that an answer can come from. */
export const RESPONSE_SOURCES = ["local", "http", "mcp", "cli"] as const;
/** The kind of system that an answer came from. */
export type ResponseSource = (typeof RESPONSE_SOURCES)[number];

export const CONFORMANCES = ["exact", "normalised", "violated"] as const;
/**
 * How the data compares with the output schema: it matches, it matches after edits, or it does not
 * match.
 */
export type Conformance = (typeof CONFORMANCES)[number];

/**
 * How a value was changed. `exact`: an integer that is too large for a number became a string of
 * its digits.
 */
export const EDITS = ["stripped", "defaulted", "decoded", "exact"] as const;

/** One value that normalisation changed. */
export interface Change {
  /** JSON pointer to the value. */
  readonly path: string;
  /** The kind of change. */
  readonly edit: (typeof EDITS)[number];
}

/** Metadata that the runtime adds to that of each source. */
export interface PipelineMeta {
  /** Whether the data matches its schema. Absent if nothing was checked. */
  conformance?: Conformance;
  /** Every edit that was made to the data. Absent if there was none. */
  changes?: readonly Change[];
  /** Warnings for a reader. Absent if there are none. */
  warnings?: readonly string[];
  /** Position in a subscription, counted from 0. Absent outside subscriptions. */
  sequence?: number;
  /**
   * The time on the upstream's clock when it answered, in milliseconds since the epoch. Absent
   * if it did not say.
   */
  serverDate?: number;
  /**
   * The upstream's cursor for the next page; null on the last page. Absent if the answer is not
   * a page.
   */
  nextCursor?: string | null;
}

/**
 * Metadata that a handler may add to its answer: how to continue, and which calls may help next.
 */
export type AnswerMeta = Partial<Pick<ResultMeta, "pagination" | "truncated" | "limits" | "next">>;

/** Facts about a call of a function in this process. */
export interface LocalResponseMeta extends PipelineMeta {
  /** Marks the answer of a function in this process. */
  source: "local";
  /** The operation that answered. */
  operationId: string;
  /** When the function answered, in milliseconds since the epoch. */
  timestamp: number;
  /**
   * Metadata from the handler, copied into the agent's envelope. Absent if the handler gave
   * none.
   */
  answer?: AnswerMeta;
}

/** Facts about the HTTP response. */
export interface HTTPResponseMeta extends PipelineMeta {
  /** Marks the answer of an HTTP server. */
  source: "http";
  /** The HTTP status. */
  statusCode: number;
  /** Headers by lower-case name, without cookies and credentials. */
  headers: Record<string, string>;
  /** The media type of the body; empty if the server named none. */
  contentType: string;
  /** The names of headers that the agent's envelope includes. Absent if there are none. */
  told?: readonly string[];
}

/** The audience and the importance of a content block. */
export interface MCPAnnotations {
  /** The audience of the block. Absent if the server does not say. */
  audience?: ("user" | "assistant")[];
  /** Importance from 0 to 1. Absent if the server does not say. */
  priority?: number;
  /** When the content was last changed, in ISO 8601. Absent if the server does not say. */
  lastModified?: string;
}

/** A resource inside a content block. */
export interface MCPResourceContent {
  /** The URI of the resource. */
  uri: string;
  /** The media type. Absent if the server does not say. */
  mimeType?: string;
  /** The content as text. Absent for bytes. */
  text?: string;
  /** The content as base64. Absent for text. */
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
      /** Size in bytes. */
      size?: number;
      /** Icons of the resource, as the server describes them. */
      icons?: Record<string, unknown>[];
      annotations?: MCPAnnotations;
      _meta?: Record<string, unknown>;
    };

/** Facts about the result of an MCP tool. */
export interface MCPResponseMeta extends PipelineMeta {
  /** Marks the answer of an MCP server. */
  source: "mcp";
  /** Whether the tool ran and reported its own failure. */
  isError: boolean;
  /** The content blocks of the result. */
  content: MCPContentBlock[];
  /** The result as JSON. Absent if the tool has none. */
  structuredContent?: unknown;
  /** Metadata of the server. Absent if there is none. */
  _meta?: Record<string, unknown>;
}

/** Facts about the program that was run. */
export interface CLIResponseMeta extends PipelineMeta {
  /** Marks the answer of a program. */
  source: "cli";
  /** The argument vector with secrets removed. */
  command: string[];
  /** The exit code of the program. */
  exitCode: number;
  /** Milliseconds that the program ran. */
  durationMs: number;
}

/** The system that an answer came from, with metadata of that kind of system. */
export type ResponseMeta = LocalResponseMeta | HTTPResponseMeta | MCPResponseMeta | CLIResponseMeta;

/** The answer of a source: the data and where it came from. */
export interface ResponseEnvelope<T = unknown> {
  /** The answer itself. */
  data: T;
  /** Where the data came from, and facts about the response. */
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
  answer?: AnswerMeta,
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
