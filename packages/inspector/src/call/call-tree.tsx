import type { CallDetail, CallSummary, CallsAnswer } from "@waybill/server";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatMs } from "../components/format.ts";
import { OutcomeTag } from "../components/outcome.tsx";
import { Panel } from "../components/panel.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { viewAddress } from "../router/route.ts";
import { callBar, timeAxis } from "./timeline.ts";
import type { TimeAxis } from "./timeline.ts";

/** The ancestors and children of a call. */
export function CallTree({ call }: { readonly call: CallDetail }) {
  const { ancestors } = call;
  // The steps of a chain are shown separately.
  const children = call.kind === "chain" ? [] : call.children;
  if (ancestors.length === 0 && children.length === 0) return null;
  const path = [...ancestors, call];
  const axis = timeAxis(path[0] ?? call, children);
  const aside = children.length === 0 ? undefined : `${children.length} within`;
  return (
    <Panel title="Nested calls" aside={`${aside ?? ""} over ${formatMs(axis.span)}`.trim()}>
      <Branch path={path} current={call.request_id} axis={axis}>
        {children}
      </Branch>
    </Panel>
  );
}

interface BranchProps {
  readonly path: readonly CallSummary[];
  readonly current: string;
  readonly axis: TimeAxis;
  readonly children: readonly CallSummary[];
}

/** From the outermost call down to the current one, whose children are the leaves. */
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
  /** Content below the line. */
  readonly children?: ComponentChildren;
}

/** A call on the time axis. Its children are shown on request. */
export function Leaf({ call, axis, children }: LeafProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <Line call={call} axis={axis}>
        <button
          type="button"
          class="button quiet"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Hide" : "Show"} calls within ${call.capability_id}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide" : "Show"} calls
        </button>
      </Line>
      {children}
      {isOpen && <Within id={call.request_id} axis={axis} />}
    </li>
  );
}

/** Loads the children when opened, so that a deep tree loads only what is looked at. */
function Within({ id, axis }: { readonly id: string; readonly axis: TimeAxis }) {
  const query = new URLSearchParams({ parent: id, limit: "200" });
  const { value } = useAnswer<CallsAnswer>(`/v1/inspect/calls?${query.toString()}`);
  if (value === undefined) return <p class="soft small">Loading…</p>;
  if (value.calls.length === 0) return <p class="tree soft small">No nested calls.</p>;
  return <Leaves calls={value.calls.toReversed()} axis={axis} />;
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
      <OutcomeTag call={call} />
      {children}
      <span class="tree-end row">
        <Track call={call} axis={axis} />
        <span class="attempt-time soft small">{formatMs(call.duration_ms)}</span>
      </span>
    </div>
  );
}
