import { isResultEnvelope } from "../envelope/index.ts";
import type { ResultEnvelope } from "../envelope/index.ts";

const MAX_BYTES = 1_000_000;
const NOT_KEPT = "The result was too large to be recorded with the key, so its data is missing";

/** The envelope without its data. `truncated` says that data was removed. */
function withoutData(result: ResultEnvelope): ResultEnvelope {
  const meta = {
    capability_id: result.meta.capability_id,
    ...(result.meta.request_id !== undefined && { request_id: result.meta.request_id }),
    ...(result.meta.route_used !== undefined && { route_used: result.meta.route_used }),
    truncated: true,
    warnings: [NOT_KEPT],
  };
  if (result.ok) return { ok: true, data: null, error: null, meta };
  const { code, message, retryable, details } = result.error;
  const outcome = details?.["outcome"] ?? "unknown";
  const error = { code, message: message.slice(0, 2_000), retryable, details: { outcome } };
  return { ok: false, data: null, error, meta };
}

function toText(result: ResultEnvelope): string | undefined {
  try {
    const text = JSON.stringify(result);
    return new TextEncoder().encode(text).byteLength > MAX_BYTES ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Writes a result as text of limited size, for a journal. The outcome is always stored, the data
 * only if it fits.
 */
export function recordResult(result: ResultEnvelope): string {
  return toText(result) ?? JSON.stringify(withoutData(result));
}

/** Reads a recorded result. Undefined if the text is not a result. */
export function readResult(text: string | null | undefined): ResultEnvelope | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isResultEnvelope(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
