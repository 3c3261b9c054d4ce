import { fail } from "@waybill/core";
import type { Effect } from "@waybill/core";
import type { CardRequest, FieldError } from "@waybill/core/cards";
import type { ProgramResult } from "./run-program.ts";

/** One finished run of `gh`, with its request. */
export interface GhRun {
  readonly request: CardRequest;
  readonly effect: Effect;
  readonly result: ProgramResult;
}

export interface GhData {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** How many redirects `gh` itself followed with the same request. */
  readonly redirects?: number;
  readonly warnings?: readonly string[];
  readonly fieldErrors?: readonly FieldError[];
}

/** Refuses output that does not fit into memory, because a JSON value must be read as a whole. */
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
