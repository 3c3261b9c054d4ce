import { lost, reached } from "./connection.ts";
import { refuseToken, token } from "./token.ts";

/** Thrown if the server answers with an error. It has the error's code and message. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** Thrown if the server does not answer. */
export class Unreachable extends Error {}

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly body?: unknown;
}

/** Sends a request with the token, and records whether the server answered. */
export async function request(path: string, { signal, body }: AskOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${token.value}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    const response = await fetch(`.${path}`, {
      headers,
      method: body === undefined ? "GET" : "POST",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    reached();
    if (isOwnRefusal(response)) refuseToken();
    return response;
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    lost();
    throw new Unreachable("The server does not answer", { cause: thrown });
  }
}

/**
 * Whether the server refused the page's token. A 401 can also come from an upstream that refused a
 * call.
 */
function isOwnRefusal({ status, headers }: Response): boolean {
  return status === 401 && (headers.get("www-authenticate") ?? "").includes('realm="waybill"');
}

/** Sends a GET request and returns the parsed response. */
export async function ask<T>(path: string, options: AskOptions = {}): Promise<T> {
  const response = await request(path, options);
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  throw refusalIn(answer, response.status);
}

interface FailureLike {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: { readonly hint?: string };
  };
}

export function refusalIn(answer: unknown, status: number): Refused {
  const { error } = (answer ?? {}) as FailureLike;
  const message = error?.message ?? `The server answered with status ${status}`;
  return new Refused(status, error?.code ?? "UNKNOWN", message, error?.details?.hint);
}
