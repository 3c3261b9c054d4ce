import { CallError, errorCodeOf, isCallError } from "@waybill/core";
import type { ErrorCode, ResultEnvelope, Waybill } from "@waybill/core";
import type { EffectiveConfig } from "@waybill/local";

/** Refused for want of a token or of the right to go there: perhaps only because of the file. */
const PERHAPS_THE_FILE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["AUTH", "POLICY"]);

interface Refusal {
  readonly id: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
}

/** What the source of an id lacks, as far as the id tells; those of cards can be any. */
function lackOf(id: string, { sources, untrusted }: EffectiveConfig): string | undefined {
  const names = Object.keys(untrusted);
  const own = names.find((name) => id.startsWith(`${name}.`));
  const cards = names.find((name) => sources[name]?.kind === "cards");
  return untrusted[own ?? cards ?? ""]?.why;
}

/** What a refusal should say besides, if it does not. */
function hintFor(refusal: Refusal, config: EffectiveConfig): string | undefined {
  const { id, code, message, details } = refusal;
  if (!PERHAPS_THE_FILE.has(code) || details?.["approve"] !== undefined) return undefined;
  const lack = lackOf(id, config);
  return lack === undefined || message.includes(lack) ? undefined : lack;
}

function hinted(result: ResultEnvelope, config: EffectiveConfig): ResultEnvelope {
  if (result.ok) return result;
  const { error, meta } = result;
  const { code, message, details } = error;
  const hint = hintFor({ id: meta.capability_id, code, message, details }, config);
  return hint === undefined
    ? result
    : { ...result, error: { ...error, details: { ...details, hint } } };
}

function hintedError(thrown: unknown, id: string, config: EffectiveConfig): unknown {
  if (!isCallError(thrown)) return thrown;
  const { code, message, details } = thrown;
  const hint = hintFor({ id, code: errorCodeOf(thrown), message, details }, config);
  if (hint === undefined) return thrown;
  return new CallError(code, message, { ...details, hint }, { cause: thrown });
}

/** The same Waybill, whose refusals name the trust that a source waits for. */
export function withTrustHints(waybill: Waybill, config: EffectiveConfig): Waybill {
  if (Object.keys(config.untrusted).length === 0) return waybill;
  const execute: Waybill["execute"] = async (...call) =>
    hinted(await waybill.execute(...call), config);
  return {
    ...waybill,
    execute,
    executeTask: execute,
    async chain(...call) {
      const chain = await waybill.chain(...call);
      return { ...chain, results: chain.results.map((result) => hinted(result, config)) };
    },
    async *subscribe(id, ...rest) {
      try {
        yield* waybill.subscribe(id, ...rest);
      } catch (thrown) {
        throw hintedError(thrown, id, config);
      }
    },
    as: (identity) => withTrustHints(waybill.as(identity), config),
  };
}
