import { verifyProbe } from "../cards/index.ts";
import type { CardScope, PreparedCard, VerifyProbe } from "../cards/index.ts";
import { errorCodeOf, isRecord } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { normalise } from "../schema/index.ts";
import type { Settled } from "./attempt-routes.ts";

/** Looks whether a write of unknown outcome took place. */
export type Settler = (error: CallError, began: number) => Promise<Settled>;

const UNKNOWN: Settled = { outcome: "unknown" };

function itemsOf(data: unknown): Record<string, unknown>[] {
  const list = isRecord(data) && Array.isArray(data["items"]) ? data["items"] : data;
  return (Array.isArray(list) ? list : [list]).filter(isRecord);
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** When an attempt began by the server's clock, whose dates have whole seconds. */
function beganAtServer(response: ResponseEnvelope, began: number): number {
  const date = response.meta.source === "http" ? response.meta.headers["date"] : undefined;
  const serverNow = date === undefined ? Number.NaN : Date.parse(date);
  const elapsed = Date.now() - began;
  const start = Number.isNaN(serverNow) ? began : serverNow - elapsed;
  return Math.floor(start / 1_000) * 1_000;
}

function isCreatedSince(item: Record<string, unknown>, field: string, since: number): boolean {
  const created = Date.parse(String(item[field]));
  return !Number.isNaN(created) && created >= since;
}

function findWritten(
  probe: VerifyProbe,
  response: ResponseEnvelope,
  began: number,
): Record<string, unknown> | undefined {
  const since = beganAtServer(response, began);
  const { created } = probe;
  return itemsOf(response.data).find(
    (item) =>
      Object.entries(probe.same).every(([field, value]) => isEqual(item[field], value)) &&
      (created === undefined || isCreatedSince(item, created, since)),
  );
}

/**
 * What the probe's answer proves. A match in which something could not be compared proves nothing,
 * and neither does the absence of what was only given up on: it may be on its way still.
 */
function verdict(
  card: PreparedCard,
  probe: VerifyProbe,
  response: ResponseEnvelope,
  error: CallError,
  began: number,
): Settled {
  const found = findWritten(probe, response, began);
  if (found === undefined) {
    const isConclusive = probe.authoritative && errorCodeOf(error) !== "TIMEOUT";
    return isConclusive ? { outcome: "not_applied" } : UNKNOWN;
  }
  if (probe.missing.length > 0) return UNKNOWN;
  const warning = "The answer to the write was lost; it was found by looking";
  const meta = { ...response.meta, warnings: [...(response.meta.warnings ?? []), warning] };
  // What was found is an item of another capability's list: only what this one promises is told.
  const { value: data } = normalise(card.outputSchema, found, { strip: "all" });
  return {
    outcome: "applied",
    answer: { response: { data, meta }, upstreamRequests: 1 },
  };
}

/**
 * The card's way to find out: a read of ours, matched against what was written. Only what was made
 * after the attempt began counts, by the server's clock. A probe that fails leaves it unknown.
 */
export function settlerFor(
  card: PreparedCard,
  scope: CardScope,
  context: OperationContext,
): Settler | undefined {
  if (card.verify === undefined || card.effect === "read") return undefined;
  return async (error, began) => {
    try {
      const probe = verifyProbe(card, scope)!;
      return verdict(card, probe, await context.call(probe.capability, probe.params), error, began);
    } catch {
      return UNKNOWN;
    }
  };
}
