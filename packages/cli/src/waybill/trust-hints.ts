import type { ResultEnvelope, Waybill } from "@waybill/core";
import type { EffectiveConfig } from "@waybill/local";

/** What the source of an id lacks, as far as the id tells; those of cards can be any. */
function hintFor(id: string, { sources, untrusted }: EffectiveConfig): string | undefined {
  const names = Object.keys(untrusted);
  const own = names.find((name) => id.startsWith(`${name}.`));
  const cards = names.find((name) => sources[name]?.kind === "cards");
  return untrusted[own ?? cards ?? ""]?.why;
}

/** Refused for want of a token or of the right to go there: perhaps only because of the file. */
function hinted(result: ResultEnvelope, config: EffectiveConfig): ResultEnvelope {
  if (result.ok || !["AUTH", "POLICY"].includes(result.error.code)) return result;
  const { error, meta } = result;
  const hint = hintFor(meta.capability_id, config);
  const isTold = hint === undefined || error.message.includes(hint);
  if (isTold || error.details?.["approve"] !== undefined) return result;
  return { ...result, error: { ...error, details: { ...error.details, hint } } };
}

/** The same Waybill, whose refusals name the trust that a source waits for. */
export function withTrustHints(waybill: Waybill, config: EffectiveConfig): Waybill {
  if (Object.keys(config.untrusted).length === 0) return waybill;
  const execute: Waybill["execute"] = async (...call) =>
    hinted(await waybill.execute(...call), config);
  return { ...waybill, execute, executeTask: execute };
}
