import { errorFromUnknown } from "@waybill/core";
import type { SendingKit, SignedRequest } from "./send-signed.ts";
import type { HttpAttempt, HttpStream } from "./transport.ts";

/**
 * Opens a streamed response, and yields the values that the reader creates from its chunks.
 * Credentials are removed.
 */
export async function* streamSigned<T>(
  { request, secrets }: SignedRequest,
  attempt: HttpAttempt,
  { transport, redactor }: SendingKit,
  read: (stream: HttpStream) => AsyncIterable<T>,
): AsyncGenerator<T> {
  redactor.learn(secrets);
  const headers = { ...request.headers, accept: "text/event-stream" };
  try {
    const stream = await transport.stream({ ...request, headers, redactor, fresh: true }, attempt);
    try {
      for await (const value of read(stream)) yield redactor.data(value);
    } finally {
      stream.close();
    }
  } catch (error) {
    throw redactor.error(errorFromUnknown(error));
  }
}
