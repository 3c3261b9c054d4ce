import type { Ran } from "../api/execute.ts";
import { formatBytes, sentence } from "../components/format.ts";
import { JsonView } from "../components/json-view.tsx";
import { FilesPanel } from "../call/files.tsx";
import { useCall } from "../call/use-call.ts";
import { viewAddress } from "../router/route.ts";

/** The result of a run. */
export function RunResult({ ran }: { readonly ran: Ran }) {
  const { ok, isDry, error, requestId, envelope, size } = ran;
  const done = isDry ? "Nothing was sent. These requests would be sent:" : "The call succeeded.";
  return (
    <div class="run-result stack" role="status">
      <p class="notice" data-tone={ok ? "good" : undefined}>
        {ok ? done : sentence(error?.message ?? "The call failed")}
        {error?.hint !== undefined && ` ${sentence(error.hint)}`}
        {error?.outcome === "unknown" &&
          " It is unknown whether it was applied. Running it again uses the same key, so it cannot be applied twice."}{" "}
        {requestId !== undefined && <a href={viewAddress("calls", requestId)}>See the call</a>}{" "}
        <span class="soft small">{formatBytes(size)}</span>
      </p>
      {ok && requestId !== undefined && <RunFiles id={requestId} />}
      <JsonView value={envelope} label="The envelope" />
    </div>
  );
}

function RunFiles({ id }: { readonly id: string }) {
  const { value: call } = useCall(id);
  return call?.files === undefined ? null : <FilesPanel files={call.files} />;
}
