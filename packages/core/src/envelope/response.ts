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
  /** JSON pointer to the value. */
  readonly path: string;
  /** The kind of change. */
  readonly edit: (typeof EDITS)[number];
}

/** The facts that the runtime adds to those of every source. */
export interface PipelineMeta {
  /** Whether the data fits its schema. Absent if nothing was checked. */
  conformance?: Conformance;
  /** Every edit that was made to the data. Absent if there was none. */
  changes?: readonly Change[];
  /** Notices for a reader. Absent if there is nothing. */
  warnings?: readonly string[];
  /** Position in a subscription, from 0. Absent outside subscriptions. */
  sequence?: number;
  /**
   * The upstream's clock when it answered, in milliseconds since the epoch. Absent if it did not
   * say.
   */
  serverDate?: number;
  /**
   * Cursor of the next page in the upstream's own terms; null when this was the last. Absent if the
   * answer is no page.
   */
  nextCursor?: string | null;
}

/** Facts that a handler may add to its own answer: how to continue, and what to ask next. */
export type AnswerMeta = Partial<Pick<ResultMeta, "pagination" | "truncated" | "limits" | "next">>;

/** Facts about a call of a function in this process. */
export interface LocalResponseMeta extends PipelineMeta {
  /** Marks the answer of a function in this process. */
  source: "local";
  /** The operation that answered. */
  operationId: string;
  /** When it answered, in milliseconds since the epoch. */
  timestamp: number;
  /** Taken over into the agent's envelope. Absent if the handler said nothing of this. */
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
  /** The names of headers that the agent's envelope passes on. Absent if it passes on none. */
  told?: readonly string[];
}

/** For whom a content block is, and how important it is. */
export interface MCPAnnotations {
  /** For whom the block is. Absent if the server does not say. */
  audience?: ("user" | "assistant")[];
  /** Importance from 0 to 1. Absent if the server does not say. */
  priority?: number;
  /** When the content changed last, in ISO 8601. Absent if the server does not say. */
  lastModified?: string;
}

/** A resource inside a content block. */
export interface MCPResourceContent {
  /** The address of the resource. */
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
      /** In bytes. */
      size?: number;
      /** Pictures of the resource, as the server describes them. */
      icons?: Record<string, unknown>[];
      annotations?: MCPAnnotations;
      _meta?: Record<string, unknown>;
    };

/** Facts about the result of an MCP tool. */
export interface MCPResponseMeta extends PipelineMeta {
  /** Marks the answer of an MCP server. */
  source: "mcp";
  /** The tool ran and reported a failure of its own. */
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

/** Where an answer came from, and facts that only that kind of system has. */
export type ResponseMeta = LocalResponseMeta | HTTPResponseMeta | MCPResponseMeta | CLIResponseMeta;

/** The transport's answer: the data and where it came from. */
export interface ResponseEnvelope<T = unknown> {
  /** The answer itself. */
  data: T;
  /** Where it came from, and what was found out about it. */
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
