import type { CallDetail } from "@waybill/server";
import { clientName } from "../components/client-name.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Fact } from "../components/fact.tsx";
import { formatCount, formatDate, formatMs, formatShare } from "../components/format.ts";
import { OutcomeTag } from "../components/outcome.tsx";
import { viewAddress } from "../router/route.ts";
import { Replay } from "./replay.tsx";

export function CallHead({ call }: { readonly call: CallDetail }) {
  const { capability_id, kind, effect } = call;
  return (
    <>
      <div class="row title-row">
        <h1 class="mono">{capability_id}</h1>
        <OutcomeTag call={call} />
        {kind === "step" && <span class="tag">step</span>}
        {effect !== undefined && <span class="tag">{effect}</span>}
        <span class="row title-end">
          <Replay call={call} />
        </span>
      </div>
      {call.error_message !== undefined && (
        <p class="notice" role="note">
          {call.error_message}
        </p>
      )}
      <dl class="facts">
        <Fact name="Began">{formatDate(call.started_at)}</Fact>
        <Fact name="Took">{formatMs(call.duration_ms)}</Fact>
        <Fact name="Route">{call.route ?? "none"}</Fact>
        <Fact name="Answer tokens">{tokens(call)}</Fact>
        <Fact name="Requests">{formatCount(call.cost)}</Fact>
        <Client call={call} />
        {call.caller !== undefined && (
          <Fact name="Caller">
            <a href={viewAddress("calls", undefined, { caller: call.caller })}>{call.caller}</a>
          </Fact>
        )}
        {call.journal !== undefined && <Fact name="Journal">{journal(call.journal)}</Fact>}
        <Fact name="Id">
          <code>{call.request_id}</code> <CopyButton text={call.request_id} what="the call's id" />
        </Fact>
        {kind !== "chain" && kind !== "code" && (
          <Fact name="Capability">
            <a href={viewAddress("capabilities", capability_id)}>Capability</a>
            {" · "}
            <a href={viewAddress("calls", undefined, { capability: capability_id })}>All calls</a>
          </Fact>
        )}
      </dl>
    </>
  );
}

/** The program that made the call, with a link to the other calls of its session. */
function Client({ call: { via, agent, session } }: { readonly call: CallDetail }) {
  const name = agent ?? clientName(via);
  return (
    <Fact name="Client">
      {session === undefined ? (
        name
      ) : (
        <a href={viewAddress("calls", undefined, { session })} title="All calls of this session">
          {name}
        </a>
      )}
    </Fact>
  );
}

/** The tokens of the answer, and the tokens saved. */
function tokens({ tokens_out, tokens_raw }: CallDetail): string {
  if (tokens_out === undefined || tokens_raw === undefined || tokens_raw <= tokens_out) {
    return formatCount(tokens_out);
  }
  const spared = formatShare(tokens_raw - tokens_out, tokens_raw);
  return `${formatCount(tokens_out)} instead of ${formatCount(tokens_raw)} from the upstream, ${spared} saved`;
}

const JOURNAL_WORDS = {
  applied: "applied",
  not_applied: "not applied",
  unknown: "unknown whether it was applied",
} as const;

function journal({ outcome, keyed }: NonNullable<CallDetail["journal"]>): string {
  return `${JOURNAL_WORDS[outcome]}, ${keyed ? "with an idempotency key" : "without an idempotency key"}`;
}
