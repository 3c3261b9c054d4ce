import type { SessionTotals, TotalsAnswer } from "@waybill/server";
import { clientName } from "../components/client-name.ts";
import { formatCount, formatDate, formatTime } from "../components/format.ts";
import { Panel } from "../components/panel.tsx";
import { Empty, Failed, Loading } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { viewAddress } from "../router/route.ts";
import { place, setQuery } from "../router/router.ts";
import { ClientTable } from "../tokens/breakdown.tsx";

const EVERY_MS = 5_000;
const GROUPINGS = { session: "By session", client: "By agent and client" } as const;

type GroupingName = keyof typeof GROUPINGS;

export function groupingIn(query: URLSearchParams): GroupingName | undefined {
  const given = query.get("group");
  return given === "session" || given === "client" ? given : undefined;
}

/** Lets the user choose between the list of calls and groups of calls. */
export function Grouping() {
  const { query } = place.value;
  return (
    <select
      class="field"
      aria-label="Group"
      value={groupingIn(query) ?? ""}
      data-set={query.has("group")}
      onChange={({ currentTarget }) => setQuery({ group: currentTarget.value })}
    >
      <option value="">Not grouped</option>
      {Object.entries(GROUPINGS).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Shows all stored calls in groups. Each group links to the list of its calls. */
export function Grouped({ by }: { readonly by: GroupingName }) {
  const { value, thrown } = useAnswer<TotalsAnswer>("/v1/inspect/totals?buckets=1", {
    everyMs: EVERY_MS,
    keeps: true,
  });
  return (
    <>
      <div class="filters row">
        <Grouping />
      </div>
      <Groups by={by} totals={value} thrown={thrown} />
    </>
  );
}

interface GroupsProps {
  readonly by: GroupingName;
  readonly totals: TotalsAnswer | undefined;
  readonly thrown: unknown;
}

function Groups({ by, totals, thrown }: GroupsProps) {
  if (totals === undefined) {
    if (thrown === undefined) return <Loading what="the groups" />;
    return <Failed title="The groups could not be read" thrown={thrown} />;
  }
  if (by === "client") return <ClientTable clients={totals.clients} />;
  if (totals.sessions.length > 0) return <SessionTable sessions={totals.sessions} />;
  return (
    <Empty title="No sessions yet">
      Each server that an agent starts is a session. To make one of several commands, set{" "}
      <code>WAYBILL_SESSION</code>.
    </Empty>
  );
}

function SessionTable({ sessions }: { readonly sessions: readonly SessionTotals[] }) {
  return (
    <Panel title="By session" aside="latest first">
      <div class="table-wrap" tabIndex={0} role="group" aria-label="By session">
        <table class="data-table">
          <thead>
            <tr>
              <th>Session</th>
              <th>Client</th>
              <th>Agent</th>
              <th>Caller</th>
              <th>First call</th>
              <th>Last call</th>
              <th class="number">Calls</th>
              <th class="number">Failed</th>
              <th class="number">Tokens</th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((one) => (
              <SessionRow key={rowKey(one)} totals={one} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function rowKey({ session, via, agent, caller }: SessionTotals): string {
  return [session, via, agent, caller].join(" ");
}

function SessionRow({ totals }: { readonly totals: SessionTotals }) {
  const { session, via, agent, caller, first_at, last_at, calls, errors, tokens_out } = totals;
  return (
    <tr>
      <td>
        <a class="mono" href={viewAddress("calls", undefined, { session, via, agent, caller })}>
          {session}
        </a>
      </td>
      <td>{clientName(via)}</td>
      <td>{agent ?? "–"}</td>
      <td>{caller ?? "–"}</td>
      <td title={formatDate(first_at)}>{formatTime(first_at)}</td>
      <td title={formatDate(last_at)}>{formatTime(last_at)}</td>
      <td class="number">{formatCount(calls)}</td>
      <td class="number">{errors === 0 ? "–" : formatCount(errors)}</td>
      <td class="number">{formatCount(tokens_out)}</td>
    </tr>
  );
}
