import { executeRemotely } from "@waybill/core/protocol";
import type { PendingRequestMap, ResultEnvelope, Waybill } from "@waybill/core";

/** How a call of the storm ended. */
export interface Ended {
  readonly id: string;
  readonly way: string;
  /** `ok`, the error code, or `hung` for a call that never ended. */
  readonly end: string;
  /** The outcome over all attempts of a write: `applied` once one succeeded. */
  readonly outcome: "none" | "applied" | "not_applied" | "unknown";
}

/** The parts that make calls. */
export interface Callers {
  readonly calls: PendingRequestMap;
  /** The service as a source. */
  readonly waybill: Waybill;
}

type Way = (callers: Callers, id: string) => Promise<Omit<Ended, "id" | "way">>;

const TRIES = 8;

function writeOutcome({ ok, error }: ResultEnvelope): Ended["outcome"] {
  if (ok) return "applied";
  const outcome = error.details?.["outcome"];
  return outcome === "not_applied" || outcome === "applied" ? outcome : "unknown";
}

function getEnd({ ok, error }: ResultEnvelope): string {
  return ok ? "ok" : error.code;
}

const read: Way = async ({ waybill }, id) => {
  const result = await waybill.execute("far.ledger.read", { id });
  if (result.ok && result.data !== id) return { end: "another's answer", outcome: "none" };
  return { end: getEnd(result), outcome: "none" };
};

const write: Way = async ({ calls }, id) => {
  const result = await executeRemotely(calls, "ledger.write", { id });
  return { end: getEnd(result), outcome: writeOutcome(result) };
};

/** Repeats with the same key until the outcome is known, as a careful caller does. */
async function keyed(call: () => Promise<ResultEnvelope>): Promise<Omit<Ended, "id" | "way">> {
  let isDoubtful = false;
  for (let tries = 1; ; tries++) {
    const result = await call();
    const outcome = writeOutcome(result);
    if (result.ok) return { end: "ok", outcome };
    if (outcome === "unknown") isDoubtful = true;
    if (tries === TRIES) {
      return { end: getEnd(result), outcome: isDoubtful ? "unknown" : outcome };
    }
    await new Promise((resolve) => setTimeout(resolve, 100 * tries));
  }
}

const keyedWrite: Way = ({ calls }, id) =>
  keyed(() => executeRemotely(calls, "ledger.write", { id }, { idempotency_key: id }));

/** The workers share a journal, so the router itself repeats a lost write. */
const keyedBySource: Way = async ({ waybill }, id) => {
  const result = await waybill.execute("far.ledger.write", { id }, { idempotency_key: id });
  return { end: getEnd(result), outcome: writeOutcome(result) };
};

const keyedByCapability: Way = async ({ calls }, id) => {
  try {
    await calls.call("ledger.write", { id }, { idempotencyKey: id });
    return { end: "ok", outcome: "applied" };
  } catch (error) {
    const { code, details } = error as { code: string; details: { outcome?: "unknown" } };
    return { end: code, outcome: details.outcome ?? "unknown" };
  }
};

const subscription: Way = async ({ waybill }) => {
  try {
    const seen: unknown[] = [];
    for await (const { data } of waybill.subscribe("far.ledger.count")) seen.push(data);
    const isWhole = seen.join(",") === "1,2,3,4,5";
    return { end: isWhole ? "ok" : `cut short: ${seen.join(",")}`, outcome: "none" };
  } catch (error) {
    return { end: (error as { code: string }).code, outcome: "none" };
  }
};

/** Every way to call, with its weight. */
export const WAYS: readonly (readonly [string, Way])[] = [
  ["read", read],
  ["read", read],
  ["read", read],
  ["write", write],
  ["keyed write", keyedWrite],
  ["keyed write by source", keyedBySource],
  ["keyed write by id", keyedByCapability],
  ["subscription", subscription],
];
