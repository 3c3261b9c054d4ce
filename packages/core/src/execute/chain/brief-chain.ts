import { SEPARATOR, briefText, errorLine } from "../../brief/index.ts";
import { briefError } from "../../envelope/index.ts";
import type { BriefTextOptions } from "../../brief/index.ts";
import type { ChainResult } from "./chain-result.ts";

/**
 * Writes the brief text of each step, with a line `--` between two steps. If a step failed, the
 * first line starts with `!`, the code of the first failure, and the number of failures. A
 * warning that applies to all answers is shown once.
 */
export function briefChainText(
  { status, results, error, meta }: ChainResult,
  { shown = new Set() }: Pick<BriefTextOptions, "shown"> = {},
): string {
  if (error !== null) return errorLine(briefError(error));
  const texts = results.map((result) => briefText(result, { shown }));
  const code = results.find(({ ok }) => !ok)?.error?.code ?? "UNKNOWN";
  const head = `!${code} ${meta.failed} of ${meta.total} steps failed`;
  return (status === "success" ? texts : [head, ...texts]).join(`\n${SEPARATOR}\n`);
}
