import { fail } from "@waybill/core";
import type { CallError, ErrorCode, Outcome } from "@waybill/core";
import type { UpstreamFailure } from "@waybill/core/cards";
import type { ProgramResult } from "./run-program.ts";

const AUTH_EXIT = 4;
const MAX_SENTENCE = 300;

/** The message of `gh`, without the lines that GH_DEBUG adds. */
function lastSentence(stderr: string): string {
  const line = stderr.split("\n").find((text) => text.trim() !== "" && !/^[*<>] /u.test(text));
  return (line ?? "it printed no message").replace(/^gh: /u, "").trim().slice(0, MAX_SENTENCE);
}

export function failure(code: ErrorCode, outcome: Outcome, message: string): UpstreamFailure {
  return { code, outcome, message };
}

/**
 * If a signal ended `gh`, it is not known how far it got. Exit code 4 means that nothing was
 * sent.
 */
export function abnormalEnd({ signal, exitCode }: ProgramResult): UpstreamFailure | undefined {
  if (signal !== null)
    return failure(
      "UNKNOWN",
      "unknown",
      `gh was killed by ${signal}. Check the effect of a write before you repeat it`,
    );
  if (exitCode === AUTH_EXIT)
    return failure("AUTH", "not_applied", "gh is not logged in; run: gh auth login");
  return undefined;
}

/**
 * Without a status line, only the exit code of `gh` is known. A crash or an unexpected page is not
 * a network error. A plain failure without output nearly always is a network error.
 */
export function noStatusLine(result: ProgramResult): UpstreamFailure {
  const { exitCode, stdout, stderr } = result;
  if (stdout.length > 0) {
    return failure(
      "UNKNOWN",
      "unknown",
      "gh printed something that is not an HTTP response; check it with: waybill doctor",
    );
  }
  const isNetwork = exitCode === 1;
  const next = isNetwork ? "; check the network" : "";
  const message = `gh got no answer (exit ${exitCode})${next}: ${lastSentence(stderr)}`;
  return failure(isNetwork ? "NETWORK" : "UNKNOWN", "unknown", message);
}

/**
 * A subcommand reports the status of a failed step only in its message, without naming the step.
 */
export function statusInWords(stderr: string): number | undefined {
  const status = /^(?:[a-z][\w ]*: )?HTTP (\d{3})\b/mu.exec(stderr)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** Error messages of subcommands that have no status, with the error code for each. */
const WORDS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^GraphQL: Could not resolve to/mu, "NOT_FOUND"],
  [/^(?:argument error: )?expected the .* format/mu, "VALIDATION"],
  [/rate limit exceeded/iu, "RATE_LIMIT"],
  [
    /error connecting to|dial (?:tcp|unix)|connection (?:reset|refused)|unexpected EOF/iu,
    "NETWORK",
  ],
];

export function codeInWords(stderr: string): ErrorCode {
  return WORDS.find(([words]) => words.test(stderr))?.[1] ?? "UNKNOWN";
}

/** The line in which `gh` says which permission a token lacks, and how to get it. */
export function hintInWords(stderr: string): string | undefined {
  return /^(?:Authorize in your web browser|This API operation needs) ?.*$/mu
    .exec(stderr)?.[0]
    .replaceAll(/ {2,}/gu, " ")
    .slice(0, MAX_SENTENCE);
}

export function commandFailed({ exitCode, stderr }: ProgramResult): string {
  return `gh failed (exit ${exitCode}): ${lastSentence(stderr)}`;
}

export function toCallError(
  { code, outcome, message, retry_after_ms, limited, hint }: UpstreamFailure,
  more: Readonly<Record<string, unknown>> = {},
): CallError {
  const wait = retry_after_ms === undefined ? {} : { retry_after_ms };
  const next = hint === undefined ? {} : { hint };
  const what = limited === undefined ? {} : { limited };
  return fail(code, message, { outcome, ...wait, ...what, ...next, ...more });
}
