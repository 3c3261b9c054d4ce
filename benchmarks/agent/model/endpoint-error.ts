import { agentErrorCode, isCallError } from "@waybill/core";
import type { ErrorCode } from "@waybill/core";

export const KEY_NAME = "WAYBILL_BENCHMARK_KEY";
const MIN_SECRET = 4;

/** An error of the endpoint. Its message names the next step and contains no key. */
export class EndpointError extends Error {
  /** Whether every other play would fail in the same way. */
  readonly isFatal: boolean;

  constructor(message: string, isFatal: boolean) {
    super(message);
    this.isFatal = isFatal;
  }
}

export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < MIN_SECRET ? text : text.replaceAll(key, "[key]");
}

/** The meaning of each error code for an endpoint, and the next step. */
const MEANINGS: Partial<Record<ErrorCode, readonly [meaning: string, step: string]>> = {
  AUTH: ["The endpoint refuses the key", `check ${KEY_NAME}`],
  NOT_FOUND: ["The endpoint knows no such address or model", "check --url and --model"],
  VALIDATION: ["The endpoint refuses the request", "check --model and --format"],
  RATE_LIMIT: ["The endpoint's rate limit holds", "try later, or fewer with --scenarios"],
  POLICY: ["The endpoint may not be used", "check the account that the key belongs to"],
  NETWORK: ["The endpoint cannot be reached", "check --url"],
  TIMEOUT: ["The endpoint took too long", "try again"],
  TOO_LARGE: ["The endpoint's answer is too large", "check --url"],
};

const FATAL: ReadonlySet<ErrorCode> = new Set([
  "AUTH",
  "NOT_FOUND",
  "POLICY",
  "RATE_LIMIT",
  "NETWORK",
]);

/** A failed request as an error of this command. `tries` is how often it was sent. */
export function endpointError(error: unknown, tries: number, key: string | undefined): Error {
  if (!isCallError(error)) return error instanceof Error ? error : new Error(String(error));
  const code = agentErrorCode(error);
  const [meaning, step] = MEANINGS[code] ?? ["The endpoint fails", "try later"];
  const after = tries > 1 ? ` after ${tries} tries` : "";
  const said = withoutKey(error.message, key);
  return new EndpointError(`${meaning}${after} (${said}); ${step}`, FATAL.has(code));
}
