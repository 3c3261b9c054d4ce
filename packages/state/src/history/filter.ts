import type { HistoryFilter } from "./recorded.ts";

type Values = Record<string, string | number>;

/** A condition in SQL, with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: Values;
}

type Given = string | number;
type Clause = readonly [sql: string, value: Given | undefined];

/** A string for LIKE, with LIKE's special characters escaped. */
function like(text: string): string {
  return text.replaceAll(/[\\%_]/gu, String.raw`\$&`);
}

const CONTAINS = String.raw`LIKE @q ESCAPE '\'`;
const WORDS = ["capability_id", "request_id", "error_code", "error_message", "words"];

function capabilityClause(capability: string | undefined): Clause {
  if (capability?.endsWith("*") !== true) return ["capability_id = @capability", capability];
  const start = `${like(capability.slice(0, -1))}%`;
  return [String.raw`capability_id LIKE @capability ESCAPE '\'`, start];
}

/** A condition that needs no value. It applies if the member is set. */
function flag(sql: string, isSet: boolean): Clause {
  return [sql, isSet ? 1 : undefined];
}

function getClauses(filter: HistoryFilter): Record<string, Clause> {
  const { status, parent, q } = filter;
  const isOuter = parent === "none";
  return {
    capability: capabilityClause(filter.capability),
    route: ["route = @route", filter.route],
    outcome: ["outcome = @outcome", filter.outcome],
    ok: flag("ok = @ok", status === "ok"),
    bad: flag("ok = 1 - @bad", status === "error"),
    source: ["coalesce(source, 'local') = @source", filter.source],
    via: ["via = @via", filter.via],
    error: ["error_code = @error", filter.error],
    caller: ["caller = @caller", filter.caller],
    session: ["session = @session", filter.session],
    agent: ["agent = @agent", filter.agent],
    q: [
      `(${WORDS.map((name) => `${name} ${CONTAINS}`).join(" OR ")})`,
      q === undefined ? undefined : `%${like(q)}%`,
    ],
    since: ["started_at >= @since", filter.since],
    until: ["started_at < @until", filter.until],
    outer: flag("(parent_id IS NULL AND @outer = 1)", isOuter),
    parent: ["parent_id = @parent", isOuter ? undefined : parent],
  };
}

/** The SQL condition for the calls that match a filter, together with the condition `more`. */
export function getCondition(filter: HistoryFilter, more: Record<string, Clause> = {}): Condition {
  const given = Object.entries({ ...getClauses(filter), ...more }).flatMap(([name, [sql, value]]) =>
    value === undefined ? [] : [{ name, sql, value }],
  );
  return {
    sql: given.length === 0 ? "1" : given.map(({ sql }) => sql).join(" AND "),
    values: Object.fromEntries(given.map(({ name, value }) => [name, value])),
  };
}
