import type { ResultEnvelope, ResultError } from "../../envelope/index.ts";

export interface ChainResult {
  readonly status: "success" | "partial" | "failed";
  /** One envelope a step, in the order of the steps. */
  readonly results: readonly ResultEnvelope[];
  /** Why nothing was run at all. */
  readonly error: ResultError | null;
  readonly meta: {
    readonly request_id: string;
    readonly total: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly upstream_requests: number;
  };
}
