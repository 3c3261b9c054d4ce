import type { CallDetail, CallSummary, CallsAnswer } from "@waybill/server";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatMs } from "../components/format.ts";
import { OutcomeTag } from "../components/outcome.tsx";
import { Panel } from "../components/panel.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { addressOf } from "../router/route.ts";

/** The calls around this one: those it was made in, and those made in it. */
export function CallTree({ call }: { readonly call: CallDetail }) {
  const { ancestors, children } = call;
  if (ancestors.length === 0 && children.length === 0) return null;
  const aside = children.length === 0 ? undefined : `${children.length} within`;
  return (
    <Panel title="Nested calls" aside={aside}>
      <Branch path={[...ancestors, call]} current={call.request_id}>
        {children}
      </Branch>
    </Panel>
  );
}

interface BranchProps {
  readonly path: readonly CallSummary[];
  readonly current: string;
  readonly children: readonly CallSummary[];
}

/** From the outermost call down to the current one, whose children are the leaves. */
function Branch({ path, current, children }: BranchProps) {
  const [first, ...rest] = path;
  if (first === undefined) return <Leaves calls={children} />;
  return (
    <ul class="tree">
      <li>
        <Line call={first} isCurrent={first.request_id === current} />
        <Branch path={rest} current={current}>
          {children}
        </Branch>
      </li>
    </ul>
  );
}

function Leaves({ calls }: { readonly calls: readonly CallSummary[] }) {
  return (
    <ul class="tree">
      {calls.map((child) => (
        <Leaf key={child.request_id} call={child} />
      ))}
    </ul>
  );
}

function Leaf({ call }: { readonly call: CallSummary }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <Line call={call}>
        <button
          type="button"
          class="button quiet"
          aria-expanded={isOpen}
          aria-label={`Calls within ${call.capability_id}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "hide" : "within"}
        </button>
      </Line>
      {isOpen && <Within id={call.request_id} />}
    </li>
  );
}

/** Asked for when it is opened, so that a deep tree costs no more than what is looked at. */
function Within({ id }: { readonly id: string }) {
  const query = new URLSearchParams({ parent: id, limit: "200" });
  const { value } = useAnswer<CallsAnswer>(`/v1/inspect/calls?${query.toString()}`);
  if (value === undefined) return <p class="soft small">Asking…</p>;
  if (value.calls.length === 0) return <p class="tree soft small">No calls within it.</p>;
  return <Leaves calls={value.calls.toReversed()} />;
}

interface LineProps {
  readonly call: CallSummary;
  readonly isCurrent?: boolean;
  readonly children?: ComponentChildren;
}

function Line({ call, isCurrent = false, children }: LineProps) {
  return (
    <div class="tree-line row" data-current={isCurrent}>
      {isCurrent ? (
        <strong class="mono">{call.capability_id}</strong>
      ) : (
        <a class="mono" href={addressOf("calls", call.request_id)}>
          {call.capability_id}
        </a>
      )}
      {call.kind === "step" && <span class="tag">step</span>}
      <OutcomeTag call={call} />
      <span class="soft small">{formatMs(call.duration_ms)}</span>
      {children}
    </div>
  );
}
