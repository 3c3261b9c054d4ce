import type { FileFormat } from "../sqlite/index.ts";

/**
 * `seq` orders the calls. It is assigned under the writer's lock, so it does not depend on clocks.
 * `bytes_to` is the total size of all rows up to this one, so that the rows above the limit are
 * found without a sum. Inputs and answers are in a separate table, which lists and counts do not
 * read.
 */
const SCHEMA = `
  CREATE TABLE calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT NOT NULL,
    parent_id TEXT,
    kind TEXT NOT NULL,
    capability_id TEXT NOT NULL,
    source TEXT,
    effect TEXT,
    route TEXT,
    ok INTEGER NOT NULL,
    outcome TEXT,
    keyed INTEGER,
    error_code TEXT,
    error_message TEXT,
    started_at INTEGER NOT NULL,
    duration_ms REAL NOT NULL,
    attempts INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_raw INTEGER,
    cost INTEGER,
    via TEXT,
    caller TEXT,
    session TEXT,
    agent TEXT,
    rate_remaining INTEGER,
    rate_limit INTEGER,
    rate_reset INTEGER,
    words TEXT NOT NULL,
    bytes_to INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX calls_by_request ON calls (request_id);
  CREATE INDEX calls_by_parent ON calls (parent_id) WHERE parent_id IS NOT NULL;
  CREATE TABLE texts (
    seq INTEGER PRIMARY KEY,
    params TEXT NOT NULL,
    params_size INTEGER NOT NULL,
    params_cut INTEGER NOT NULL,
    options TEXT NOT NULL,
    envelope TEXT NOT NULL,
    envelope_size INTEGER NOT NULL,
    envelope_cut INTEGER NOT NULL,
    timeline TEXT NOT NULL
  ) STRICT;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  INSERT INTO facts VALUES ('instance', lower(hex(randomblob(8))))
`;

/**
 * The durability of the history. A power cut may lose the last calls, which is better than
 * waiting for the disk at every call.
 */
export const FORMAT: FileFormat = {
  schema: SCHEMA,
  version: 3,
  migrations: {
    1: "ALTER TABLE calls ADD COLUMN caller TEXT",
    2: "ALTER TABLE calls ADD COLUMN session TEXT; ALTER TABLE calls ADD COLUMN agent TEXT",
  },
  synchronous: "NORMAL",
};

const COLUMNS = [
  "request_id",
  "parent_id",
  "kind",
  "capability_id",
  "source",
  "effect",
  "route",
  "ok",
  "outcome",
  "keyed",
  "error_code",
  "error_message",
  "started_at",
  "duration_ms",
  "attempts",
  "tokens_out",
  "tokens_raw",
  "cost",
  "via",
  "caller",
  "session",
  "agent",
  "rate_remaining",
  "rate_limit",
  "rate_reset",
  "words",
] as const;

const PLACES = COLUMNS.map((name) => `@${name}`).join(", ");

/** The columns that the list of calls shows. */
export const SUMMARY = `seq, request_id, parent_id, kind, capability_id, source, effect, route, ok,
  outcome, error_code, error_message, started_at, duration_ms, attempts, tokens_out, tokens_raw,
  cost, via, caller, session, agent, substr(words, 1, 200) AS input,
  (SELECT nullif(count(*), 0) FROM calls AS inner WHERE inner.parent_id = calls.request_id) AS nested`;

export const STATEMENTS = {
  insert: `INSERT INTO calls (${COLUMNS.join(", ")}, bytes_to)
    VALUES (${PLACES}, @size + coalesce((SELECT bytes_to FROM calls ORDER BY seq DESC LIMIT 1), 0))`,
  insertTexts: `INSERT INTO texts VALUES
    (last_insert_rowid(), @params, @params_size, @params_cut, @options, @envelope, @envelope_size,
      @envelope_cut, @timeline)`,
  last: "SELECT seq, bytes_to FROM calls ORDER BY seq DESC LIMIT 1",
  instance: "SELECT value FROM facts WHERE name = 'instance'",
  /** The newest row to remove, so that the rows after it are within the limit. */
  lastBeyond: "SELECT seq FROM calls WHERE bytes_to >= @beyond ORDER BY seq LIMIT 1",
  pruneCalls: "DELETE FROM calls WHERE seq < @first",
  pruneTexts: "DELETE FROM texts WHERE seq < @first",
  find: `SELECT ${SUMMARY}, keyed, params, params_size, params_cut, options, envelope, envelope_size,
      envelope_cut, timeline FROM calls JOIN texts USING (seq) WHERE request_id = @id ORDER BY seq DESC LIMIT 1`,
  summary: `SELECT ${SUMMARY} FROM calls WHERE request_id = @id ORDER BY seq DESC LIMIT 1`,
  children: `SELECT ${SUMMARY} FROM calls WHERE parent_id = @id ORDER BY seq LIMIT @limit`,
} as const;
