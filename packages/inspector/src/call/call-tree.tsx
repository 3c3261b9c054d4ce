import type { CallDetail, CallSummary, CallsAnswer } from "@waybill/server";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatCount, formatMs } from "../components/format.ts";
import { inputSummary } from "../components/input-summary.ts";
import { OutcomeTag } from "../components/outcome.tsx";
import { Panel } from "../components/panel.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { viewAddress } from "../router/route.ts";
import { callBar, timeAxis } from "./timeline.ts";
import type { TimeAxis } from "./timeline.ts";

/** The ancestors and children of a call. */
export function CallTree({ call }: { readonly call: CallDetail }) {
  const { ancestors } = call;
  // The steps of a chain are left out here, because the page shows them separately.
  const children = call.kind === "chain" ? [] : call.children;
  if (ancestors.length === 0 && children.length === 0) return null;
  const path = [...ancestors, call];
  const axis = timeAxis(path[0] ?? call, children);
  const nested = call.nested ?? children.length;
  const count = nested === 0 ? "" : `${callCount(nested)} `;
  return (
    <Panel title="Nested calls" aside={`${count}over ${formatMs(axis.span)}`}>
      <Branch path={path} current={call.request_id} axis={axis}>
        {children}
      </Branch>
      <MoreCalls shown={children.length} call={call} />
    </Panel>
  );
}

function callCount(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "call" : "calls"}`;
}

interface MoreCallsProps {
  readonly shown: number;
  readonly call: CallSummary;
}

/** Shows a note that only the first calls are listed, with a link to the whole list. */
function MoreCalls({ shown, call: { request_id, nested = 0 } }: MoreCallsProps) {
  if (nested <= shown) return null;
  return (
    <p class="soft small">
      The first {formatCount(shown)} of {callCount(nested)} are shown.{" "}
      <a href={viewAddress("calls", undefined, { parent: request_id })}>Show all</a>
    </p>
  );
}

interface BranchProps {
  readonly path: readonly CallSummary[];
  readonly current: string;
  readonly axis: TimeAxis;
  readonly children: readonly CallSummary[];
}

/** Shows the calls from the outermost one down to the current one and its children. */
function Branch({ path, current, axis, children }: BranchProps) {
  const [first, ...rest] = path;
  if (first === undefined) return <Leaves calls={children} axis={axis} />;
  return (
    <ul class="tree">
      <li>
        <Line call={first} axis={axis} isCurrent={first.request_id === current} />
        <Branch path={rest} current={current} axis={axis}>
          {children}
        </Branch>
      </li>
    </ul>
  );
}

interface LeavesProps {
  readonly calls: readonly CallSummary[];
  readonly axis: TimeAxis;
}

function Leaves({ calls, axis }: LeavesProps) {
  return (
    <ul class="tree">
      {calls.map((child) => (
        <Leaf key={child.request_id} call={child} axis={axis} />
      ))}
    </ul>
  );
}

interface LeafProps {
  readonly call: CallSummary;
  readonly axis: TimeAxis;
  /** Content that is shown below the call's line. */
  readonly children?: ComponentChildren;
}

/** A call on the time axis. Its children are shown on request. */
export function Leaf({ call, axis, children }: LeafProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <Line call={call} axis={axis}>
        {call.nested !== undefined && (
          <button
            type="button"
            class="button quiet"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? "Hide" : "Show"} calls within ${call.capability_id}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Hide" : "Show"} {callCount(call.nested)}
          </button>
        )}
      </Line>
      {children}
      {isOpen && <Within call={call} axis={axis} />}
    </li>
  );
}

/** Loads the children when opened, so that a deep tree loads only what is looked at. */
function Within({ call, axis }: { readonly call: CallSummary; readonly axis: TimeAxis }) {
  const query = new URLSearchParams({ parent: call.request_id, limit: "200" });
  const { value } = useAnswer<CallsAnswer>(`/v1/inspect/calls?${query.toString()}`);
  if (value === undefined) return <p class="soft small">Loading…</p>;
  return (
    <>
      <Leaves calls={value.calls.toReversed()} axis={axis} />
      <MoreCalls shown={value.calls.length} call={call} />
    </>
  );
}

interface LineProps {
  readonly call: CallSummary;
  readonly axis: TimeAxis;
  readonly isCurrent?: boolean;
  readonly children?: ComponentChildren;
}

/** Calls that a program did not send took no time, so they have no bar. */
function Track({ call, axis }: { readonly call: CallSummary; readonly axis: TimeAxis }) {
  const { start, width } = callBar(call, axis);
  const isSent = call.kind !== "replayed" && call.kind !== "waiting";
  return (
    <span class="attempt-track tree-track" aria-hidden="true">
      {isSent && <span class="attempt-bar" style={{ left: `${start}%`, width: `${width}%` }} />}
    </span>
  );
}

function Line({ call, axis, isCurrent = false, children }: LineProps) {
  return (
    <div class="tree-line row" data-current={isCurrent}>
      {isCurrent ? (
        <strong class="mono">{call.capability_id}</strong>
      ) : (
        <a class="mono" href={viewAddress("calls", call.request_id)}>
          {call.capability_id}
        </a>
      )}
      {call.kind === "step" && <span class="tag">step</span>}
      {call.kind !== "code" && call.kind !== "chain" && (
        <span class="tree-input soft small" title={call.input}>
          {inputSummary(call.input ?? "")}
        </span>
      )}
      <OutcomeTag call={call} />
      {children}
      <span class="tree-end row">
        <Track call={call} axis={axis} />
        <span class="attempt-time soft small">{formatMs(call.duration_ms)}</span>
      </span>
    </div>
  );
}
