import { keptFor } from "../../budget/index.ts";
import type { ResultEnvelope, ResultError } from "../../envelope/index.ts";
import { redacted } from "../answer/answer.ts";
import { selected, withoutRare } from "../answer/shape.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Settings } from "../settings.ts";
import { fitChain } from "./chain-budget.ts";
import { ChainCalls } from "./chain-calls.ts";
import type { ChainRequest } from "./chain-request.ts";
import { refusedChain } from "./chain-result.ts";
import type { ChainResult } from "./chain-result.ts";
import { reportChain } from "./report-chain.ts";
import { runChain } from "./run-chain.ts";

/** Removes secrets from the messages of the chain itself, because they quote its steps. */
function cleanResult(result: ResultEnvelope, redactor: Redactor): ResultEnvelope {
  const { capability_id, warnings } = result.meta;
  const meta = {
    ...result.meta,
    capability_id: result.ok ? capability_id : redactor.text(capability_id),
    ...(warnings !== undefined && { warnings: warnings.map((text) => redactor.text(text)) }),
  };
  return result.ok
    ? { ...result, meta }
    : { ...result, error: redacted(result.error, redactor), meta };
}

/** If a chain is refused as a whole, nothing was sent. */
function nothingSent(error: ResultError): ResultError {
  return { ...error, details: { ...error.details, outcome: "not_applied" } };
}

/** Keeps the selected fields of each step. The steps have already used each other's full data. */
function wantedResults(
  { registry }: Settings,
  results: readonly ResultEnvelope[],
  { steps, isDry, isBrief }: ChainRequest,
): readonly ResultEnvelope[] {
  if (isDry) return results;
  return results.map((result, index) => {
    // A skipped step has no data to select from.
    if (result.data === null) return result;
    const select = steps[index]?.select;
    if (isBrief !== true || select !== undefined) return selected(result, select);
    return withoutRare(result, registry.getSpec(result.meta.capability_id)?.rareFields);
  });
}

/** Runs many calls in one request. Never throws; the result says how each step ended. */
export async function chainCalls(settings: Settings, request: ChainRequest): Promise<ChainResult> {
  const began = performance.now();
  const calls = new ChainCalls(settings, request);
  const { chain, rawBytes } = await runCalls(settings, request, calls).catch((thrown: unknown) => ({
    chain: brokenChain(thrown, request, calls.requestId),
    rawBytes: undefined,
  }));
  // The steps of a card and the calls of a program belong to another call, which is reported instead.
  const isOwn = request.whole === undefined && request.asked === undefined;
  if (isOwn) reportChain(settings, request, { chain, began, rawBytes });
  return chain;
}

async function runCalls(
  settings: Settings,
  request: ChainRequest,
  calls: ChainCalls,
): Promise<{ chain: ChainResult; rawBytes: number | undefined }> {
  const { redactor } = settings;
  const { steps, onError, isDry, whole, maxTokens } = request;
  const { status, results, error, meta } = await runChain(steps, calls, {
    onError,
    isDry,
    given: whole === undefined ? {} : { params: whole.input },
    upstreamRequests: () => calls.upstreamRequests,
  });
  const chain = {
    status,
    results: wantedResults(settings, results, request).map((result) =>
      cleanResult(result, redactor),
    ),
    error: error && redacted(nothingSent(error), redactor),
    meta,
  };
  const { rawBytes } = calls;
  // If the options were refused, the token limit is not applied either.
  if (error !== null) return { chain, rawBytes };
  const store = keptFor(settings.handles, request.identity);
  return { chain: await fitChain(chain, maxTokens, store), rawBytes };
}

/** The result if the steps have run but their results cannot be returned. */
function brokenChain(thrown: unknown, { steps }: ChainRequest, requestId: string): ChainResult {
  const refused = refusedChain(thrown, Array.isArray(steps) ? steps.length : 0, requestId);
  const { error } = refused;
  return {
    ...refused,
    error: error && { ...error, details: { ...error.details, outcome: "unknown" } },
  };
}
