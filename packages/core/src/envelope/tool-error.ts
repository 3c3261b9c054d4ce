import type { Issue } from "./call-error.ts";
import { isRecord } from "./json.ts";
import type { ResultError } from "./result.ts";
import { toolErrorCode } from "./tool.ts";
import type { ToolErrorResult } from "./tool.ts";

type Details = Readonly<Record<string, unknown>>;

/** One wrong input, with its path as a list of names. */
interface ToolIssue extends Pick<Issue, "message" | "did_you_mean"> {
  readonly path: readonly string[];
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && typeof value["path"] === "string" && value["message"] !== undefined;
}

function pointerNames(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function toToolIssue({ path, message, did_you_mean }: Issue): ToolIssue {
  return { path: pointerNames(path), message, ...(did_you_mean !== undefined && { did_you_mean }) };
}

/** Adds the allowed values to the message, because some clients show only the message. */
function describeIssue({ path, message, allowed = [] }: Issue): string {
  const problem = allowed.length > 0 ? `must be one of ${allowed.map(String).join(", ")}` : message;
  return [pointerNames(path).join("."), problem].filter((part) => part !== "").join(" ");
}

/**
 * Converts an agent's error to a tool's error. Its issues become `errors` and are part of the
 * message.
 */
export function toToolError(error: ResultError): Required<ToolErrorResult["error"]> {
  const code = toolErrorCode(error);
  const { issues, signature, ...others }: Details = error.details ?? {};
  const listed = Array.isArray(issues) ? issues.filter(isIssue) : [];
  // The message already lists the allowed values, so the signature of the tool is not needed.
  const isTold = listed.some(({ allowed }) => allowed !== undefined);
  const details = isTold || signature === undefined ? others : { ...others, signature };
  if (listed.length === 0) return { code, message: error.message, details };
  const isInput = error.message.startsWith("Invalid input");
  const message = isInput
    ? `Invalid input: ${listed.map(describeIssue).join("; ")}`
    : error.message;
  return { code, message, details: { errors: listed.map(toToolIssue), ...details } };
}
