import type { Issue } from "./call-error.ts";
import type { ErrorCode } from "./error-codes.ts";
import { isRecord } from "./json.ts";
import type { ResultError } from "./result.ts";

/** The error codes of a ToolEnvelope. */
export const TOOL_ERROR_CODES = [
  "INVALID_INPUT",
  "INTERNAL_ERROR",
  "NOT_AVAILABLE",
  "MISSING_PARAMS",
  "UNKNOWN_ACTION",
  "NOT_FOUND",
  "AMBIGUOUS",
  "CANCELLED",
] as const;
/** The error code of a ToolEnvelope. */
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** The code base that a tool answered about. */
export interface WorkspaceContext {
  /** The folder of the code base. */
  readonly root: string;
  /** The name of the code base. */
  readonly repoName: string;
  /** The revision that the answer is about. Absent if it is not known. */
  readonly rev?: string;
}

/** A tool that may help next. */
export interface ToolSuggestion {
  /** The tool to call. */
  readonly tool: string;
  /** The arguments of the suggested tool. */
  readonly args: Record<string, unknown>;
  /** Why the tool may help. Absent if that is obvious. */
  readonly reason?: string;
}

/** Facts about the answer of a tool. */
export interface ToolMeta {
  /** The length of the whole text in characters, divided by four and rounded up. */
  approxTokens: number;
  /** Whether something was removed. */
  truncated: boolean;
  /** Limits that affected the answer. */
  limits: { maxItems?: number; maxDepth?: number; maxTokens?: number };
  /** Calls that may help next. Absent if there are none. */
  nextQuerySuggestion?: readonly ToolSuggestion[];
  /** Where the list continues. Absent if the answer is not a list. */
  page?: { cursor?: string; hasMore: boolean; total?: number };
}

interface ToolData<R> {
  tool: string;
  version: string;
  requestId: string;
  generatedAt: string;
  workspace: WorkspaceContext;
  result: R;
  meta: ToolMeta;
}

/** Why a tool failed. */
export interface ToolErrorResult {
  /** The code, the message and the details. */
  error: { code: ToolErrorCode; message: string; details?: Record<string, unknown> };
}

/** The answer of a tool that succeeded. */
export interface SuccessEnvelope<T = unknown> {
  /** Always true. */
  success: true;
  /** The result, and facts about the answer. */
  data: ToolData<T>;
}

/** The answer of a tool that failed. */
export interface ErrorEnvelope {
  /** Always false. */
  success: false;
  /** The error, and facts about the answer. */
  data: ToolData<ToolErrorResult>;
}

/**
 * The answer of a tool that works on a code base. It has the same content as a ResultEnvelope,
 * in the form that tools of editors use.
 */
export type ToolEnvelope<T = unknown> = SuccessEnvelope<T> | ErrorEnvelope;

const VERSION = "1.0";

/**
 * The token count is part of the text that it counts, so it is computed again until it is
 * stable. More digits can only increase it, so a few rounds are enough.
 */
function withApproxTokens<E extends ToolEnvelope>(envelope: E): E {
  const meta = envelope.data.meta;
  const others = JSON.stringify(envelope).length - String(meta.approxTokens).length;
  for (let round = 0; round < 4; round++) {
    const counted = Math.ceil((others + String(meta.approxTokens).length) / 4);
    if (counted === meta.approxTokens) break;
    meta.approxTokens = counted;
  }
  return envelope;
}

function toolData<R>(
  tool: string,
  result: R,
  workspace: WorkspaceContext,
  meta: Partial<Omit<ToolMeta, "approxTokens">>,
): ToolData<R> {
  return {
    tool,
    version: VERSION,
    requestId: crypto.randomUUID().slice(0, 8),
    generatedAt: new Date().toISOString(),
    workspace,
    result,
    meta: { approxTokens: 0, truncated: false, limits: {}, ...meta },
  };
}

/** Builds the answer of a tool that succeeded, and counts its tokens. */
export function createSuccessEnvelope<T>(
  tool: string,
  result: T,
  workspace: WorkspaceContext,
  meta: Partial<Omit<ToolMeta, "approxTokens">> = {},
): SuccessEnvelope<T> {
  return withApproxTokens({ success: true, data: toolData(tool, result, workspace, meta) });
}

/** Builds the answer of a tool that failed. */
export function createErrorEnvelope(
  tool: string,
  code: ToolErrorCode,
  message: string,
  workspace: WorkspaceContext,
  details?: Record<string, unknown>,
): ErrorEnvelope {
  const error = details === undefined ? { code, message } : { code, message, details };
  return withApproxTokens({ success: false, data: toolData(tool, { error }, workspace, {}) });
}

/** The message of a tool over MCP: its envelope as text, and whether the tool failed. */
export interface ToolResult {
  /** The envelope as one text block. */
  content: { type: "text"; text: string }[];
  /** Whether the tool failed. */
  isError: boolean;
}

/** The envelope as the single text block that a tool sends. */
export function envelopeToResult(envelope: ToolEnvelope): ToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(envelope) }],
    isError: !envelope.success,
  };
}

const TOOL_CODES: Partial<Record<ErrorCode, ToolErrorCode>> = {
  VALIDATION: "INVALID_INPUT",
  NOT_FOUND: "NOT_FOUND",
  CANCELLED: "CANCELLED",
  TIMEOUT: "NOT_AVAILABLE",
  NOT_READY: "NOT_AVAILABLE",
  POLICY: "NOT_AVAILABLE",
  CONFLICT: "NOT_AVAILABLE",
  AUTH: "NOT_AVAILABLE",
};

function validationCode(details: ResultError["details"]): ToolErrorCode {
  if (details?.["ambiguous"] === true) return "AMBIGUOUS";
  const found = details?.["issues"];
  const issues: readonly Partial<Issue>[] = Array.isArray(found) ? found.filter(isRecord) : [];
  const onlyMissing = issues.length > 0 && issues.every((issue) => issue.missing === true);
  if (onlyMissing) return "MISSING_PARAMS";
  return issues.some((issue) => issue.path === "/action") ? "UNKNOWN_ACTION" : "INVALID_INPUT";
}

/** The tool error code for an agent's error code. */
export function toolErrorCode(error: ResultError): ToolErrorCode {
  if (error.code === "VALIDATION") return validationCode(error.details);
  return TOOL_CODES[error.code] ?? "INTERNAL_ERROR";
}

const TEXT_FIELDS = ["tool", "version", "requestId", "generatedAt"];

function isToolData(data: unknown): data is ToolData<unknown> {
  return (
    isRecord(data) &&
    TEXT_FIELDS.every((field) => typeof data[field] === "string") &&
    isRecord(data["workspace"]) &&
    isRecord(data["meta"]) &&
    typeof data["meta"]["approxTokens"] === "number" &&
    Object.hasOwn(data, "result")
  );
}

function isToolError(result: unknown): result is ToolErrorResult {
  if (!isRecord(result) || !isRecord(result["error"])) return false;
  const { code, message } = result["error"];
  return (TOOL_ERROR_CODES as readonly unknown[]).includes(code) && typeof message === "string";
}

/** Whether a value has the form of a ToolEnvelope. */
export function isToolEnvelope(value: unknown): value is ToolEnvelope {
  if (!isRecord(value) || !isToolData(value["data"])) return false;
  if (value["success"] === false) return isToolError(value["data"].result);
  return value["success"] === true;
}
