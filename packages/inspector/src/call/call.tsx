import type { CallDetail } from "@waybill/server";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/ask.ts";
import { Failed, Loading } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { CallHead } from "./call-head.tsx";
import { ChainSteps } from "./chain-steps.tsx";
import { CallTree } from "./call-tree.tsx";
import { ComparePanel } from "./compare.tsx";
import { CopyPanel, EnvelopePanel, RequestPanel } from "./payloads.tsx";
import { ProgramPanel } from "./program.tsx";
import { Waterfall } from "./waterfall.tsx";

const TRIES = 8;
const RETRY_MS = 300;

/** The page of one call. */
export function Call({ id }: { readonly id: string }) {
  const [turn, setTurn] = useState(0);
  const path = `/v1/inspect/calls/${encodeURIComponent(id)}`;
  const { value: call, thrown } = useAnswer<CallDetail>(path, { turn });
  // A call that has just ended may not be in the history yet.
  const isPending = thrown instanceof Refused && thrown.status === 404 && turn < TRIES;
  useEffect(() => {
    const timer = isPending ? setTimeout(() => setTurn(turn + 1), RETRY_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isPending, turn]);
  if (call !== undefined) return <CallPage call={call} />;
  if (thrown === undefined || isPending) return <Loading what="the call" />;
  return <Failed title="This call cannot be shown" thrown={thrown} />;
}

/** The attempts of a call, the steps of a chain, or the text of a program. */
function Inside({ call }: { readonly call: CallDetail }) {
  if (call.kind === "code") return <ProgramPanel call={call} />;
  return call.kind === "chain" ? <ChainSteps call={call} /> : <Waterfall call={call} />;
}

function CallPage({ call }: { readonly call: CallDetail }) {
  return (
    <div class="call-page stack">
      <CallHead call={call} />
      <Inside call={call} />
      <CallTree call={call} />
      <div class="call-payloads">
        <div class="stack">
          {call.kind !== "code" && <RequestPanel call={call} />}
          <CopyPanel call={call} />
        </div>
        <EnvelopePanel call={call} />
      </div>
      <ComparePanel call={call} />
    </div>
  );
}
