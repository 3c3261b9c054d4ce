import { fail } from "@waybill/core";
import type { Effect } from "@waybill/core";
import type { CardRequest, FieldError } from "@waybill/core/cards";
import type { ProgramResult } from "./run-program.ts";

/** One finished run of `gh`, and what it was for. */
export interface GhRun {
  readonly request: CardRequest;
  readonly effect: Effect;
  readonly result: ProgramResult;
}

export interface GhData {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** How many redirects `gh` followed by itself with the same request. */
  readonly redirects?: number;
  readonly warnings?: readonly string[];
  readonly fieldErrors?: readonly FieldError[];
}

/** Past the part in memory there is more, which as one JSON value can only be read whole. */
export function refuseTruncated(run: GhRun, outcome: "applied" | "unknown"): void {
  if (!run.result.truncated) return;
  const size = run.result.rest?.size ?? run.result.stdout.length;
  throw fail(
    "TOO_LARGE",
    `The answer is ${size} bytes long, which is too large. Request fewer fields, or smaller pages`,
    {
      outcome,
    },
  );
}
