import type { FileFormat } from "../sqlite/index.ts";

/**
 * `scope` is a digest of key, identity, host and capability. `expires` says when a finished row
 * counts as removed. A running row has only its lease, because a changed clock must not make a
 * sent call look as if it was never sent.
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
    result TEXT,
    trail TEXT,
    probed_at INTEGER,
    checksum TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS calls_by_expiry ON calls (expires)
`;

/** Since version 2, a write with an unknown outcome is not final and can be checked again. */
const TO_VERSION_2 = `
  ALTER TABLE calls ADD COLUMN trail TEXT;
  ALTER TABLE calls ADD COLUMN probed_at INTEGER;
  UPDATE calls SET state = 'unknown' WHERE state = 'settled'
    AND json_valid(result) AND json_extract(result, '$.error.details.outcome') = 'unknown'
`;

/** Since version 3, a record has a checksum. Records of older versions are not checked. */
const TO_VERSION_3 = "ALTER TABLE calls ADD COLUMN checksum TEXT";

export const FORMAT: FileFormat = {
  schema: SCHEMA,
  version: 3,
  migrations: { 1: TO_VERSION_2, 2: TO_VERSION_3 },
  synchronous: "FULL",
  isWhole: true,
};

/**
 * A row in the form in which it is read. Damaged bytes appear as other characters, which the
 * checksum detects.
 */
export interface CallRow {
  readonly digest: string;
  readonly request_id: string;
  readonly state: "started" | "sent" | "settled" | "unknown";
  readonly attempt: number;
  readonly owner: string;
  readonly lease_until: number;
  readonly result: string | null;
  readonly trail: string | null;
  readonly probed_at: number | null;
  readonly checksum: string | null;
}

/** Matches the row of a call only while this lease holds it. */
const MINE = "scope = @scope AND owner = @owner AND attempt = @attempt";
const LEASE = "lease_until = @leaseUntil, expires = @expires";
/** The columns that the checksum covers. They are written together with it. */
const CONTENT = "digest = @digest, result = @result, trail = @trail, checksum = @checksum";
const COLUMNS = `attempt, lease_until, probed_at, digest, request_id, state, owner, result, trail,
  checksum`;

export const STATEMENTS = {
  find: `SELECT ${COLUMNS}
    FROM calls WHERE scope = @scope AND (expires > @now OR state IN ('started', 'sent'))`,
  all: `SELECT ${COLUMNS} FROM calls`,
  insert: `INSERT OR REPLACE INTO calls
    (scope, digest, request_id, state, attempt, owner, lease_until, expires, result, trail, checksum)
    VALUES (@scope, @digest, @requestId, 'started', 1, @owner, @leaseUntil, @expires, @result,
      @trail, @checksum)`,
  takeOver: `UPDATE calls
    SET owner = @newOwner, request_id = @requestId, ${CONTENT}, ${LEASE}
    WHERE ${MINE} AND state = 'started'`,
  sent: `UPDATE calls SET state = 'sent', ${CONTENT}, ${LEASE} WHERE ${MINE} AND state = 'started'`,
  again: `UPDATE calls SET state = 'started', attempt = attempt + 1, ${LEASE}
    WHERE ${MINE} AND state = 'sent'`,
  open: `UPDATE calls SET state = 'unknown', probed_at = @now, expires = @expires
    WHERE ${MINE} AND state IN ('sent', 'unknown')`,
  // Records the result, even if another caller has already treated this slow owner as dead. Nobody
  // else has sent the write.
  settle: `UPDATE calls SET state = @state, ${CONTENT}, expires = @expires
    WHERE ${MINE} AND state <> 'settled'`,
  resolve: `UPDATE calls SET state = 'settled', ${CONTENT}, expires = @expires
    WHERE ${MINE} AND state = 'unknown'`,
  resolveFree: `DELETE FROM calls WHERE ${MINE} AND state = 'unknown'`,
  free: `DELETE FROM calls WHERE ${MINE} AND state <> 'settled'`,
  release: `DELETE FROM calls WHERE ${MINE} AND state = 'started'`,
  renew: `UPDATE calls SET ${LEASE} WHERE ${MINE} AND state IN ('started', 'sent')`,
  prune: `DELETE FROM calls WHERE scope IN
    (SELECT scope FROM calls WHERE expires <= @now AND state <> 'sent' LIMIT 20)`,
  // Expired rows of unfinished calls become `unknown` and are kept for one more period, so that a
  // single wrong clock does not delete them.
  retire: `UPDATE calls SET state = 'unknown', expires = @expires WHERE scope IN
    (SELECT scope FROM calls WHERE expires <= @now AND state = 'sent' LIMIT 20)`,
} as const;
