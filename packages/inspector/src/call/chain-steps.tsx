import type { CallDetail, CallSummary } from "@waybill/server";
import { formatMs } from "../components/format.ts";
import { Panel } from "../components/panel.tsx";
import { Leaf } from "./call-tree.tsx";
import { matchSteps } from "./match-steps.ts";
import type { StepResult } from "./match-steps.ts";
import { timeAxis } from "./timeline.ts";
import type { TimeAxis } from "./timeline.ts";

/**
 * The step results in a chain's envelope, including refused steps; empty if the envelope was cut.
 */
function readResults({ envelope }: CallDetail): readonly StepResult[] {
  const { data } = Object(envelope) as { data?: unknown };
  const { results } = Object(data) as { results?: unknown };
  return Array.isArray(results) ? (results as StepResult[]) : [];
}

/** Every step of a chain on one time axis with its result, including steps that were never sent. */
export function ChainSteps({ call }: { readonly call: CallDetail }) {
  const results = readResults(call);
  const axis = timeAxis(call, call.children);
  if (results.length === 0) return <KeptSteps call={call} axis={axis} />;
  const calls = matchSteps(results, call.children);
  const failed = results.filter(({ ok }) => ok !== true).length;
  const aside = `${results.length - failed} of ${results.length} succeeded, over ${formatMs(axis.span)}`;
  return (
    <Panel title="Steps" aside={aside}>
      <ol class="tree chain-steps">
        {results.map((result, index) => (
          <Step key={index} result={result} call={calls[index]} axis={axis} />
        ))}
      </ol>
    </Panel>
  );
}

interface KeptStepsProps {
  readonly call: CallDetail;
  readonly axis: TimeAxis;
}

/** The steps that were sent, if the envelope is missing or was cut. */
function KeptSteps({ call: { children }, axis }: KeptStepsProps) {
  return (
    <Panel title="Steps" aside={children.length === 0 ? undefined : `over ${formatMs(axis.span)}`}>
      {children.length === 0 ? (
        <p class="soft">The chain was refused before its first step.</p>
      ) : (
        <ol class="tree chain-steps">
          {children.map((step) => (
            <Leaf key={step.request_id} call={step} axis={axis} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

interface StepProps {
  readonly result: StepResult;
  /** The recorded call; undefined if there is none. */
  readonly call: CallSummary | undefined;
  readonly axis: TimeAxis;
}

function Step({ result: { ok, error, meta }, call, axis }: StepProps) {
  const message = error?.message !== undefined && <p class="soft small">{error.message}</p>;
  if (call !== undefined) {
    return (
      <Leaf call={call} axis={axis}>
        {message}
      </Leaf>
    );
  }
  return (
    <li>
      <div class="tree-line row">
        <span class="mono">{meta?.capability_id ?? "?"}</span>
        <span class="tag" data-tone={ok === true ? "good" : "bad"}>
          {ok === true ? "ok" : (error?.code ?? "failed")}
        </span>
        <span class="tree-end row soft small">{ok === true ? "not recorded" : "not sent"}</span>
      </div>
      {message}
    </li>
  );
}
