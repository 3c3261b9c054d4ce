import { errorFromUnknown, isCallError } from "@waybill/core";
import type { HttpAttempt, HttpRequest, HttpResponse, HttpTransport } from "./transport.ts";

function isStaleSocket(error: unknown): boolean {
  if (!isCallError(error)) return false;
  const { code, phase, reusedSocket } = error.details;
  return reusedSocket === true && phase !== "answered" && code === "NETWORK";
}

/** A refused second attempt does not undo what the first may have done. */
function stillUnknown(error: unknown): unknown {
  if (!isCallError(error) || error.details.outcome !== "not_applied") return error;
  return errorFromUnknown(error).with({ outcome: "unknown" });
}

/** For the second sending of one attempt. */
export async function alreadyNoted(): Promise<void> {}

async function sendAgain(
  transport: HttpTransport,
  request: HttpRequest,
  { effect, isRepeatable, signal, deadline }: HttpAttempt,
): Promise<HttpResponse> {
  try {
    const attempt = { effect, isRepeatable, signal, deadline, beforeSend: alreadyNoted };
    const response = await transport.send({ ...request, fresh: true }, attempt);
    return { ...response, requests: response.requests + 1, isRepeat: true };
  } catch (error) {
    throw stillUnknown(error);
  }
}

/**
 * Sends, and once more on a new connection when a kept one turned out to be closed at the other
 * end. Only what may be repeated ever uses a kept one. It counts as the same attempt, so
 * `beforeSend` is not called again.
 */
export async function sendRepeatable(
  transport: HttpTransport,
  request: HttpRequest,
  attempt: HttpAttempt,
): Promise<HttpResponse> {
  try {
    return await transport.send(request, attempt);
  } catch (error) {
    if (!attempt.isRepeatable || !isStaleSocket(error)) throw error;
    return sendAgain(transport, request, attempt);
  }
}
