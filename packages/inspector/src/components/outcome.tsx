import type { CallSummary } from "@waybill/server";

type OutcomeFields = Pick<CallSummary, "ok" | "outcome" | "error_code" | "kind">;

/** The labels of calls that a program did not send. */
const UNSENT: Partial<Record<CallSummary["kind"], string>> = {
  replayed: "replayed",
  waiting: "waits for approval",
};

/** The result of a call as one word. */
export function OutcomeTag({ call }: { readonly call: OutcomeFields }) {
  const { ok, outcome, error_code, kind } = call;
  const unsent = UNSENT[kind];
  if (unsent !== undefined) {
    return (
      <span class="tag" data-tone={kind === "waiting" ? "warn" : ""}>
        {unsent}
      </span>
    );
  }
  if (kind === "chain" && !ok && error_code === undefined) {
    return (
      <span class="tag" data-tone="warn">
        partial
      </span>
    );
  }
  if (!ok) {
    return (
      <span class="row tight">
        <span class="tag" data-tone="bad">
          {error_code ?? "failed"}
        </span>
        {outcome === "unknown" && (
          <span class="tag" data-tone="warn">
            may be applied
          </span>
        )}
      </span>
    );
  }
  return (
    <span class="tag" data-tone="good">
      {outcome === "applied" ? "applied" : "ok"}
    </span>
  );
}
