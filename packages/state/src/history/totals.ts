import type { DatabaseFile, FoundRow } from "../sqlite/index.ts";
import type { CallSurface, HistoryTotals, SourceTotals, TotalsQuery } from "./recorded.ts";

const BUCKETS = 60;
const MAX_BUCKETS = 500;
const MAX_CAPABILITIES = 200;
const MAX_CLIENTS = 100;
const MAX_SESSIONS = 200;

/** The answers that callers got; see HistoryTotals. */
const ANSWERED = "kind <> 'chain' AND (parent_id IS NULL OR kind = 'step')";
const WITHIN = "started_at >= @since AND started_at < @until";
/** If it is not known how much was left out, nothing counts as saved. */
const SUMS = `count(*) AS calls, sum(1 - ok) AS errors, sum(tokens_out) AS tokens_out,
  sum(coalesce(tokens_raw, tokens_out)) AS tokens_raw`;

/** The tokens of a chain are those of its final answer, which may omit parts of its steps. */
const WHOLE = "(parent_id IS NULL OR kind = 'step')";
const SUMS_OF_WHOLE = `sum(kind <> 'chain') AS calls, sum(kind <> 'chain' AND ok = 0) AS errors,
  sum(CASE kind WHEN 'step' THEN 0 ELSE tokens_out END) AS tokens_out,
  sum(CASE kind WHEN 'step' THEN 0 ELSE coalesce(tokens_raw, tokens_out) END) AS tokens_raw`;

const SPAN = `SELECT min(started_at) AS first, max(started_at) AS last FROM calls WHERE ${ANSWERED}`;
const BY_TIME = `SELECT CAST((started_at - @since) / @width AS INTEGER) AS bucket,
  ${SUMS_OF_WHOLE} FROM calls WHERE ${WHOLE} AND ${WITHIN} GROUP BY bucket`;

/** The given percentile of each group. SQLite has no function for this. */
function percentileSql(group: string, where: string): string {
  return `SELECT name, duration_ms FROM (
    SELECT ${group} AS name, duration_ms,
      row_number() OVER (PARTITION BY ${group} ORDER BY duration_ms) AS place,
      count(*) OVER (PARTITION BY ${group}) AS many
    FROM calls WHERE ${where}
  ) WHERE place = CAST((many * @percent + 99) / 100 AS INTEGER)`;
}

const BY_CAPABILITY = `SELECT capability_id, ${SUMS} FROM calls WHERE ${ANSWERED} AND ${WITHIN}
  GROUP BY capability_id ORDER BY tokens_out DESC, capability_id LIMIT ${MAX_CAPABILITIES}`;
const CAPABILITY_P50 = percentileSql("capability_id", `${ANSWERED} AND ${WITHIN}`);
/** All calls form one group. */
const WHOLE_PERCENTILE = percentileSql("'all'", `${ANSWERED} AND ${WITHIN}`);
const BY_CLIENT = `SELECT via, agent, caller, ${SUMS} FROM calls WHERE ${ANSWERED} AND ${WITHIN}
  GROUP BY via, agent, caller ORDER BY calls DESC, via, agent, caller LIMIT ${MAX_CLIENTS}`;
const BY_SESSION = `SELECT session, via, agent, caller, min(started_at) AS first_at,
  max(started_at) AS last_at, ${SUMS} FROM calls
  WHERE session IS NOT NULL AND ${ANSWERED} AND ${WITHIN}
  GROUP BY session, via, agent, caller ORDER BY max(seq) DESC LIMIT ${MAX_SESSIONS}`;
const BY_ROUTE = `SELECT route, count(*) AS calls FROM calls
  WHERE route IS NOT NULL AND ${ANSWERED} AND ${WITHIN} GROUP BY route ORDER BY calls DESC, route`;

/**
 * Skips calls of unknown capabilities, refused calls, and calls without a usable route, because
 * they say nothing about a source.
 */
const OF_SOURCES = `kind NOT IN ('chain', 'replayed', 'waiting') AND effect IS NOT NULL
  AND coalesce(error_code, '') NOT IN ('POLICY', 'VALIDATION')
  AND NOT (ok = 0 AND attempts = 0 AND coalesce(cost, 1) = 0)`;
/** "Not found" is a valid answer, so it is not a failure of the source. */
const SOURCE_FAILED = `(ok = 0 AND coalesce(error_code, '')
  NOT IN ('NOT_FOUND', 'CONFLICT', 'TOO_LARGE', 'CANCELLED'))`;
const NAME = "coalesce(source, 'local')";
const BY_SOURCE = `SELECT ${NAME} AS name, count(*) AS calls, sum(${SOURCE_FAILED}) AS errors
  FROM calls WHERE ${OF_SOURCES} GROUP BY name ORDER BY name`;
const SOURCE_PERCENTILE = percentileSql(NAME, OF_SOURCES);
const LATEST_LIMIT = `SELECT ${NAME} AS name, max(seq), rate_remaining, rate_limit, rate_reset
  FROM calls WHERE ${OF_SOURCES} AND rate_remaining IS NOT NULL GROUP BY name`;
const LATEST_ERROR = `SELECT ${NAME} AS name, max(seq), error_code, error_message, started_at
  FROM calls WHERE ${OF_SOURCES} AND ${SOURCE_FAILED} GROUP BY name`;

type Values = Readonly<Record<string, number>>;

function numbersBy(file: DatabaseFile, sql: string, values: Values): Map<unknown, number> {
  return new Map(file.all(sql, values).map((row) => [row["name"], Number(row["duration_ms"])]));
}

/** The default is the time from the first call to the last. */
function getSpan(file: DatabaseFile, { since, until }: TotalsQuery): [number, number] {
  const [span = {}] = file.all(SPAN);
  const start = since ?? Number(span["first"] ?? 0);
  return [start, Math.max(start + 1, until ?? Number(span["last"] ?? 0) + 1)];
}

function getBuckets(
  file: DatabaseFile,
  [since, until]: [number, number],
  wanted: number,
): HistoryTotals["buckets"] {
  const count = Math.max(1, Math.min(MAX_BUCKETS, Math.trunc(wanted)));
  const width = Math.max(1, Math.ceil((until - since) / count));
  const found = new Map(
    file.all(BY_TIME, { since, until, width }).map((row) => [row["bucket"], row]),
  );
  return Array.from({ length: Math.ceil((until - since) / width) }, (_, index) => ({
    at: since + index * width,
    ...sumsIn(found.get(index)),
  }));
}

function sumsIn(row: FoundRow = {}): Omit<HistoryTotals["buckets"][number], "at"> {
  const [calls, errors, tokens_out, tokens_raw] = [
    row["calls"],
    row["errors"],
    row["tokens_out"],
    row["tokens_raw"],
  ].map((value) => Number(value ?? 0)) as [number, number, number, number];
  return { calls, errors, tokens_out, tokens_raw };
}

export function totalsIn(file: DatabaseFile, query: TotalsQuery): HistoryTotals {
  const [since, until] = getSpan(file, query);
  const within = { since, until };
  const p50 = numbersBy(file, CAPABILITY_P50, { ...within, percent: 50 });
  return {
    buckets: getBuckets(file, [since, until], query.buckets ?? BUCKETS),
    capabilities: file.all(BY_CAPABILITY, within).map((row) => ({
      capability_id: String(row["capability_id"]),
      ...sumsIn(row),
      p50_ms: p50.get(row["capability_id"]) ?? 0,
    })),
    ...durationsIn(file, within),
    clients: file.all(BY_CLIENT, within).map(clientIn),
    sessions: file.all(BY_SESSION, within).map((row) => ({
      session: String(row["session"]),
      first_at: Number(row["first_at"]),
      last_at: Number(row["last_at"]),
      ...clientIn(row),
    })),
    routes: file.all(BY_ROUTE, within).map(({ route, calls }) => ({
      route: String(route),
      calls: Number(calls),
    })),
  };
}

/** Without calls, the duration is undefined. */
function durationsIn(file: DatabaseFile, within: Values): Pick<HistoryTotals, "p50_ms" | "p95_ms"> {
  const [p50_ms, p95_ms] = [50, 95].map((percent) =>
    numbersBy(file, WHOLE_PERCENTILE, { ...within, percent }).get("all"),
  );
  return { ...(p50_ms !== undefined && { p50_ms }), ...(p95_ms !== undefined && { p95_ms }) };
}

function clientIn(row: FoundRow): HistoryTotals["clients"][number] {
  const { via, agent, caller } = row;
  return {
    ...(typeof via === "string" && { via: via as CallSurface }),
    ...(typeof agent === "string" && { agent }),
    ...(typeof caller === "string" && { caller }),
    ...sumsIn(row),
  };
}

function limitIn(row: FoundRow | undefined): Pick<SourceTotals, "rate_limit"> {
  if (row === undefined) return {};
  const { rate_remaining, rate_limit, rate_reset } = row;
  return {
    rate_limit: {
      remaining: Number(rate_remaining),
      ...(typeof rate_limit === "number" && { limit: rate_limit }),
      ...(typeof rate_reset === "number" && { reset_at: rate_reset }),
    },
  };
}

function errorIn(row: FoundRow | undefined): Pick<SourceTotals, "last_error"> {
  if (row === undefined) return {};
  const { error_code, error_message, started_at } = row;
  const [code, message] = [String(error_code ?? ""), String(error_message ?? "")];
  return { last_error: { code, message, at: Number(started_at) } };
}

export function sourcesIn(file: DatabaseFile): SourceTotals[] {
  const p50 = numbersBy(file, SOURCE_PERCENTILE, { percent: 50 });
  const p95 = numbersBy(file, SOURCE_PERCENTILE, { percent: 95 });
  const limits = new Map(file.all(LATEST_LIMIT).map((row) => [row["name"], row]));
  const errors = new Map(file.all(LATEST_ERROR).map((row) => [row["name"], row]));
  return file.all(BY_SOURCE).map(({ name, calls, errors: failed }) => ({
    name: String(name),
    calls: Number(calls),
    errors: Number(failed),
    p50_ms: p50.get(name) ?? 0,
    p95_ms: p95.get(name) ?? 0,
    ...limitIn(limits.get(name)),
    ...errorIn(errors.get(name)),
  }));
}
