import { SEPARATOR, briefText, errorLine } from "../../brief/index.ts";
import { briefError } from "../../envelope/index.ts";
import type { ChainResult } from "./chain-result.ts";

<<<<<<< HEAD
/**
 * Writes the brief text of each step, with a line `--` between two. If a step failed, the first line
 * starts with `!`, the code of the first failure, and how many failed.
 */
export function briefChainText({ status, results, error, meta }: ChainResult): string {
  if (error !== null) return errorLine(briefError(error));
  const texts = results.map((result) => briefText(result));
  const code = results.find(({ ok }) => !ok)?.error?.code ?? "UNKNOWN";
  const head = `!${code} ${meta.failed} of ${meta.total} steps failed`;
  return (status === "success" ? texts : [head, ...texts]).join(`\n${SEPARATOR}\n`);
=======
/** A chain for a reader who pays by the word: `status` is there exactly when not all went well. */
export interface BriefChain {
  /** How the chain ended. Absent if all steps succeeded. */
  readonly status?: "partial" | "failed";
  /** The answers of the steps, in order. */
  readonly results: readonly BriefResult[];
  /** Why the chain as a whole was refused. Absent if it was not. */
  readonly error?: BriefError;
  /** Number of steps by their end. Absent if all succeeded. */
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
>>>>>>> core
}
