import type { ErrorCode, Outcome } from "./error-codes.ts";
import { isRecord } from "./json.ts";
import {
  httpFailure,
  limitedResource,
  retryAfter,
  saysSecondaryLimit,
  secondaryLimitWait,
  upstreamSentence,
} from "./upstream.ts";
import type { HttpResponseInfo, UpstreamFailure, UpstreamHeaders } from "./upstream.ts";

/** One entry of `errors`. */
interface GraphqlErrorInfo {
  /** The type of the error: GitHub's `type`, or `extensions.code`. */
  readonly type: string | undefined;
  readonly path: readonly unknown[];
  readonly message: string;
  readonly problems: readonly unknown[];
}

const TYPE_CODES: readonly (readonly [ErrorCode, readonly string[]])[] = [
  ["NOT_FOUND", ["NOT_FOUND"]],
  ["AUTH", ["FORBIDDEN", "INSUFFICIENT_SCOPES", "UNAUTHENTICATED"]],
  ["RATE_LIMIT", ["RATE_LIMITED", "RATE_LIMIT"]],
  [
    "VALIDATION",
    ["UNPROCESSABLE", "BAD_USER_INPUT", "INVALID_CURSOR_ARGUMENTS", "EXCESSIVE_PAGINATION"],
  ],
  ["CONFLICT", ["STALE_DATA"]],
  ["TIMEOUT", ["TIMEOUT"]],
  ["TOO_LARGE", ["MAX_NODE_LIMIT_EXCEEDED", "RESOURCE_LIMITS_EXCEEDED"]],
  // Codes that mean that the host's schema does not know a part of the document.
  [
    "ADAPTER_UNSUPPORTED",
    [
      "undefinedField",
      "argumentNotAccepted",
      "undefinedType",
      "undefinedDirective",
      "variableRequiresValidType",
      "GRAPHQL_VALIDATION_FAILED",
      "GRAPHQL_PARSE_FAILED",
    ],
  ],
];

const CODE_OF_TYPE: ReadonlyMap<string, ErrorCode> = new Map(
  TYPE_CODES.flatMap(([code, types]) => types.map((type) => [type, code] as const)),
);

/** Types of errors that are raised during execution, so it is not known what was already done. */
const VAGUE_TYPES: ReadonlySet<string> = new Set([
  "INTERNAL",
  "INTERNAL_SERVER_ERROR",
  "RESOURCE_LIMITS_EXCEEDED",
  "SERVICE_UNAVAILABLE",
  "TIMEOUT",
]);

// Patterns for errors without a type. Only their message identifies them.
const VAGUE_MESSAGE = /something went wrong|time(?:d )?[ -]?out/iu;
const UNKNOWN_NAME = /^(?:Cannot query field|Unknown (?:argument|type|directive)) /u;
const UNKNOWN_INPUT = /(?:^Field is|Field ".*" is) not defined (?:on|by type) /u;

function readErrorEntry(error: unknown): GraphqlErrorInfo {
  const record = isRecord(error) ? error : {};
  const extensions = isRecord(record["extensions"]) ? record["extensions"] : {};
  const type = [record["type"], extensions["code"]].find((value) => typeof value === "string");
  return {
    type: typeof type === "string" ? type : undefined,
    path: Array.isArray(record["path"]) ? record["path"] : [],
    message: upstreamSentence({ message: record["message"] }) ?? "no message",
    problems: Array.isArray(extensions["problems"]) ? extensions["problems"] : [],
  };
}

/**
 * The error code for invalid variables. They are reported as a list of problems, each with an
 * explanation and no code of its own.
 */
function codeOfProblems(problems: readonly unknown[]): ErrorCode {
  const isUnknownField = problems.some((problem) => {
    const explanation = isRecord(problem) ? problem["explanation"] : undefined;
    return typeof explanation === "string" && UNKNOWN_INPUT.test(explanation);
  });
  return isUnknownField ? "ADAPTER_UNSUPPORTED" : "VALIDATION";
}

function graphqlErrorCode({ type, message, problems }: GraphqlErrorInfo): ErrorCode {
  const known = type === undefined ? undefined : CODE_OF_TYPE.get(type);
  if (known !== undefined) return known;
  if (saysSecondaryLimit(message)) return "RATE_LIMIT";
  if (problems.length > 0) return codeOfProblems(problems);
  const isSchemaError = UNKNOWN_NAME.test(message) || UNKNOWN_INPUT.test(message);
  return type === undefined && isSchemaError ? "ADAPTER_UNSUPPORTED" : "SERVER";
}

function isVague({ type, message }: GraphqlErrorInfo): boolean {
  return type === undefined ? VAGUE_MESSAGE.test(message) : VAGUE_TYPES.has(type);
}

/**
 * Whether the path points into the document, such as `["mutation", "createIssue"]`. GitHub
 * reports such paths if it rejected the document.
 */
function pointsIntoDocument({ path }: GraphqlErrorInfo): boolean {
  return /^(?:query|mutation|subscription|fragment)(?: |$)/u.test(String(path[0]));
}

function graphqlOutcome(error: GraphqlErrorInfo, hasData: boolean): Outcome {
  const isRejected = !hasData && (error.path.length === 0 || pointsIntoDocument(error));
  if (error.path.length > 1 && !isRejected) return "applied";
  if (isVague(error)) return "unknown";
  return isRejected || error.path.length === 1 ? "not_applied" : "unknown";
}

function worst(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.length === 0 || outcomes.includes("unknown")) return "unknown";
  return outcomes.includes("applied") ? "applied" : "not_applied";
}

/** How long GitHub asks to wait, and for which requests. */
function limitIn(
  { message }: GraphqlErrorInfo,
  headers: UpstreamHeaders,
  now: number,
): Pick<UpstreamFailure, "retry_after_ms" | "limited"> {
  if (saysSecondaryLimit(message)) {
    return { retry_after_ms: secondaryLimitWait(headers, now), limited: "*" };
  }
  const retry_after_ms = retryAfter(headers, now);
  if (retry_after_ms === undefined) return {};
  const limited = limitedResource(headers);
  return { retry_after_ms, ...(limited !== undefined && { limited }) };
}

/**
 * The meaning of the `errors` of a GraphQL answer. `hasData` says whether the answer has a
 * `data` member, even if it is null. Without one, nothing was executed. For a document with
 * several root fields, pass the errors of one root field at a time: together they get the least
 * certain outcome.
 */
export function graphqlFailure(
  errors: readonly unknown[],
  hasData: boolean,
  headers: UpstreamHeaders = {},
  now: number = Date.now(),
): UpstreamFailure {
  const read = errors.map(readErrorEntry);
  const telling = read.find((error) => graphqlErrorCode(error) !== "SERVER") ?? read[0];
  const code = telling === undefined ? "SERVER" : graphqlErrorCode(telling);
  const isLimit = telling !== undefined && code === "RATE_LIMIT";
  return {
    code,
    outcome: worst(read.map((error) => graphqlOutcome(error, hasData))),
    message: `The upstream answered with an error: ${telling?.message ?? "no message"}`,
    ...(isLimit && limitIn(telling, headers, now)),
  };
}

/**
 * Statuses that mean that there is no GraphQL server, because GraphQL reports a missing object
 * with status 200.
 */
const NO_ENDPOINT: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/**
 * The meaning of a status other than 2xx from a GraphQL server. For a bad request, the errors in
 * its body decide, so that a document that the host does not support can be tried on another
 * route. If there is no endpoint, another route may exist.
 */
export function graphqlStatusFailure(
  facts: HttpResponseInfo,
  now: number = Date.now(),
): UpstreamFailure {
  const byStatus = httpFailure(facts, now);
  const body = isRecord(facts.body) ? facts.body : {};
  const errors: readonly unknown[] = Array.isArray(body["errors"]) ? body["errors"] : [];
  if (errors.length === 0 && NO_ENDPOINT.has(facts.status)) {
    const message = `There is no GraphQL endpoint at this address (HTTP ${facts.status})`;
    return { ...byStatus, code: "ADAPTER_UNSUPPORTED", outcome: "not_applied", message };
  }
  if (byStatus.code !== "VALIDATION" || errors.length === 0) return byStatus;
  const byErrors = graphqlFailure(errors, isRecord(body["data"]), facts.headers, now);
  const code = byErrors.code === "SERVER" ? byStatus.code : byErrors.code;
  const { outcome } = isRecord(body["data"]) ? byErrors : byStatus;
  return { ...byErrors, code, outcome };
}
