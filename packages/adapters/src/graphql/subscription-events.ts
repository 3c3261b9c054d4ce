// GraphQL subscriptions over server-sent events: the response to a POST is a stream of events.
import { fail } from "@waybill/core";
import type { ResponseEnvelope } from "@waybill/core";
import { EventParser, signWithToken, streamSigned } from "../http/index.ts";
import type { HttpStream } from "../http/index.ts";
import type { GraphqlOperation } from "./source/graphql-operation.ts";
import { readResult, subscriptionRequest } from "./subscription-request.ts";
import type { Subscribing } from "./subscription-request.ts";

const MAX_ANSWER = 1_000_000;

async function readWhole({ chunks }: HttpStream): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_ANSWER)
      throw fail("TOO_LARGE", `The answer is larger than ${MAX_ANSWER} bytes. Select fewer fields`);
    pieces.push(chunk);
  }
  return Buffer.concat(pieces);
}

/**
 * The event `next` has a result, and `complete` ends the stream. Other events only keep the
 * connection open.
 */
async function* resultsIn(
  operation: GraphqlOperation,
  stream: HttpStream,
): AsyncGenerator<ResponseEnvelope> {
  if (!/^text\/event-stream\b/iu.test(stream.headers["content-type"] ?? "")) {
    yield readResult(operation, stream, await readWhole(stream));
    return;
  }
  const parser = new EventParser();
  for await (const chunk of stream.chunks) {
    for (const { event, data } of parser.push(chunk)) {
      if (event === "complete") return;
      const isResult = (event === "next" || event === "message") && data !== "";
      if (isResult) yield readResult(operation, stream, Buffer.from(data));
    }
  }
}

/** Yields results until the endpoint or the caller ends the subscription. */
export async function* overEvents({
  operation,
  redactor,
  options,
  input,
  context: { signal, deadline },
}: Subscribing): AsyncGenerator<ResponseEnvelope, void, undefined> {
  const signed = await signWithToken(options, subscriptionRequest(options, operation, input));
  const attempt = {
    effect: "read",
    isRepeatable: false,
    signal,
    deadline,
    beforeSend: () => Promise.resolve(),
  } as const;
  const kit = { transport: options.transport, redactor };
  yield* streamSigned(signed, attempt, kit, (stream) => resultsIn(operation, stream));
}
