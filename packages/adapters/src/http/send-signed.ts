import { errorFromUnknown, isCallError } from "@waybill/core";
import type { Redactor } from "@waybill/core";
import { alreadyNoted, sendRepeatable } from "./send-repeatable.ts";
import type { HttpAttempt, HttpRequest, HttpResponse, HttpTransport } from "./transport.ts";

/** A request with its credentials, and those credentials alone. */
export interface SignedRequest<Request extends HttpRequest = HttpRequest> {
  readonly request: Request;
  readonly secrets: readonly string[];
}

/** Signs a request. Credentials that were refused are read again where they can have changed. */
export type Sign = (refused?: readonly string[]) => Promise<SignedRequest>;

/** The means to send requests with credentials. */
export interface SendingKit {
  readonly transport: HttpTransport;
  /** Learns what is sent, so that nothing that comes back holds it. */
  readonly redactor: Redactor;
}

/** Refused for its credentials, and therefore not applied. */
function isRefused(error: unknown, { effect, signal }: HttpAttempt): boolean {
  if (signal.aborted || !isCallError(error) || error.details["status"] !== 401) return false;
  return effect === "read" || error.details.outcome === "not_applied";
}

/** Signed with other credentials; undefined where there are none, or where they cannot be read. */
async function signedAnew(
  sign: Sign,
  refused: readonly string[],
): Promise<SignedRequest | undefined> {
  const signed = await sign(refused).catch(() => undefined);
  const isSame = signed?.secrets.every((secret, index) => secret === refused[index]);
  return isSame === true ? undefined : signed;
}

function sendClean(
  { request, secrets }: SignedRequest,
  attempt: HttpAttempt,
  { transport, redactor }: SendingKit,
): Promise<HttpResponse> {
  redactor.learn(secrets);
  return sendRepeatable(transport, { ...request, redactor }, attempt);
}

async function sendAndRenew(
  sign: Sign,
  attempt: HttpAttempt,
  kit: SendingKit,
): Promise<HttpResponse> {
  const signed = await sign();
  try {
    return await sendClean(signed, attempt, kit);
  } catch (error) {
    const renewed = isRefused(error, attempt) && (await signedAnew(sign, signed.secrets));
    if (!renewed) throw error;
    const response = await sendClean(renewed, { ...attempt, beforeSend: alreadyNoted }, kit);
    return { ...response, requests: response.requests + 1 };
  }
}

/**
 * Sends a request with credentials, once more with others where they were refused and have changed
 * since: a program that prints tokens prints one that lasts an hour. Nothing that comes back, answer
 * or error, holds them.
 */
export async function sendSigned(
  sign: Sign,
  attempt: HttpAttempt,
  kit: SendingKit,
): Promise<HttpResponse> {
  try {
    return await sendAndRenew(sign, attempt, kit);
  } catch (error) {
    throw kit.redactor.error(errorFromUnknown(error));
  }
}
