import type { CallDetail, CallSummary } from "@waybill/server";
import { Panel } from "../components/panel.tsx";
import { addressOf } from "../router/route.ts";

interface StepResult {
  readonly ok?: boolean;
  readonly error?: { readonly code?: string; readonly message?: string } | null;
  readonly meta?: { readonly capability_id?: string; readonly request_id?: string };
}

/** The results in the envelope of a chain, which has refused steps too; none if it was cut. */
function readResults({ envelope }: CallDetail): readonly StepResult[] {
  const { data } = Object(envelope) as { data?: unknown };
  const { results } = Object(data) as { results?: unknown };
  return Array.isArray(results) ? (results as StepResult[]) : [];
}

/** Every step of a chain and how it ended, also those that were never sent. */
export function ChainSteps({ call }: { readonly call: CallDetail }) {
  const results = readResults(call);
  if (results.length === 0) {
    return (
      <Panel title="Steps">
        <p class="soft">The chain was refused before its first step.</p>
      </Panel>
    );
  }
  const failed = results.filter(({ ok }) => ok !== true).length;
  return (
    <Panel title="Steps" aside={`${results.length - failed} of ${results.length} succeeded`}>
      <ol class="chain-steps">
        {results.map((result, index) => (
          <Step key={index} result={result} made={call.children} />
        ))}
      </ol>
    </Panel>
  );
}

interface StepProps {
  readonly result: StepResult;
  readonly made: readonly CallSummary[];
}

function Step({ result: { ok, error, meta }, made }: StepProps) {
  const id = meta?.request_id;
  const name = meta?.capability_id ?? "?";
  const isKept = made.some(({ request_id }) => request_id === id);
  return (
    <li class="row">
      {isKept && id !== undefined ? (
        <a class="mono" href={addressOf("calls", id)}>
          {name}
        </a>
      ) : (
        <span class="mono">{name}</span>
      )}
      <span class="tag" data-tone={ok === true ? "good" : "bad"}>
        {ok === true ? "ok" : (error?.code ?? "failed")}
      </span>
      {error?.message !== undefined && <span class="soft">{error.message}</span>}
    </li>
  );
}
