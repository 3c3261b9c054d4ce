import { errorFromUnknown, isCallError } from "@waybill/core";
import type { Redactor } from "@waybill/core";
import { alreadyNoted, sendRepeatable } from "./send-repeatable.ts";
import type { HttpAttempt, HttpRequest, HttpResponse, HttpTransport } from "./transport.ts";

/** A request with its credentials, and the credentials alone. */
export interface SignedRequest<Request extends HttpRequest = HttpRequest> {
  readonly request: Request;
  readonly secrets: readonly string[];
}

/**
 * Adds credentials to a request. If they are refused, they are read again, because they may have
 * changed.
 */
export type Sign = (refused?: readonly string[]) => Promise<SignedRequest>;

/** The parts that are needed to send requests with credentials. */
export interface SendingKit {
  readonly transport: HttpTransport;
  /** Receives the secrets that are sent, so that they are removed from every response. */
  readonly redactor: Redactor;
}

/** Whether the request was refused because of its credentials. In that case it was not applied. */
function isRefused(error: unknown, { effect, signal }: HttpAttempt): boolean {
  if (signal.aborted || !isCallError(error) || error.details["status"] !== 401) return false;
  return effect === "read" || error.details.outcome === "not_applied";
}

/**
 * Adds other credentials than the refused ones. Undefined if there are none or they cannot be
 * read.
 */
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
 * Sends a request with credentials. If they are refused and have changed since, sends it again
 * with the new ones, because a token from a program may last only an hour. Credentials are
 * removed from the response and from errors.
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
