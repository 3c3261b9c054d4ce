import type { JournalKey, JournalRuling } from "@waybill/core";
import { judge } from "./judge.ts";
import type { CallRow } from "./schema.ts";
import type { Store } from "./store.ts";

export interface Claim {
  readonly scope: string;
  readonly key: JournalKey;
  readonly requestId: string;
  readonly owner: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly expires: number;
  readonly keepUntil: number;
}

export type ClaimVerdict =
  | { readonly state: "claimed"; readonly attempt: number }
  | Exclude<JournalRuling, { state: "vacant" | "lost" }>;

function occupy(store: Store, claim: Claim, dead: CallRow | undefined): ClaimVerdict {
  const { scope, requestId, leaseUntil, expires } = claim;
  const values = { scope, requestId, digest: claim.key.digest, leaseUntil, expires };
  if (dead === undefined) {
    store.change("insert", { ...values, owner: claim.owner });
    store.change("prune", { now: claim.now });
    store.change("retire", { now: claim.now, expires: claim.keepUntil });
    return { state: "claimed", attempt: 1 };
  }
  const { owner, attempt, request_id } = dead;
  const isMine = store.change("takeOver", { ...values, owner, attempt, newOwner: claim.owner });
  return isMine ? { state: "claimed", attempt } : { state: "in_flight", requestId: request_id };
}

/** A call that was sent by an owner now dead: written down, so that all say the same from now on. */
function giveUp(store: Store, claim: Claim, row: CallRow): ClaimVerdict {
  const { owner, attempt, request_id } = row;
  store.change("giveUp", { scope: claim.scope, owner, attempt, expires: claim.keepUntil });
  return { state: "unknown", requestId: request_id };
}

/** Takes the key if nobody has it. Runs inside a transaction. */
export function takeKey(store: Store, claim: Claim): ClaimVerdict {
  const row = store.find(claim.scope, claim.now);
  const ruling = judge(row, claim.key.digest, claim.now);
  if (ruling.state === "vacant") return occupy(store, claim, row);
  return ruling.state === "lost" ? giveUp(store, claim, row!) : ruling;
}
