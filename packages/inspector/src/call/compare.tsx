import type { CallDetail, CallsAnswer, CallSummary } from "@waybill/server";
import { formatMs, formatTime } from "../components/format.ts";
import { inputSummary } from "../components/input-summary.ts";
import { Panel } from "../components/panel.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { viewAddress } from "../router/route.ts";
import { place, setQuery } from "../router/router.ts";
import { MAX_DIFFERENCES, differences } from "./differences.ts";
import type { Difference } from "./differences.ts";

const MOST = "50";

/** Compares a call with another one of the same capability: input, cost and answer. */
export function ComparePanel({ call }: { readonly call: CallDetail }) {
  const chosen = place.value.query.get("with") ?? "";
  const query = new URLSearchParams({ capability: call.capability_id, limit: MOST });
  const { value } = useAnswer<CallsAnswer>(`/v1/inspect/calls?${query.toString()}`);
  const others = (value?.calls ?? []).filter(({ request_id }) => request_id !== call.request_id);
  if (others.length === 0 && chosen === "") return null;
  return (
    <Panel title="Compare">
      <label class="row">
        <span>With</span>
        <select
          class="field"
          value={chosen}
          onChange={({ currentTarget }) => setQuery({ with: currentTarget.value })}
        >
          <option value="">another call of {call.capability_id}</option>
          {others.map((other) => (
            <option key={other.request_id} value={other.request_id}>
              {optionText(other)}
            </option>
          ))}
        </select>
      </label>
      {chosen !== "" && <Compared call={call} other={chosen} />}
    </Panel>
  );
}

function optionText({ started_at, input = "", ok, error_code = "failed" }: CallSummary): string {
  return [formatTime(started_at), inputSummary(input), ok ? "ok" : error_code]
    .filter(Boolean)
    .join(" · ");
}

function Compared({ call, other }: { readonly call: CallDetail; readonly other: string }) {
  const path = `/v1/inspect/calls/${encodeURIComponent(other)}`;
  const { value, thrown } = useAnswer<CallDetail>(path);
  if (thrown !== undefined) return <p class="soft">The other call is no longer stored.</p>;
  if (value === undefined) return <p class="soft">Loading…</p>;
  const found = differences(comparable(value), comparable(call));
  if (found.length === 0) return <p>Both calls have the same input, cost and answer.</p>;
  return (
    <>
      <DifferenceTable found={found} other={other} />
      {found.length >= MAX_DIFFERENCES && (
        <p class="soft small">Only the first {MAX_DIFFERENCES} differences are shown.</p>
      )}
    </>
  );
}

/** The members to compare. Ids and times are left out, because they always differ. */
function comparable(call: CallDetail): unknown {
  const { ok, route, attempts, tokens_out, cost, outcome, via, caller } = call;
  const { data, error } = Object(call.envelope) as { data?: unknown; error?: unknown };
  const took = formatMs(call.duration_ms);
  const answer = call.envelope_cut ? { envelope: call.envelope } : { data, error };
  return {
    input: call.params,
    options: call.options,
    ok,
    outcome,
    route,
    attempts,
    took,
    tokens_out,
    requests: cost,
    via,
    caller,
    ...answer,
  };
}

interface DifferenceTableProps {
  readonly found: readonly Difference[];
  readonly other: string;
}

function DifferenceTable({ found, other }: DifferenceTableProps) {
  return (
    <div class="table-wrap" tabIndex={0} role="group" aria-label="Differences">
      <table class="data-table small">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">
              <a href={viewAddress("calls", other)}>Other call</a>
            </th>
            <th scope="col">This call</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row" class="mono">
                {path}
              </th>
              <td class="mono wraps">{before ?? "–"}</td>
              <td class="mono wraps">{after ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
