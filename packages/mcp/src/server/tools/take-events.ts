import { collectEvents, failureResult, successResult, toResultError } from "@waybill/core/protocol";
import { errorFromUnknown } from "@waybill/core";
import type { ExecuteOptions, ResultEnvelope } from "@waybill/core";
import { currentTalk } from "../../relay/index.ts";
import type { ToolCall } from "../surface.ts";

const MAX_MESSAGE = 500;

/** Shows the start of an event as progress immediately. The answer has the whole event. */
function reportEvent(data: unknown, number: number): void {
  const message = JSON.stringify(data ?? null).slice(0, MAX_MESSAGE);
  currentTalk()?.onProgress({ progress: number, message });
}

async function isSubscription({ waybill }: ToolCall, id: string): Promise<boolean> {
  const [spec] = await waybill.operations([id]);
  return spec?.kind === "subscription";
}

/**
 * The envelope of a call. A subscription is answered with its first events: up to `page.limit`,
 * within the token limit and the deadline of the call.
 */
export async function takeEvents(
  answer: ResultEnvelope,
  { capability_id, params }: { readonly capability_id: string; readonly params: unknown },
  { page, deadline_ms, max_tokens, approve }: ExecuteOptions,
  call: ToolCall,
): Promise<ResultEnvelope> {
  // Removes `page`, which `execute` refuses for a subscription. Here it limits the number of
  // events.
  const isRefused =
    !answer.ok && (answer.error.code === "ADAPTER_UNSUPPORTED" || page !== undefined);
  if (!isRefused || !(await isSubscription(call, capability_id))) return answer;
  const limit = page?.limit;
  try {
    const { warnings, ...taken } = await collectEvents(call.waybill, capability_id, params, {
      signal: call.signal,
      onEvent: reportEvent,
      ...(limit !== undefined && { limit }),
      ...(deadline_ms !== undefined && { wait_ms: deadline_ms }),
      ...(max_tokens !== undefined && { max_tokens }),
      ...(approve !== undefined && { approve }),
    });
    return successResult(taken, { capability_id, ...(warnings.length > 0 && { warnings }) });
  } catch (thrown) {
    const facts = { requestId: "", isWrite: false, isRepeatable: true };
    return failureResult(toResultError(errorFromUnknown(thrown), facts), { capability_id });
  }
}
