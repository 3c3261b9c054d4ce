import type { UnknownWrite, JournalKey, JournalRuling } from "@waybill/core/protocol";
import { withChecksum } from "./checksum.ts";
import { judge } from "./judge-row.ts";
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
  /** A write with an unknown outcome. The holder of this claim may check whether it was applied. */
  | ({ readonly state: "open"; readonly row: OpenRow } & UnknownWrite)
  | Exclude<JournalRuling, { state: "vacant" | "open" }>;

/** The row of a write whose outcome is being checked. */
type OpenRow = Pick<CallRow, "owner" | "attempt" | "digest" | "trail"> & {
  readonly scope: string;
};

function occupy(store: Store, claim: Claim, dead: CallRow | undefined): ClaimVerdict {
  const { scope, requestId, leaseUntil, expires } = claim;
  const content = withChecksum({ digest: claim.key.digest, result: null, trail: null });
  const values = { scope, requestId, leaseUntil, expires, ...content };
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

/**
 * Records that the outcome is unknown, so that all callers get the same answer and only one of
 * them checks it.
 */
function openRow(store: Store, claim: Claim, row: CallRow): OpenRow {
  const { scope, now, keepUntil: expires } = claim;
  const { owner, attempt, digest, trail } = row;
  store.change("open", { scope, owner, attempt, now, expires });
  return { scope, owner, attempt, digest, trail };
}

/** Takes the key if it is free. Runs inside a transaction. */
export function takeKey(store: Store, claim: Claim): ClaimVerdict {
  const row = store.find(claim.scope, claim.now);
  const ruling = judge(row, claim.key.digest, claim.now);
  if (ruling.state === "vacant") return occupy(store, claim, row);
  return ruling.state === "open" ? { ...ruling, row: openRow(store, claim, row!) } : ruling;
}
