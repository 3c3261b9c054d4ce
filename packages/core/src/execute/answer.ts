import { estimateTokens, fitTokens, selectPaths } from "../budget/index.ts";
import type { Selected } from "../budget/index.ts";
import {
  errorCodeOf,
  fail,
  failureResult,
  successResult,
  toJson,
  toResultError,
} from "../envelope/index.ts";
import type {
  CallError,
  FailureResult,
  MCPContentBlock,
  ResponseEnvelope,
  ResultEnvelope,
  ResultMeta,
  Route,
} from "../envelope/index.ts";
import { isRepeatable } from "../operation/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { CallState } from "./call-state.ts";
import type { ExecuteOptions } from "./options.ts";

export const ROUTE_OF_SOURCE: Readonly<Record<ResponseEnvelope["meta"]["source"], Route>> = {
  local: "local",
  http: "rest",
  mcp: "mcp",
  cli: "cli",
};

const SHORT_MESSAGE = 200;

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

/** The words of a tool that reported its own failure. */
function reportText(content: readonly MCPContentBlock[]): string {
  const text = content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
  return text === "" ? "The tool reported an error" : text;
}

/** A failure that came as an answer, or undefined. */
export function reportedFailure(
  spec: OperationSpec,
  response: ResponseEnvelope,
): CallError | undefined {
  if (response.meta.source !== "mcp" || !response.meta.isError) return undefined;
  const outcome = spec.effect === "read" ? {} : ({ outcome: "unknown" } as const);
  return fail("UNKNOWN", reportText(response.meta.content), outcome);
}

function asJson(spec: OperationSpec, data: unknown): ReturnType<typeof toJson> {
  try {
    return toJson(data);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const outcome = spec.effect === "read" ? {} : ({ outcome: "applied" } as const);
    throw fail("UNKNOWN", `${spec.id} returned something that is not JSON: ${why}`, outcome, {
      cause,
    });
  }
}

function addTrace(meta: ResultMeta, state: CallState, error: CallError | undefined): void {
  const adapter = state.adapterElapsed;
  meta.request_id = state.requestId;
  if (state.isDispatched && meta.route_used !== undefined) {
    const attempt = { route: meta.route_used, duration_ms: round(adapter) };
    meta.attempts = [
      error === undefined
        ? { ...attempt, status: "success" }
        : { ...attempt, status: "error", error_code: errorCodeOf(error) },
    ];
  }
  if (state.options.trace === true) {
    meta.timings = { total_ms: round(state.elapsed), adapter_ms: round(adapter) };
  }
}

/** A failure over the budget keeps what decides what to do next. */
function shortFailure(result: FailureResult): FailureResult {
  const { code, retryable, message, details } = result.error;
  const { outcome, retry_after_ms } = details ?? {};
  const error = {
    code,
    message: message.slice(0, SHORT_MESSAGE),
    retryable,
    details: {
      ...(outcome !== undefined && { outcome }),
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    },
  };
  return failureResult(error, { ...result.meta, truncated: true });
}

/** Cuts the data until the whole envelope, as it will be sent, is within the budget. */
function withinBudget(result: ResultEnvelope, options: ExecuteOptions): ResultEnvelope {
  const { max_tokens: budget, trace } = options;
  if (budget === undefined && trace !== true) return result;
  result.meta.cost = { tokens_out: 0 };
  const total = estimateTokens(JSON.stringify(result));
  result.meta.cost.tokens_out = total;
  if (budget === undefined || total <= budget) return result;
  if (!result.ok) return shortFailure(result);
  const overhead = total - estimateTokens(JSON.stringify(result.data)) + 12;
  const { data } = fitTokens(result.data, budget - overhead);
  const cut = successResult(data, { ...result.meta, truncated: true });
  cut.meta.cost = { tokens_out: estimateTokens(JSON.stringify(cut)) };
  return cut;
}

function selectFrom(data: unknown, paths: readonly string[] | undefined): Selected {
  return paths === undefined ? { data, missing: [] } : selectPaths(data, paths);
}

export function successAnswer(
  state: CallState,
  spec: OperationSpec,
  response: ResponseEnvelope,
): ResultEnvelope {
  const { options } = state;
  const json = asJson(spec, response.data);
  const meta: ResultMeta = {
    capability_id: spec.id,
    route_used: state.route,
    reason: "DEFAULT_POLICY",
  };
  const selected = selectFrom(json.value, options.select);
  const { warnings } = response.meta;
  if (warnings !== undefined || json.warnings.length > 0 || selected.missing.length > 0) {
    const missing = selected.missing.map((path) => `nothing to select at ${path}`);
    meta.warnings = [...(warnings ?? []), ...json.warnings, ...missing];
  }
  if (spec.effect !== "read") meta.request_id = state.requestId;
  if (options.trace === true) addTrace(meta, state, undefined);
  return withinBudget(successResult(selected.data, meta), options);
}

export function failureAnswer(state: CallState, error: CallError): ResultEnvelope {
  const { spec } = state;
  const meta: ResultMeta = { capability_id: state.capability_id };
  if (state.isDispatched) {
    meta.route_used = state.route;
    meta.reason = "DEFAULT_POLICY";
  }
  addTrace(meta, state, error);
  const resultError = toResultError(error, {
    requestId: state.requestId,
    isWrite: spec !== undefined && spec.effect !== "read",
    isRepeatable: spec !== undefined && isRepeatable(spec),
  });
  return withinBudget(failureResult(resultError, meta), state.options);
}
