import type { CapabilityTotals, ClientTotals, TotalsAnswer } from "@waybill/server";
import { formatCount, formatMs, formatShare } from "../components/format.ts";
import { clientName } from "../components/client-name.ts";
import { Panel } from "../components/panel.tsx";
import { viewAddress } from "../router/route.ts";
import { byTokens, getSaved } from "./sums.ts";

const MOST_ROWS = 50;

/** The tokens of each capability. */
export function CapabilityTable(props: { readonly capabilities: readonly CapabilityTotals[] }) {
  const capabilities = byTokens(props.capabilities).slice(0, MOST_ROWS);
  const most = Math.max(1, ...capabilities.map((one) => Math.max(one.tokens_out, one.tokens_raw)));
  return (
    <Panel title="By capability" aside="answer tokens, compared with the upstreams' responses">
      <div class="table-wrap" tabIndex={0} role="group" aria-label="By capability">
        <table class="data-table">
          <thead>
            <tr>
              <th>Capability</th>
              <th class="bar-cell">Tokens</th>
              <th class="number">Answer tokens</th>
              <th class="number">Saved</th>
              <th class="number">Calls</th>
              <th class="number">Failed</th>
              <th class="number">Median</th>
            </tr>
          </thead>
          <tbody>
            {capabilities.map((one) => (
              <CapabilityRow key={one.capability_id} totals={one} most={most} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function CapabilityRow({
  totals,
  most,
}: {
  readonly totals: CapabilityTotals;
  readonly most: number;
}) {
  const { capability_id, calls, errors, tokens_out, tokens_raw, p50_ms } = totals;
  const saved = getSaved({ out: tokens_out, raw: tokens_raw });
  return (
    <tr>
      <td>
        <a class="mono" href={viewAddress("calls", undefined, { capability: capability_id })}>
          {capability_id}
        </a>
      </td>
      <td class="bar-cell" aria-hidden="true">
        <span
          class="bar soft-bar"
          style={{ width: share(Math.max(tokens_raw, tokens_out), most) }}
        />
        <span class="bar" style={{ width: share(tokens_out, most) }} />
      </td>
      <td class="number">{formatCount(tokens_out)}</td>
      <td class="number">{tokens_raw === 0 ? "–" : formatShare(saved, tokens_raw)}</td>
      <td class="number">{formatCount(calls)}</td>
      <td class="number">{errors === 0 ? "–" : formatCount(errors)}</td>
      <td class="number">{formatMs(p50_ms)}</td>
    </tr>
  );
}

/** The calls by client: one row for each client, and for each of its callers. */
export function ClientTable({ clients }: { readonly clients: readonly ClientTotals[] }) {
  return (
    <Panel title="By client">
      <div class="table-wrap" tabIndex={0} role="group" aria-label="By client">
        <table class="data-table">
          <thead>
            <tr>
              <th>Client</th>
              <th>Agent</th>
              <th>Caller</th>
              <th class="number">Calls</th>
              <th class="number">Failed</th>
              <th class="number">Tokens</th>
            </tr>
          </thead>
          <tbody>
            {clients.map((one) => (
              <ClientRow key={`${one.via} ${one.agent} ${one.caller}`} totals={one} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function ClientRow({ totals }: { readonly totals: ClientTotals }) {
  const { via, agent, caller, calls, errors, tokens_out } = totals;
  return (
    <tr>
      <td>
        <a href={viewAddress("calls", undefined, { via, agent, caller })}>{clientName(via)}</a>
      </td>
      <td>{agent ?? "–"}</td>
      <td>{caller ?? "–"}</td>
      <td class="number">{formatCount(calls)}</td>
      <td class="number">{errors === 0 ? "–" : formatCount(errors)}</td>
      <td class="number">{formatCount(tokens_out)}</td>
    </tr>
  );
}

/** The calls by route. */
export function RouteBars({ routes }: { readonly routes: TotalsAnswer["routes"] }) {
  const most = Math.max(1, ...routes.map(({ calls }) => calls));
  return (
    <Panel title="Calls per route">
      <ul class="route-bars">
        {routes.map(({ route, calls }) => (
          <li key={route}>
            <a class="mono" href={viewAddress("calls", undefined, { route })}>
              {route}
            </a>
            <span class="bar-cell" aria-hidden="true">
              <span class="bar" style={{ width: share(calls, most) }} />
            </span>
            <span class="number">{formatCount(calls)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function share(part: number, whole: number): string {
  return `${Math.min(100, (part / whole) * 100)}%`;
}
