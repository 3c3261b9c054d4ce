import { errorFromUnknown, isCallError } from "@waybill/core";
import type { HttpAttempt, HttpRequest, HttpResponse, HttpTransport } from "./transport.ts";

function isStaleSocket(error: unknown): boolean {
  if (!isCallError(error)) return false;
  const { code, phase, reusedSocket } = error.details;
  return reusedSocket === true && phase !== "answered" && code === "NETWORK";
}

/**
 * Makes the outcome of a refused second attempt unknown, because the first attempt may have been
 * applied.
 */
function stillUnknown(error: unknown): unknown {
  if (!isCallError(error) || error.details.outcome !== "not_applied") return error;
  return errorFromUnknown(error).with({ outcome: "unknown" });
}

/**
 * The `beforeSend` for the second request of one attempt. It does nothing, because the attempt
 * is already recorded as sent.
 */
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
 * Sends a request, and repeats it on a new connection if the other end had closed the kept-alive
 * one. Only repeatable requests use kept-alive connections. It is the same attempt, so
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
