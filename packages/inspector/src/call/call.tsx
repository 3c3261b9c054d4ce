import type { CallDetail } from "@waybill/server";
import { Failed, Loading } from "../components/states.tsx";
import { CallHead } from "./call-head.tsx";
import { ChainSteps } from "./chain-steps.tsx";
import { CallTree } from "./call-tree.tsx";
import { ComparePanel } from "./compare.tsx";
import { FilesPanel } from "./files.tsx";
import { CopyPanel, EnvelopePanel, RequestPanel } from "./payloads.tsx";
import { ProgramPanel } from "./program.tsx";
import { useCall } from "./use-call.ts";
import { Waterfall } from "./waterfall.tsx";

/** The page of one call. */
export function Call({ id }: { readonly id: string }) {
  const { value: call, thrown } = useCall(id);
  if (call !== undefined) return <CallPage call={call} />;
  if (thrown === undefined) return <Loading what="the call" />;
  return <Failed title="This call cannot be shown" thrown={thrown} />;
}

/** Shows the attempts of a call, the steps of a chain, or the text of a program. */
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
      {call.files !== undefined && <FilesPanel files={call.files} />}
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
