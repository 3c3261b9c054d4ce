import { isRecord } from "@waybill/core/schema";
import type { GuestAnswer } from "../sandbox/index.ts";
import type { KeptCall, WriteRecord } from "../log/index.ts";
import type { Digests } from "./hash-json.ts";
import type { PerformedCall } from "./perform-calls.ts";

/** Errors after which a call may not have been made at all. */
const NOT_MADE = ["CANCELLED", "TIMEOUT"];

function errorCode(answer: GuestAnswer): unknown {
  const error = "error" in answer ? answer.error : "data" in answer ? answer.data : undefined;
  if (!isRecord(error)) return undefined;
  return isRecord(error["error"]) ? error["error"]["code"] : error["code"];
}

function trueOutcome(
  { answer, write }: PerformedCall,
  before: KeptCall | undefined,
): WriteRecord["outcome"] {
  const known = before?.write?.outcome ?? "unknown";
  if (known === "applied" || NOT_MADE.includes(String(errorCode(answer)))) return known;
  return write!.outcome;
}

/** The same call in an earlier run. */
function sameCall(
  index: number,
  digests: Digests,
  earlier: readonly KeptCall[],
): KeptCall | undefined {
  const same = earlier[index];
  return same?.digest === digests.at(index) ? same : undefined;
}

/**
 * The answers of calls whose write an earlier run has applied, by index. A dry run uses them,
 * because a repeat would not send these calls again.
 */
export function appliedEarlier(
  digests: Digests,
  earlier: readonly KeptCall[] = [],
): ReadonlyMap<number, GuestAnswer> {
  const applied = earlier.flatMap((_, index) => {
    const same = sameCall(index, digests, earlier);
    return same?.write?.outcome === "applied" ? [[index, same.answer] as const] : [];
  });
  return new Map(applied);
}

/**
 * Corrects the outcomes of writes that an earlier run may have applied. If a call is cancelled
 * before it is sent, "nothing was applied" is true only for this run.
 */
export function withEarlier(
  performed: readonly PerformedCall[],
  digests: Digests,
  earlier: readonly KeptCall[] | undefined,
): readonly PerformedCall[] {
  if (earlier === undefined) return performed;
  return performed.map((call, index) => {
    if (call.write?.outcome !== "not_applied") return call;
    const same = sameCall(index, digests, earlier);
    return { ...call, write: { ...call.write, outcome: trueOutcome(call, same) } };
  });
}
