import type { CallSummary } from "@waybill/server";
import { clientName } from "../components/client-name.ts";
import { formatCount, formatDate, formatMs, formatTime } from "../components/format.ts";
import { inputSummary } from "../components/input-summary.ts";
import { OutcomeTag } from "../components/outcome.tsx";
import { viewAddress } from "../router/route.ts";

export interface CallRowProps {
  readonly call: CallSummary;
  readonly index: number;
  readonly start: number;
}

/** The columns with their names in the table's header. */
export const COLUMNS = [
  { name: "time", title: "Time" },
  { name: "capability", title: "Capability" },
  { name: "input", title: "Input" },
  { name: "route", title: "Route" },
  { name: "outcome", title: "Outcome" },
  { name: "duration", title: "Took" },
  { name: "tokens", title: "Tokens" },
  { name: "cost", title: "Requests" },
  { name: "via", title: "Client" },
] as const;

export function CallRow({ call, index, start }: CallRowProps) {
  const { capability_id, request_id, started_at, parent_id, kind } = call;
  const client = call.caller ?? call.agent ?? clientName(call.via);
  return (
    <div
      class="call-row"
      role="row"
      aria-rowindex={index + 2}
      data-ok={call.ok}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="cell" class="cell-time soft" title={formatDate(started_at)}>
        {formatTime(started_at)}
      </span>
      <span role="cell" class="cell-capability">
        {parent_id !== undefined && <span class="nested" title="Made within another call" />}
        <a class="row-link mono" href={viewAddress("calls", request_id)} data-index={index}>
          {capability_id}
        </a>
        {(kind === "step" || kind === "code") && <span class="tag">{kind}</span>}
      </span>
      <span role="cell" class="cell-input soft" title={call.error_message ?? call.input}>
        {inputSummary(call.input ?? "")}
        {call.error_message !== undefined && (
          <span class="problem"> {call.error_message.split("\n", 1)[0]}</span>
        )}
      </span>
      <span role="cell" class="cell-route">
        {call.route ?? <span class="soft">–</span>}
        {call.attempts > 1 && <span class="soft"> after {call.attempts - 1}</span>}
      </span>
      <span role="cell" class="cell-outcome">
        <OutcomeTag call={call} />
      </span>
      <span role="cell" class="cell-duration">
        {formatMs(call.duration_ms)}
      </span>
      <span role="cell" class="cell-tokens">
        {formatCount(call.tokens_out)}
      </span>
      <span role="cell" class="cell-cost">
        {formatCount(call.cost)}
      </span>
      <span role="cell" class="cell-via soft" title={client}>
        {client}
      </span>
    </div>
  );
}
