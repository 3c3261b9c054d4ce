import type { CallDetail } from "@waybill/server";
import { useState } from "preact/hooks";
import { execute } from "../api/execute.ts";
import { errorMessage } from "../components/states.tsx";
import { viewAddress } from "../router/route.ts";
import { goTo } from "../router/router.ts";

const REDACTED = "[redacted]";

/** Repeats a read directly. Anything else opens in the form first, for a check. */
export function Replay({ call }: { readonly call: CallDetail }) {
  const { capability_id, request_id, effect, kind } = call;
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (kind === "chain" || kind === "code") return null;
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      const { requestId, error } = await execute(capability_id, call.params, call.options);
      if (requestId === undefined)
        setProblem(
          error?.message ??
            "The call was made, but the answer has no id. Look for the call under Calls",
        );
      else goTo(viewAddress("calls", requestId));
    } catch (thrown) {
      setProblem(errorMessage(thrown));
    } finally {
      setRunning(false);
    }
  };
  return (
    <>
      {effect === "read" && isWhole(call) && (
        <button
          type="button"
          class="button primary"
          disabled={isRunning}
          onClick={() => void run()}
        >
          {isRunning ? "Running…" : "Run again"}
        </button>
      )}
      <a class="button" href={viewAddress("capabilities", capability_id, { from: request_id })}>
        Edit in the form
      </a>
      {problem !== undefined && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Whether the params can be sent again. Cut or redacted params cannot. */
function isWhole({ params, params_size }: CallDetail): boolean {
  return params_size === undefined && !JSON.stringify(params ?? null).includes(REDACTED);
}
