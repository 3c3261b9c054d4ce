import type { FileFormat } from "../sqlite/index.ts";

/**
 * `scope` is a digest of key, identity, host and capability. `expires` is when a row that has ended
 * counts as not there any more; whether one under way still is, only its lease says, for a clock
 * that was set must not make a call that was sent look as if it never had been.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS calls (
    scope TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    request_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('started', 'sent', 'settled', 'unknown')),
    attempt INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    result TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS calls_by_expiry ON calls (expires)
`;

export const FORMAT: FileFormat = { schema: SCHEMA, version: 1, synchronous: "FULL" };

export interface CallRow {
  readonly digest: string;
  readonly request_id: string;
  readonly state: "started" | "sent" | "settled" | "unknown";
  readonly attempt: number;
  readonly owner: string;
  readonly lease_until: number;
  readonly result: string | null;
}

/** The row of a call only as long as this lease, and no other, has it. */
const MINE = "scope = @scope AND owner = @owner AND attempt = @attempt";
const LEASE = "lease_until = @leaseUntil, expires = @expires";

export const STATEMENTS = {
  find: `SELECT digest, request_id, state, attempt, owner, lease_until, result
    FROM calls WHERE scope = @scope AND (expires > @now OR state IN ('started', 'sent'))`,
  insert: `INSERT OR REPLACE INTO calls
    (scope, digest, request_id, state, attempt, owner, lease_until, expires)
    VALUES (@scope, @digest, @requestId, 'started', 1, @owner, @leaseUntil, @expires)`,
  takeOver: `UPDATE calls
    SET owner = @newOwner, request_id = @requestId, digest = @digest, ${LEASE}
    WHERE ${MINE} AND state = 'started'`,
  sent: `UPDATE calls SET state = 'sent', ${LEASE} WHERE ${MINE} AND state = 'started'`,
  again: `UPDATE calls SET state = 'started', attempt = attempt + 1, ${LEASE}
    WHERE ${MINE} AND state = 'sent'`,
  giveUp: `UPDATE calls SET state = 'unknown', expires = @expires WHERE ${MINE} AND state = 'sent'`,
  // An owner that was only slow knows better than whoever gave it up, and nobody sent in between.
  settle: `UPDATE calls SET state = 'settled', result = @result, expires = @expires
    WHERE ${MINE} AND state <> 'settled'`,
  free: `DELETE FROM calls WHERE ${MINE} AND state <> 'settled'`,
  release: `DELETE FROM calls WHERE ${MINE} AND state = 'started'`,
  renew: `UPDATE calls SET ${LEASE} WHERE ${MINE} AND state IN ('started', 'sent')`,
  prune: `DELETE FROM calls WHERE scope IN
    (SELECT scope FROM calls WHERE expires <= @now AND state <> 'sent' LIMIT 20)`,
  // Nobody came back for it: kept once more as long, so that no single look at a clock removes it.
  retire: `UPDATE calls SET state = 'unknown', expires = @expires WHERE scope IN
    (SELECT scope FROM calls WHERE expires <= @now AND state = 'sent' LIMIT 20)`,
} as const;
