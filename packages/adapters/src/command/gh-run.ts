import { fail } from "@waybill/core";
import type { CallError, CardRequest, Effect, FieldError, UpstreamFailure } from "@waybill/core";
import { toCallError } from "./gh-failure.ts";
import type { ProgramResult } from "./run-program.ts";

/** One finished run of `gh`, and what it was for. */
export interface GhRun {
  readonly request: CardRequest;
  readonly effect: Effect;
  readonly result: ProgramResult;
  readonly redact: (text: string) => string;
}

export interface GhData {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  readonly fieldErrors?: readonly FieldError[];
}

export function raise(
  run: GhRun,
  why: UpstreamFailure,
  more?: Readonly<Record<string, unknown>>,
): CallError {
  return toCallError(why, run.redact, more);
}

/** Past the part in memory there is more, which as one JSON value can only be read whole. */
export function refuseTruncated(run: GhRun, outcome: "applied" | "unknown"): void {
  if (!run.result.truncated) return;
  const size = run.result.rest?.size ?? run.result.stdout.length;
  throw fail("TOO_LARGE", `The answer is ${size} bytes long; ask for less of it, or by pages`, {
    outcome,
  });
}
