import { briefError, briefResult } from "../../envelope/index.ts";
import type { BriefError, BriefResult } from "../../envelope/index.ts";
import type { ChainResult } from "./chain-result.ts";

/** A chain for a reader who pays by the word: `status` is there exactly when not all went well. */
export interface BriefChain {
  readonly status?: "partial" | "failed";
  readonly results: readonly BriefResult[];
  readonly error?: BriefError;
  readonly meta?: Pick<ChainResult["meta"], "total" | "succeeded" | "failed">;
}

/** The same results without the parts that a reader can infer. */
export function briefChain({ status, results: all, error, meta }: ChainResult): BriefChain {
  const results = all.map((result) => briefResult(result));
  if (status === "success") return { results };
  const { total, succeeded, failed } = meta;
  return {
    status,
    results,
    ...(error !== null && { error: briefError(error) }),
    meta: { total, succeeded, failed },
  };
}
